"""Measurements behind the figures that the project states; `make bench-<name>` runs one."""
