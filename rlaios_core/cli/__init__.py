"""The `rlaios` command. Thin: it turns words into calls of the controller and answers into text or JSON."""
