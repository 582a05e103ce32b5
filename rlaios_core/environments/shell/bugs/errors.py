"""The one error of the benchmark: it cannot be loaded or generated."""


class BenchmarkError(Exception):
    """Something about the benchmark is missing or broken; the message names the file and the mend."""
