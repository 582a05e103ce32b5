from tmpl.template import Template, render

__all__ = ["Template", "render"]
