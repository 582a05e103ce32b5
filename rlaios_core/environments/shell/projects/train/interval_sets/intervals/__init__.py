"""Half-open integer intervals and sets of them."""
