"""Judges of finished episodes: a gateway and one driver per backend."""

from rlaios_core.teachers.base import Request, Teacher, TeacherError, TeacherSettings
from rlaios_core.teachers.gateway import Consultation, consult, create_teacher, trigger_of

__all__ = [
    "Consultation",
    "Request",
    "Teacher",
    "TeacherError",
    "TeacherSettings",
    "consult",
    "create_teacher",
    "trigger_of",
]
