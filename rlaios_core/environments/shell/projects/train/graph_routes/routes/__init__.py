from routes.graph import Graph

__all__ = ["Graph"]
