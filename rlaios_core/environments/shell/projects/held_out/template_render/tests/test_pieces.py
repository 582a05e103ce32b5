from tmpl.pieces import Piece, cut, line_at, split_outside_quotes


def test_cut_text_only():
    assert list(cut("plain")) == [Piece("text", "plain", 1)]
    assert list(cut("")) == []


def test_cut_value_between_texts():
    assert list(cut("a {{ b }}c")) == [
        Piece("text", "a ", 1), Piece("value", "b", 1), Piece("text", "c", 1)]


def test_cut_marks_next_to_each_other():
    assert list(cut("{%if x%}{{y}}")) == [Piece("block", "if x", 1), Piece("value", "y", 1)]


def test_cut_leaves_comments_out():
    assert list(cut("a{# {{ b }} #}c")) == [Piece("text", "a", 1), Piece("text", "c", 1)]


def test_cut_counts_lines():
    assert [piece.line for piece in cut("\n{{ a }}x\n{% b %}\nend")] == [1, 2, 2, 3, 4]


def test_line_at():
    assert [line_at("a\nb\n", index) for index in range(4)] == [1, 1, 2, 2]


def test_split_outside_quotes():
    assert split_outside_quotes('a | "b | c" |d', "|") == ["a", '"b | c"', "d"]
    assert split_outside_quotes("", ",") == [""]
    assert split_outside_quotes("x,", ",") == ["x", ""]


def test_cut_takes_the_whole_line_of_a_lone_block():
    assert [piece.body for piece in cut("a\n  {% if x %} \n b")] == ["a\n", "if x", " b"]
    assert [piece.body for piece in cut("a {% if x %}\n{{ b }}\n")] == ["a ", "if x", "\n", "b", "\n"]
