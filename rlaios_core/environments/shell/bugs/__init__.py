"""Bugs for the benchmark: projects, their variants, injection, admission and generation."""

from .admission import Rejection
from .errors import BenchmarkError
from .generate import Rejections, duplicate_key, generate_task
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
    "duplicate_key",
    "generate_task",
    "load_project",
    "load_projects",
]
