import pytest

from tmpl.pieces import Piece, TemplateError, cut, line_at, split_outside_quotes
from tmpl.values import (
    apply_filter, compute, escape, group_digits, pick_form, read_literal, read_operand, resolve, shorten,
    step_into, to_string,
)


def test_cut_mixed_source():
    assert list(cut("{{ q }}\n{# two\nlines #}{% end %} tail")) == [
        Piece("value", "q", 1), Piece("text", "\n", 1), Piece("block", "end", 3), Piece("text", " tail", 3)]
    assert line_at("\n\n\n", 3) == 4


def test_splitting_and_block_lines():
    assert split_outside_quotes('"1,2",3,"', ",") == ['"1,2"', "3", '"']
    pieces = list(cut("{% a %}\n\t{% b %}\n text {% c %}\n{% d %}e{% f %}\n"))
    assert [p.body for p in pieces] == ["a", "b", " text ", "c", "\n", "d", "e", "f", "\n"]
    assert [p.line for p in pieces] == [1, 2, 3, 3, 3, 4, 4, 4, 4]


def test_paths():
    data = {"rows": [{"id": 4}, {"id": 9}], "0": "zero"}
    assert [resolve(p, data) for p in ("rows.1.id", "rows.2.id", "0", "rows.x", "id")] == [9, None, "zero", None, None]
    assert step_into([10, 20, 30], "2") == 30


def test_literals_and_operands():
    assert [read_literal(t) for t in ("12", "-0.5", '"7"')] == [12, -0.5, "7"]
    assert read_operand('"none"', {}) == "none"
    assert read_operand("none", {"none": 1}) is None
    with pytest.raises(ValueError):
        read_literal("")


def test_text_of_values():
    assert [to_string(v) for v in (-4.0, 0, 0.75, "x", [1])] == ["-4", "0", "0.75", "x", "[1]"]
    assert escape("a&amp;<") == "a&amp;amp;&lt;"
    assert [pick_form(n, "children", "child", "twins", "children") for n in (1, 2, 7, 0)] == [
        "child", "twins", "children", "children"]
    with pytest.raises(TemplateError):
        compute("n | form", {"n": 0})
    with pytest.raises(TemplateError):
        pick_form(-2, "a", "b", "c")


def test_shorten_never_exceeds_the_length():
    text = "one two three four five six"
    for length in range(4, 30):
        assert len(shorten(text, length)) <= length
    assert shorten(text, 11) == "one two..."
    assert shorten(text) == "one two three fou..."


def test_group_digits_keeps_the_number():
    for number in (7, 42, 100, -100, 1001, 999999, -1000000, 123456789012):
        assert int(group_digits(number).replace(",", "")) == number
    assert group_digits(100000, "'") == "100'000"
    assert group_digits(-12) == "-12"


def test_filter_chain():
    context = {"words": ["pear", "fig", "kiwi"], "sep": "/", "many": 12345678}
    assert compute("words | sort | first: 2 | join: sep", context) == "fig/kiwi"
    assert compute("words | size", context) == 3
    assert compute('many | group: "."', context) == "12.345.678"
    with pytest.raises(TemplateError):
        compute("words | reverse", context)


def test_filter_defaults():
    assert apply_filter(None, "default: none", {}) is None
    assert apply_filter("", "default: 1", {}) == ""
    assert apply_filter(["p", 2.0, True], 'join: ", "', {}) == "p, 2, yes"
    assert apply_filter(["p", "q"], "first", {}) == ["p"]
    assert apply_filter(" o'hara", "upper", {}) == " O'HARA"
