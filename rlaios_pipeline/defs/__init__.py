"""Everything Dagster loads. Each module here binds one part of an epoch, or the jobs around it."""
