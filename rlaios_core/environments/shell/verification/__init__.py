"""Verification: run a project's tests in isolation, warm and bounded, and say what each of them found."""

from rlaios_core.environments.shell.verification.client import VerificationServer
from rlaios_core.environments.shell.verification.pool import VerificationPool
from rlaios_core.environments.shell.verification.results import TestOutcome, TestReport, VerificationResult

__all__ = ["TestOutcome", "TestReport", "VerificationPool", "VerificationResult", "VerificationServer"]
