"""Small modules with their tests and one bug each, by split: work for an executor that can repair code."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlaios_core.schema import Split


@dataclass(frozen=True)
class Module:
    """A module as it should be, and as it is when it is broken."""

    name: str
    correct: str
    wrong: tuple[str, str]
    """A piece of the correct text, and what stands there in the broken one."""
    tests: str

    @property
    def broken(self) -> str:
        """The text with the bug."""
        return self.correct.replace(*self.wrong, 1)


_WINDOWS = Module(
    "windows",
    '''"""Sliding windows."""


def windows(items, size):
    found = []
    for start in range(len(items) - size + 1):
        found.append(items[start : start + size])
    return found


def longest(items):
    best = []
    for item in items:
        if len(item) > len(best):
            best = item
    return best
''',
    ("len(items) - size + 1", "len(items) - size"),
    """from src.windows import longest, windows


def test_all_windows():
    assert windows([1, 2, 3], 2) == [[1, 2], [2, 3]]


def test_whole():
    assert windows([1, 2], 2) == [[1, 2]]


def test_longest():
    assert longest([[1], [1, 2], [3]]) == [1, 2]
""",
)

_DISCOUNT = Module(
    "discount",
    '''"""Prices with a discount."""


def reduced(price, percent):
    if percent > 100:
        raise ValueError(percent)
    return price - price * percent // 100


def cheapest(prices):
    low = prices[0]
    for price in prices:
        if price < low:
            low = price
    return low
''',
    ("if price < low:", "if price > low:"),
    """from src.discount import cheapest, reduced


def test_reduced():
    assert reduced(200, 10) == 180


def test_free():
    assert reduced(50, 100) == 0


def test_cheapest():
    assert cheapest([5, 3, 9]) == 3
""",
)

_RUNS = Module(
    "runs",
    '''"""Run lengths."""


def runs(text):
    found = []
    for letter in text:
        if found and found[-1][0] == letter:
            found[-1] = (letter, found[-1][1] + 1)
        else:
            found.append((letter, 1))
    return found


def total(pairs):
    amount = 0
    for _, count in pairs:
        amount += count
    return amount
''',
    ("found[-1][0] == letter", "found[-1][0] != letter"),
    """from src.runs import runs, total


def test_runs():
    assert runs("aab") == [("a", 2), ("b", 1)]


def test_empty():
    assert runs("") == []


def test_total():
    assert total([("a", 2), ("b", 1)]) == 3
""",
)

_GRADES = Module(
    "grades",
    '''"""Marks and grades."""


def passed(marks, limit):
    count = 0
    for mark in marks:
        if mark >= limit:
            count += 1
    return count


def spread(marks):
    return max(marks) - min(marks)
''',
    ("max(marks) - min(marks)", "max(marks) + min(marks)"),
    """from src.grades import passed, spread


def test_passed():
    assert passed([3, 5, 7], 5) == 2


def test_none():
    assert passed([1], 5) == 0


def test_spread():
    assert spread([2, 9, 4]) == 7
""",
)

_SLOTS = Module(
    "slots",
    '''"""Appointments in slots."""


def overlap(first, second):
    return first[0] < second[1] and second[0] < first[1]


def free(slots, taken):
    left = []
    for slot in slots:
        if slot not in taken:
            left.append(slot)
    return left
''',
    ("first[0] < second[1] and", "first[0] < second[1] or"),
    """from src.slots import free, overlap


def test_overlap():
    assert overlap((1, 4), (3, 5))


def test_apart():
    assert not overlap((1, 2), (5, 6))


def test_free():
    assert free([1, 2, 3], [2]) == [1, 3]
""",
)

_DEPTH = Module(
    "depth",
    '''"""Nesting of brackets."""


def depth(text):
    level = 0
    deepest = 0
    for letter in text:
        if letter == "(":
            level += 1
            deepest = max(deepest, level)
        elif letter == ")":
            level -= 1
    return deepest


def balanced(text):
    return text.count("(") == text.count(")")
''',
    ("            level -= 1", "            level += 1"),
    """from src.depth import balanced, depth


def test_flat():
    assert depth("()()") == 1


def test_nested():
    assert depth("(())") == 2


def test_balanced():
    assert balanced("()")
""",
)

_WATER = Module(
    "water",
    '''"""Levels of a tank."""


def fill(level, amount, capacity):
    return min(level + amount, capacity)


def days(levels, limit):
    count = 0
    for level in levels:
        if level <= limit:
            count += 1
    return count
''',
    ("if level <= limit:", "if level < limit:"),
    """from src.water import days, fill


def test_fill():
    assert fill(2, 3, 10) == 5


def test_full():
    assert fill(8, 9, 10) == 10


def test_days():
    assert days([1, 5, 9], 5) == 2
""",
)

SOURCES: Mapping[Split, tuple[Module, ...]] = {
    Split.TRAIN: (_WINDOWS, _DISCOUNT, _RUNS),
    Split.HELD_OUT: (_GRADES, _SLOTS),
    Split.FINAL: (_DEPTH, _WATER),
}

CLIENT = '''"""A client whose backend needs a moment after a cold start."""

import os

SUPPORTED = {supported}
COLD_STARTS = {starts}


def reach():
    os.makedirs("cache", exist_ok=True)
    with open("cache/starts", "a+") as file:
        file.seek(0)
        if not SUPPORTED or len(file.read()) < COLD_STARTS:
            file.write("x" if SUPPORTED else "")
            raise TimeoutError("backend did not answer")
    return True
'''
"""Fails `starts` times, then works, which makes a test flaky; unsupported it always fails."""

CLIENT_TESTS = """from vendor.client import reach


def test_backend_answers():
    assert reach()
"""
