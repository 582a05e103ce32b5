import pytest

_LONGEST = "tests/pipeline/test_daemons.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest file first: a file is one worker's, which would be left alone with it at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(_LONGEST))
