import pytest

from alignment import align, center, frame, justify, side_by_side, underline, widest
from wrapping import break_word, bullets, clip, dedent, indent, paragraphs, reflow, wrap


def test_break_word():
    assert list(break_word("abcdefg", 3)) == ["abc", "def", "g"]
    assert list(break_word("abc", 3)) == ["abc"]


def test_wrap():
    assert wrap("aa bb cc", 5) == ["aa bb", "cc"]
    assert wrap("aa bb", 4) == ["aa", "bb"]
    assert wrap("x abcdef", 4) == ["x", "abcd", "ef"]


def test_wrap_width_one_and_zero():
    assert wrap("ab", 1) == ["a", "b"]
    with pytest.raises(ValueError, match="positive"):
        wrap("ab", 0)
    assert wrap("  ", 4) == []


def test_paragraphs():
    assert list(paragraphs("a\nb\n\n \nc")) == [["a", "b"], ["c"]]
    assert list(paragraphs("\n\na\n\n")) == [["a"]]


def test_reflow():
    assert reflow("a b\nc\n\n\nd", 3) == "a b\nc\n\nd"


def test_indent():
    assert indent(["a", "b"], 2) == ["  a", "  b"]
    assert indent(["a", "b", "c"], 1, first=0) == ["a", " b", " c"]


def test_dedent():
    assert dedent(["  a", "", "   b"]) == ["a", "", " b"]
    assert dedent(["a", "  b"]) == ["a", "  b"]


def test_dedent_blank_lines_do_not_count():
    assert dedent([" ", "    a"]) == ["", "a"]
    assert dedent(["  "]) == ["  "]


def test_bullets():
    assert bullets(["aa bb", "c"], 5) == ["- aa", "  bb", "- c"]
    assert bullets(["aa bb"], 7) == ["- aa bb"]
    assert bullets(["aa bb"], 6, mark="(x)") == ["(x) aa", "    bb"]


def test_clip():
    assert clip("abcde", 5) == "abcde"
    assert clip("abcdef", 5) == "abc.."
    assert clip("ab cdef", 5) == "ab.."


def test_clip_very_narrow():
    assert clip("abcdef", 1) == "."
    assert clip("abcdef", 3, marker="~") == "ab~"


def test_center():
    assert center("ab", 6) == "  ab  "
    assert center("ab", 5, fill=".") == ".ab.."
    assert center("abcd", 2) == "abcd"


def test_justify_uneven_gaps():
    assert justify("a b c", 8) == "a   b  c"
    assert justify("a b c", 7) == "a  b  c"


def test_justify():
    assert justify(" abc ", 9) == "abc"
    assert justify("aa bb cc", 4) == "aa bb cc"


def test_align():
    assert align("ab", 4) == "ab  "
    assert align("ab", 4, "right") == "  ab"
    assert align("ab", 4, "center") == " ab "


def test_align_unknown():
    with pytest.raises(ValueError):
        align("ab", 4, "middle")


def test_widest():
    assert widest(["a", "abc", "ab"]) == 3
    assert widest([]) == 0


def test_frame():
    assert frame(["a", "bcd"]) == ["+-----+", "| a   |", "| bcd |", "+-----+"]
    assert frame(["ab"], padding=0) == ["+--+", "|ab|", "+--+"]


def test_side_by_side():
    assert side_by_side(["a", "bbb"], ["x"]) == ["a    x", "bbb"]
    assert side_by_side(["a"], ["x", "y"], gap=1) == ["a x", "  y"]


def test_underline():
    assert underline("Abc") == ["Abc", "==="]
    assert underline("Ab", char="~") == ["Ab", "~~"]
