"""Zones of named records and a resolver over them."""
