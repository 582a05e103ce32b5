"""Bugs for the benchmark: projects, their variants, injection, admission and generation."""

from .admission import Rejection
from .errors import BenchmarkError
from .generate import Rejections, generate, generate_task
from .mix import MIX
from .projects import Project, bundled_projects, load_project, load_projects
from .task import FailingReport, InjectedBug, ReferenceEdit, ShellTask

__all__ = [
    "MIX",
    "BenchmarkError",
    "FailingReport",
    "InjectedBug",
    "Project",
    "ReferenceEdit",
    "Rejection",
    "Rejections",
    "ShellTask",
    "bundled_projects",
    "generate",
    "generate_task",
    "load_project",
    "load_projects",
]
