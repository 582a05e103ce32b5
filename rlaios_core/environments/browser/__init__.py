"""Web flows in a real browser: a bundled site, a person's own flows, and public tasks."""
