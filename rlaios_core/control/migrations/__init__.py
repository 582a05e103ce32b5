"""The store's schema, revision by revision; `schema_revision` runs them when a store is opened."""
