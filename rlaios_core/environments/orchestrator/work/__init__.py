"""Work in isolation: programs run on a world that is plain data before and after."""
