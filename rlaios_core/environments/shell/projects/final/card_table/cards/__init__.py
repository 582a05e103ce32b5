"""Cards, melds, tricks and matches."""
