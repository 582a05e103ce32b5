"""The `reference` driver: a task that knows its own solution teaches it."""

from rlaios_core.environments import EnvironmentFault, ProvidesReference
from rlaios_core.schema import TeacherSignal
from rlaios_core.teachers.base import Request, TeacherError


class ReferenceTeacher:
    """Answers with the benchmark's reference solution, and no opinion on the episode (shaping 0)."""

    name = "reference"

    def judge(self, request: Request) -> TeacherSignal | None:
        """The reference as action keys; `None` when the environment or the task has none.

        Raises `TeacherError` when the environment failed while finding it.
        """
        if not isinstance(request.environment, ProvidesReference):
            return None
        try:
            solution = request.environment.reference_solution(request.task, request.episode)
        except EnvironmentFault as fault:
            raise TeacherError(
                f"the reference could not be found ({fault.boundary.value}: {fault.message})"
            ) from fault
        if not solution.keys:
            return None
        return TeacherSignal(
            teacher=self.name,
            confidence=1.0,
            reference_solution=solution.keys,
            own_steps=solution.own_steps,
        )
