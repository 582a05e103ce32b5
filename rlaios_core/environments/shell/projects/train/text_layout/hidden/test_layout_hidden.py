import pytest

from alignment import align, center, frame, justify, side_by_side, underline, widest
from pieces import (
    common_prefix, initials, number_lines, plural, sentence_list, slug, title_case,
)
from tables import column_widths, columns, pad_row, rule, table, transpose, with_header
from wrapping import break_word, bullets, clip, dedent, indent, paragraphs, reflow, wrap

TEXT = "one three seventeen to four extraordinary be"


def test_wrap_keeps_words_and_width():
    for width in range(13, 40):
        lines = wrap(TEXT, width)
        assert " ".join(lines) == TEXT
        assert all(len(line) <= width for line in lines)
        for line, following in zip(lines, lines[1:]):
            assert len(line) + 1 + len(following.split()[0]) > width


def test_wrap_values():
    assert wrap("to be or not", 5) == ["to be", "or", "not"]
    assert wrap("abcdefghij k", 4) == ["abcd", "efgh", "ij k"]
    assert wrap("", 3) == []
    assert wrap("xy z", 1) == ["x", "y", "z"]
    with pytest.raises(ValueError):
        wrap("x", -3)


def test_wrap_refuses_zero_by_message():
    with pytest.raises(ValueError, match="width"):
        wrap("x", 0)


def test_break_word_joins_again():
    for width in (1, 2, 5, 11, 12):
        pieces = list(break_word("constitution", width))
        assert "".join(pieces) == "constitution"
        assert {len(p) for p in pieces[:-1]} <= {width}


def test_paragraphs_and_reflow():
    assert list(paragraphs("")) == []
    assert list(paragraphs("q\n\nr\ns\n\t\n")) == [["q"], ["r", "s"]]
    assert reflow("q r s\nt\n\nu v", 5) == "q r s\nt\n\nu v"
    assert reflow("\nq\nr\n", 9) == "q r"


def test_indent_and_dedent_are_inverse():
    lines = ["if x:", "    y", "z"]
    assert dedent(indent(lines, 3)) == lines
    assert indent(["q", "r"], 1, first=4) == ["    q", " r"]
    assert indent([], 2) == []
    assert dedent(["   q", "  r", ""]) == [" q", "r", ""]
    assert dedent([]) == []


def test_bullets_values():
    assert bullets(["red green", "blue"], 8, mark="*") == ["* red", "  green", "* blue"]
    assert bullets(["red fox"], 11, mark="10.") == ["10. red fox"]
    assert bullets([], 9) == []


def test_clip_never_wider():
    for width in range(0, 15):
        assert len(clip("some text here", width)) <= width
    assert clip("some text here", 14) == "some text here"
    assert clip("some text here", 9) == "some te.."
    assert clip("some text here", 7) == "some.."


def test_center_and_align():
    assert center("q", 4, fill="*") == "*q**"
    assert center("quiz", 4) == "quiz"
    assert [align("q", 3, how) for how in ("left", "right", "center")] == ["q  ", "  q", " q "]
    with pytest.raises(ValueError):
        align("q", 3, "LEFT")


def test_justify_reaches_the_width():
    for width in range(15, 30):
        line = justify("is it four words", width)
        assert len(line) == max(width, 16)
        assert line.split() == ["is", "it", "four", "words"]
    assert justify("is it four words", 18) == "is  it  four words"
    assert justify("", 5) == ""


def test_frame_and_blocks():
    assert frame(["xyz", ""], padding=2) == ["+-------+", "|  xyz  |", "|       |", "+-------+"]
    assert frame([]) == ["+--+", "+--+"]
    assert side_by_side(["q", "r"], ["1", "22"]) == ["q  1", "r  22"]
    assert side_by_side([], ["1"], gap=3) == ["   1"]
    assert underline("") == ["", ""] and underline("Titel", char="-") == ["Titel", "-----"]
    assert widest(["", "q"]) == 1


def test_table_values():
    rows = [["name", "no"], ["fig", "7"], ["plum", "12", "new"]]
    assert column_widths(rows) == [4, 2, 3]
    assert table(rows, "cr") == ["name | no |", "fig  |  7 |", "plum | 12 | new"]
    assert with_header(rows[:2], "lr") == ["name | no", "-----+---", "fig  |  7"]
    assert table([]) == []


def test_rows_and_rules():
    assert pad_row([], 2, fill="-") == ["-", "-"]
    assert pad_row(["q", "r"], 2) == ["q", "r"]
    assert rule([1]) == "-" and rule([2, 3, 1]) == "---+-----+--"
    assert transpose(transpose([["q", "r", "s"], ["t", "u", "v"]])) == [["q", "r", "s"], ["t", "u", "v"]]
    assert transpose([["q"], ["r", "s"]]) == [["q", "r"], ["", "s"]]


def test_columns_keep_items():
    for count in range(1, 9):
        layout = columns(list("abcdefg"), count)
        assert sorted(c for row in layout for c in row) == list("abcdefg")
        assert max(len(row) for row in layout) <= count
    assert columns(list("abcdefg"), 3) == [["a", "d", "g"], ["b", "e"], ["c", "f"]]


def test_titles_and_slugs():
    assert title_case("a tale OF two  cities") == "A Tale of Two Cities"
    assert title_case("of the") == "Of The"
    assert title_case("walk in the park") == "Walk in the Park"
    assert slug("Ünder_score & more--dashes") == "ünder-score-more-das"
    assert slug("twelve thirteen", max_length=7) == "twelve"
    assert slug("?!") == ""


def test_lists_and_plurals():
    assert sentence_list(list("wxyz"), word="or") == "w, x, y or z"
    assert sentence_list(["w", "x"]) == "w and x"
    assert sentence_list(["w"]) == "w" and sentence_list([]) == ""
    assert [plural(n, "day") for n in (-1, 0, 1, 11)] == ["-1 day", "0 days", "1 day", "11 days"]
    assert plural(1, "mouse", "mice") == "1 mouse" and plural(3, "mouse", "mice") == "3 mice"


def test_initials_and_numbers():
    assert initials("jean  luc p q") == "JLP" and initials("") == ""
    assert number_lines(["q"] * 3, start=98) == [" 98: q", " 99: q", "100: q"]
    assert number_lines(["q"] * 10)[0] == " 1: q"
    assert number_lines(["q"] * 9)[-1] == "9: q"


def test_common_prefix_values():
    assert common_prefix(["interval", "internal", "into"]) == "int"
    assert common_prefix(["x", ""]) == "" and common_prefix(["same", "same"]) == "same"
    assert common_prefix(["ab", "abc", "a"]) == "a"
