"""Routing of messages to priority queues."""
