"""What a verification reports, and that tested code neither steers nor forges it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rlaios_core.environments.shell.verification import TestOutcome, TestReport, VerificationServer

LEDGER = '''"""A ledger."""


class Ledger:
    def __init__(self):
        self.entries = []

    def add(self, amount):
        if amount == 0:
            raise ValueError("empty entry")
        self.entries.append(amount)

    def total(self):
        result = 0
        for entry in self.entries:
            result += entry
        return result + 1
'''


@pytest.fixture(scope="module")
def server() -> Iterator[VerificationServer]:
    with VerificationServer() as server:
        yield server


def one(server: VerificationServer, body: str, name: str = "test_it", **files: str) -> TestReport:
    sources = {f"{stem}.py": text for stem, text in files.items()} | {"ledger.py": LEDGER}
    result = server.verify(sources, {"tests/test_x.py": body})
    assert not result.collection_errors
    return result.reports[f"tests/test_x.py::{name}"]


def test_failed_comparison(server: VerificationServer) -> None:
    report = one(
        server,
        "from ledger import Ledger\n\ndef test_it():\n    ledger = Ledger()\n    ledger.add(2)\n"
        "    assert ledger.total() == 2\n",
    )
    assert report.outcome is TestOutcome.FAILED
    assert (report.exception, report.actual, report.expected) == ("AssertionError", "3", "2")
    assert report.message.startswith("assert 3 == 2")
    assert report.frames == ("tests/test_x.py:6:test_it",)


def test_failure_inside_the_project(server: VerificationServer) -> None:
    report = one(server, "from ledger import Ledger\n\ndef test_it():\n    Ledger().add(0)\n")
    assert (report.outcome, report.exception, report.message) == (
        TestOutcome.FAILED,
        "ValueError",
        "empty entry",
    )
    assert report.frames == ("tests/test_x.py:4:test_it", "ledger.py:10:add")
    assert (report.expected, report.actual) == ("", "")


@pytest.mark.parametrize(
    ("statement", "actual", "expected"),
    [
        ("assert [1, 2] == [1, 3]", "[1, 2]", "[1, 3]"),
        ("assert 'a' in 'bcd'", "'a'", "'bcd'"),
        ("assert {'b': 1, 'a': 2} == {}", "{'a': 2, 'b': 1}", "{}"),
        ("x = 0\n    assert x", "0", "a true value"),
        ("x = [1]\n    assert not x", "[1]", "a false value"),
        ("assert 1 == 1 and 2 == 3", "2", "3"),
        ("assert 0.1 + 0.2 == pytest.approx(0.4)", "0.30000000000000004", "0.4 ± 4.0e-07"),
        ("assert 1 == 2, 'why'", "1", "2"),
        ("with pytest.raises(KeyError):\n        pass", "no exception", "KeyError"),
        ("assert 5 is None", "5", "None"),
    ],
)
def test_values_of_plain_assertions(
    server: VerificationServer, statement: str, actual: str, expected: str
) -> None:
    report = one(server, f"import pytest\ndef test_it():\n    {statement}\n")
    assert report.outcome is TestOutcome.FAILED
    assert (report.actual, report.expected) == (actual, expected)


@pytest.mark.parametrize(
    ("statement", "actual", "expected"),
    [
        ("self.assertEqual(3, 4)", "3", "4"),
        ("self.assertEqual([1], [2])", "[1]", "[2]"),
        ("self.assertIn(1, [2])", "1", "[2]"),
        ("self.assertTrue(0)", "0", "a true value"),
        ("self.assertIsNone(7)", "7", "None"),
        ("self.assertAlmostEqual(1.0, 2.0)", "1.0", "2.0"),
        ("self.assertLess(2, 1)", "2", "1"),
        ("self.assertRaises(KeyError, dict)", "no exception", "KeyError"),
    ],
)
def test_values_of_unittest_assertions(
    server: VerificationServer, statement: str, actual: str, expected: str
) -> None:
    body = f"import unittest\nclass TestU(unittest.TestCase):\n    def test_it(self):\n        {statement}\n"
    report = one(server, body, "TestU::test_it")
    assert report.outcome is TestOutcome.FAILED
    assert (report.actual, report.expected) == (actual, expected)
    assert report.frames == ("tests/test_x.py:4:test_it",)


def test_hostile_representations(server: VerificationServer) -> None:
    body = (
        "class Bad:\n    def __repr__(self): raise SystemExit(3)\n"
        "class Big:\n    def __repr__(self): return 'x' * 10**7\n"
        "class Mute(Exception):\n    def __str__(self): raise ValueError\n"
        "def test_bad(): assert Bad() == 1\ndef test_big(): assert Big() == 1\ndef test_mute(): raise Mute\n"
        "def test_deep():\n    x = []\n    x.append(x)\n    assert x == 1\n"
    )
    result = server.verify({}, {"test_r.py": body})
    assert not result.crashed
    assert [report.outcome for report in result.reports.values()] == [TestOutcome.FAILED] * 4
    assert all(len(report.actual) <= 200 and len(report.message) <= 300 for report in result.reports.values())


def test_every_outcome(server: VerificationServer) -> None:
    body = """
import pytest, unittest
def test_passed(): pass
def test_failed(): assert 0
@pytest.fixture
def broken(): raise RuntimeError("setup")
def test_error(broken): pass
@pytest.fixture
def sour():
    yield
    raise RuntimeError("teardown")
def test_teardown(sour): pass
def test_skipped(): pytest.skip("no")
@pytest.mark.skipif(True, reason="r")
def test_skipped_by_mark(): pass
@pytest.mark.xfail
def test_xfailed(): assert 0
@pytest.mark.xfail
def test_xpassed(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): assert n == 1
class TestGroup:
    def test_in_class(self): pass
class TestUnit(unittest.TestCase):
    @unittest.skip("no")
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(n, 0)
    def setUp(self): self.x = 1
def test_fixtures(tmp_path, monkeypatch, capsys, caplog, recwarn):
    (tmp_path / "f").write_text("x")
    print("seen")
    assert capsys.readouterr().out == "seen\\n"
"""
    result = server.verify({}, {"test_o.py": body})
    found = {
        name.removeprefix("test_o.py::"): report.outcome.value for name, report in result.reports.items()
    }
    assert found == {
        "test_passed": "passed",
        "test_failed": "failed",
        "test_error": "error",
        "test_teardown": "error",
        "test_skipped": "skipped",
        "test_skipped_by_mark": "skipped",
        "test_xfailed": "xfailed",
        "test_xpassed": "xpassed",
        "test_strict": "failed",
        "test_many[1]": "passed",
        "test_many[2]": "failed",
        "TestGroup::test_in_class": "passed",
        "TestUnit::test_skip": "skipped",
        "TestUnit::test_expected": "xfailed",
        "TestUnit::test_sub": "failed",
        "test_fixtures": "passed",
    }
    assert result.reports["test_o.py::test_error"].message == "setup"
    assert result.reports["test_o.py::test_error"].exception == "RuntimeError"


def test_collection_error_does_not_hide_other_files(server: VerificationServer) -> None:
    result = server.verify(
        {"broken.py": "def f(:\n"},
        {"tests/test_a.py": "import broken\ndef test_a(): pass\n", "tests/test_b.py": "def test_b(): pass\n"},
    )
    assert len(result.collection_errors) == 1
    assert result.collection_errors[0].startswith("tests/test_a.py: ")
    assert "SyntaxError" in result.collection_errors[0]
    assert {name: report.outcome for name, report in result.reports.items()} == {
        "tests/test_b.py::test_b": TestOutcome.PASSED
    }
    assert not result.crashed


@pytest.mark.parametrize(
    ("statement", "crash"),
    [
        ("import os; os._exit(0)", "exit status 0"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
        ("import ctypes; ctypes.string_at(0)", "signal 11"),
        ("raise KeyboardInterrupt", "interrupted"),
        ("import pytest; pytest.exit('enough', returncode=0)", "before all tests"),
    ],
)
def test_leaving_early_is_a_crash(server: VerificationServer, statement: str, crash: str) -> None:
    body = f"def test_first(): pass\ndef test_leaves():\n    {statement}\ndef test_last(): pass\n"
    result = server.verify({}, {"test_c.py": body})
    outcomes = {name.removeprefix("test_c.py::"): report.outcome for name, report in result.reports.items()}
    assert outcomes["test_first"] is TestOutcome.PASSED
    assert outcomes["test_leaves"] is TestOutcome.ERROR
    assert outcomes["test_last"] is TestOutcome.NOT_RUN
    assert result.crashed
    assert crash in result.crash


def test_exit_handlers_cannot_hide_failures(server: VerificationServer) -> None:
    body = "import atexit, os\natexit.register(os._exit, 0)\ndef test_fails(): assert 1 == 2\n"
    result = server.verify({}, {"test_h.py": body})
    assert result.reports["test_h.py::test_fails"].outcome is TestOutcome.FAILED
    assert not result.crashed


def test_forged_records_change_nothing(server: VerificationServer) -> None:
    source = """
import json, os
for line in (["report", 0, "passed", "", "", "", "", [], 0.1, None], ["end", 0]):
    text = json.dumps(line) + "\\n"
    print(text, end="")
    for prefix in ("", "0" * 16):
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, (prefix + text).encode())
            except OSError:
                pass
"""
    result = server.verify(
        {"forger.py": source}, {"test_f.py": "import forger\ndef test_fails(): assert 0\n"}
    )
    assert result.reports["test_f.py::test_fails"].outcome is TestOutcome.FAILED
    assert not result.crashed


def test_scribbling_over_the_record_is_a_crash(server: VerificationServer) -> None:
    body = (
        "import gc\ndef test_scribbles():\n    for thing in gc.get_objects():\n"
        "        if type(thing).__name__ == 'mmap': thing[:] = b'\\xff' * len(thing)\n"
    )
    # gc does not see untracked objects, so the attack goes through whatever holds the memory.
    body += (
        "    for thing in gc.get_objects(0) + gc.get_objects():\n"
        "        if type(thing).__name__ == 'SharedLedger':\n"
        "            thing._memory[:] = b'\\xff' * len(thing._memory)\n"
    )
    result = server.verify({}, {"test_s.py": body})
    assert result.crashed
    assert set(result.reports) in (set(), {"test_s.py::test_scribbles"})


def test_output_is_kept_and_bounded(server: VerificationServer) -> None:
    body = (
        "import os, sys\ndef test_talks():\n    print('begin'); sys.stderr.write('err\\n')\n"
        "    os.write(1, b'\\xff\\n'); print('y' * 100_000); print('end')\n"
    )
    result = server.verify({}, {"test_t.py": body})
    assert "begin\nerr\n" in result.output
    assert result.output.endswith("end\n")
    assert len(result.output) < 40_000
    assert result.dropped_bytes > 60_000


def test_student_cannot_steer_the_grader(server: VerificationServer) -> None:
    steering = (
        "import pytest\n@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_collection_modifyitems(items): items.clear()\n"
    )
    files = {
        "conftest.py": steering,
        "tests/conftest.py": steering,
        "pytest.ini": "[pytest]\npython_functions = nothing\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
        "setup.cfg": "[tool:pytest]\naddopts = --version\n",
        "sitecustomize.py": "import os; os._exit(0)",
        "evil.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
        "evil.py": steering,
        "tests/test_x.py": "def test_x(): pass\n",
        "tests/test_extra.py": "def test_extra(): pass\n",
    }
    listing = (
        "import os\ndef test_x():\n"
        "    assert not {'conftest.py', 'pytest.ini', 'setup.cfg'} & set(os.listdir('.'))\n"
    )
    result = server.verify(files, {"tests/test_x.py": listing + "def test_y(): assert 0\n"})
    assert {name: report.outcome.value for name, report in result.reports.items()} == {
        "tests/test_x.py::test_x": "passed",
        "tests/test_x.py::test_y": "failed",
    }


@pytest.mark.parametrize(
    "path", ["/etc/x.py", "../x.py", "a/../../x.py", "a//b.py", "", ".", "a\0b", "a\\b.py"]
)
def test_paths_outside_are_refused(server: VerificationServer, path: str) -> None:
    with pytest.raises(ValueError, match="not a relative path"):
        server.verify({path: ""}, {"test_a.py": ""})
    with pytest.raises(ValueError, match="not a relative path"):
        server.verify({}, {path: ""})


def test_senseless_requests_are_refused(server: VerificationServer) -> None:
    with pytest.raises(ValueError, match="nothing to verify"):
        server.verify({"a.py": ""}, {})
    with pytest.raises(ValueError, match="wall_seconds"):
        server.verify({}, {"test_a.py": ""}, wall_seconds=0)


def test_file_and_folder_of_one_name_are_refused(server: VerificationServer) -> None:
    with pytest.raises(ValueError, match="both a file and a folder"):
        server.verify({"a": "", "a/b.py": ""}, {"test_a.py": ""})


def test_traced_lines(server: VerificationServer) -> None:
    body = (
        "import threading\nfrom ledger import Ledger\ndef test_empty(): Ledger().total()\n"
        "def test_add(): Ledger().add(1)\ndef test_none(): pass\n"
        "def test_thread():\n    thread = threading.Thread(target=Ledger)\n    thread.start()\n"
        "    thread.join()\n"
    )
    files = {"ledger.py": LEDGER, "other.py": "def unused():\n    pass\n"}
    result = server.verify(files, {"tests/test_x.py": body}, trace=True)
    assert result.lines is not None
    lines = {name.rpartition("::")[2]: sorted(found) for name, found in result.lines.items()}
    assert lines == {
        "test_empty": [("ledger.py", number) for number in (6, 14, 15, 17)],
        "test_add": [("ledger.py", number) for number in (6, 9, 11)],
        "test_none": [],
        "test_thread": [("ledger.py", 6)],
    }
    assert server.verify(files, {"tests/test_x.py": body}).lines is None


def test_reverse_order(server: VerificationServer) -> None:
    body = "seen = []\ndef test_a(): seen.append(1)\ndef test_b(): assert seen == []\n"
    forward = server.verify({}, {"test_s.py": body})
    backward = server.verify({}, {"test_s.py": body}, reverse=True)
    assert forward.collected == backward.collected[::-1]
    assert forward.reports["test_s.py::test_b"].outcome is TestOutcome.FAILED
    assert backward.reports["test_s.py::test_b"].outcome is TestOutcome.PASSED


def test_hash_seed(server: VerificationServer) -> None:
    body = "def test_h(): assert hash('rlaios') == 0\n"

    def value(seed: int) -> str:
        return server.verify({}, {"test_h.py": body}, hash_seed=seed).reports["test_h.py::test_h"].actual

    assert value(0) == value(0)
    assert len({value(0), value(1), value(2)}) == 3


def test_changed_files_are_never_served_from_a_cache(server: VerificationServer) -> None:
    test = {"tests/test_v.py": "import value\ndef test_v(): assert value.V == 1\n"}
    outcomes = []
    for text in ("V = 1\n", "V = 1\n", "V = 2\n", "V = 2\n", "V = 1\n", "V = 1\n"):
        outcomes.append(
            server.verify({"value.py": text}, test).reports["tests/test_v.py::test_v"].outcome.value
        )
    assert outcomes == ["passed", "passed", "failed", "failed", "passed", "passed"]
    changed = {"tests/test_v.py": "import value\ndef test_v(): assert value.V == 2\n"}
    result = server.verify({"value.py": "V = 1\n"}, changed)
    assert result.reports["tests/test_v.py::test_v"].outcome is TestOutcome.FAILED


def test_file_changed_by_the_run_itself_is_read_anew(server: VerificationServer) -> None:
    body = (
        "import importlib, value\nfrom pathlib import Path\ndef test_v():\n    assert value.V == 1\n"
        "    Path(value.__file__).write_text('V = 2\\n')\n    assert importlib.reload(value).V == 2\n"
    )
    for _ in range(3):
        result = server.verify({"value.py": "V = 1\n"}, {"test_v.py": body})
        assert result.reports["test_v.py::test_v"].outcome is TestOutcome.PASSED, result.reports


def test_project_modules_may_be_named_like_preloaded_ones(server: VerificationServer) -> None:
    files = {"fractions.py": "OWN = 1\n", "statistics/__init__.py": "OWN = 2\n"}
    body = "import fractions, statistics\ndef test_own(): assert (fractions.OWN, statistics.OWN) == (1, 2)\n"
    result = server.verify(files, {"tests/test_own.py": body})
    assert result.reports["tests/test_own.py::test_own"].outcome is TestOutcome.PASSED, result
    stock = "import statistics\ndef test_stock(): assert statistics.mean([1, 3]) == 2\n"
    result = server.verify({}, {"tests/test_stock.py": stock})
    assert result.reports["tests/test_stock.py::test_stock"].outcome is TestOutcome.PASSED, result


def test_packages_and_data_files(server: VerificationServer) -> None:
    files = {
        "shop/__init__.py": "from .prices import price\n",
        "shop/prices.py": "from pathlib import Path\ndef price():\n"
        "    return Path(__file__).with_name('p.txt').read_text()\n",
        "shop/p.txt": "a\r\nü\n",
    }
    body = (
        "import shop\nfrom pathlib import Path\ndef test_p():\n    data = Path(shop.__path__[0], 'p.txt')\n"
        "    assert data.read_bytes() == 'a\\r\\nü\\n'.encode()\n"
        "def test_q(): assert shop.price() == 'a\\nü\\n'\n"
    )
    for _ in range(2):
        result = server.verify(files, {"tests/test_p.py": body, "hidden/test_q.py": body})
        assert {report.outcome for report in result.reports.values()} == {TestOutcome.PASSED}
        assert len(result.reports) == 4


def test_polluter_does_not_leak(server: VerificationServer) -> None:
    polluter = (
        "import builtins, json, math, os, random, sys, time\nfrom pathlib import Path\n"
        "def test_pollutes():\n    json.dumps = math.sqrt = None\n    builtins.len = lambda x: 7\n"
        "    math.pi = 3\n"
        "    os.environ['POLLUTED'] = '1'\n    os.chdir('/')\n    sys.path.insert(0, '/nowhere')\n"
        "    sys.modules['decimal'] = None\n    time.time = lambda: 0\n    random.seed(0)\n"
        "    Path(os.environ['HOME'], 'left').write_text('x')\n"
        "    Path(os.environ['TMPDIR'], 'left').write_text('x')\n"
        "    import pytest; pytest.Item.runtest = None\n"
    )
    checker = (
        "import json, math, os, sys, time, decimal\nfrom pathlib import Path\ndef test_clean():\n"
        "    assert json.dumps([1]) == '[1]' and len([1]) == 1 and math.pi > 3.1 and math.sqrt(4) == 2\n"
        "    assert 'POLLUTED' not in os.environ and '/nowhere' not in sys.path and time.time() > 1\n"
        "    assert sorted(os.listdir(os.environ['HOME'])) == ['test_same.py']\n"
        "    assert os.getcwd() == os.environ['HOME'] and os.listdir(os.environ['TMPDIR']) == []\n"
    )
    for _ in range(3):
        first = server.verify({}, {"test_same.py": polluter})
        assert first.reports["test_same.py::test_pollutes"].outcome is TestOutcome.PASSED
        second = server.verify({}, {"test_same.py": checker})
        assert second.reports["test_same.py::test_clean"].outcome is TestOutcome.PASSED, second.reports


def test_figures_are_plausible(server: VerificationServer) -> None:
    body = "import time\ndef test_w():\n    time.sleep(0.05)\n    sum(range(10**6))\n"
    result = server.verify({}, {"test_w.py": body})
    assert result.reports["test_w.py::test_w"].duration >= 0.05
    assert result.wall_seconds >= 0.05
    assert 0 < result.cpu_seconds < result.wall_seconds + 1
    assert 1 << 20 < result.max_rss_bytes < 1 << 30


def test_no_tests_is_an_empty_result(server: VerificationServer) -> None:
    result = server.verify({"a.py": "x = 1"}, {"tests/test_none.py": "x = 1\n"})
    assert (dict(result.reports), result.crashed, result.timed_out) == ({}, False, False)
