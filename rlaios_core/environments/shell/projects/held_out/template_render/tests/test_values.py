import pytest

from tmpl.pieces import TemplateError
from tmpl.values import (
    apply_filter, compute, escape, group_digits, pick_form, read_literal, read_operand, resolve, shorten,
    step_into, to_string,
)


def test_step_into_containers():
    assert step_into({"a": 5}, "a") == 5
    assert [step_into(("x", "y"), "0"), step_into(["x", "y"], "1")] == ["x", "y"]


def test_step_into_missing():
    assert step_into({"a": 5}, "b") is None
    assert [step_into(["x", "y"], "2"), step_into(["x"], "-1")] == [None, None]
    assert step_into("text", "0") is None


def test_resolve():
    context = {"user": {"tags": ["new", "vip"]}}
    assert resolve("user.tags.1", context) == "vip"
    assert resolve("user.name.first", context) is None


def test_read_literal():
    assert [read_literal('"a b"'), read_literal('""')] == ["a b", ""]
    assert [repr(read_literal("-3")), repr(read_literal("2.0"))] == ["-3", "2.0"]


@pytest.mark.parametrize("text", ['"', '"ab', 'ab"', "ab"])
def test_read_literal_rejects(text):
    with pytest.raises(ValueError):
        read_literal(text)


def test_read_operand():
    assert [read_operand(word, {"true": 1}) for word in ("true", "false", "none")] == [True, False, None]
    assert read_operand("7", {"7": "seven"}) == 7
    assert read_operand("a.b", {"a": {"b": "deep"}}) == "deep"


def test_to_string():
    assert [to_string(None), to_string(True), to_string(False)] == ["", "yes", "no"]
    assert [to_string(2.0), to_string(2.5), to_string(3)] == ["2", "2.5", "3"]


def test_shorten():
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abc..."
    assert shorten("ab cdef", 5, "..") == "ab.."


def test_shorten_default_length():
    assert [shorten("x" * 20), shorten(None)] == ["x" * 20, ""]
    assert shorten("x" * 21) == "x" * 17 + "..."


def test_pick_form():
    assert [pick_form(n, "no", "one", "many") for n in (0, 1, 2, 3)] == ["no", "one", "many", "many"]
    for args in ((-1, "no", "one"), (1,)):
        with pytest.raises(TemplateError):
            pick_form(*args)


def test_escape():
    assert escape("<a & b>") == "&lt;a &amp; b&gt;"
    assert escape(None) == ""


def test_group_digits():
    assert [group_digits(0), group_digits(999), group_digits(1000)] == ["0", "999", "1,000"]
    assert group_digits(-1234567, " ") == "-1 234 567"
    assert group_digits(-123456) == "-123,456"


def test_filters_on_text():
    assert apply_filter("ab", "upper", {}) == "AB"
    assert apply_filter(" ada lovelace ", " title ", {}) == "Ada Lovelace"
    assert apply_filter(None, 'default: "a:b"', {}) == "a:b"


def test_default_filter_keeps_values():
    assert apply_filter(0, "default: 5", {}) == 0
    assert apply_filter(None, "default", {}) == ""


def test_filters_on_lists():
    assert apply_filter([3, 1, 2], "sort", {}) == [1, 2, 3]
    assert apply_filter([3, 1, 2], "first: n", {"n": 2}) == [3, 1]
    assert [apply_filter([3, 1], "first", {}), apply_filter([3, 1], "size", {})] == [[3], 2]


def test_filter_arguments_and_name():
    assert apply_filter("abcdef", 'shorten: 4, "+"', {}) == "abc+"
    assert apply_filter([1, None], "join", {}) == "1, "
    with pytest.raises(TemplateError):
        apply_filter("x", "lower", {})


def test_compute_chains_filters():
    assert compute('names | sort | join: " | "', {"names": ["b", "a"]}) == "a | b"
    with pytest.raises(TemplateError):
        compute(" | upper", {})
