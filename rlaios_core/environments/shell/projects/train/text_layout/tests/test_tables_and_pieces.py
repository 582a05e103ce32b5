from pieces import (
    common_prefix, initials, number_lines, plural, sentence_list, slug, title_case,
)
from tables import column_widths, columns, pad_row, rule, table, transpose, with_header


def test_column_widths():
    assert column_widths([["a", "bbb"], ["cc"]]) == [2, 3]
    assert column_widths([]) == []


def test_pad_row():
    assert pad_row(["a"], 3) == ["a", "", ""]
    assert pad_row(["a", "b", "c"], 2, fill="x") == ["a", "b"]
    assert pad_row(["a"], 2, fill="x") == ["a", "x"]


def test_table():
    assert table([["a", "1", "x"], ["bcd", "22", "xyz"]], "lrc") == ["a   |  1 |  x", "bcd | 22 | xyz"]
    assert table([["a", "b"], ["cc", "dd"]], "r", sep=" ") == [" a b", "cc dd"]
    assert table([["a", "b"], ["c"]], sep="/") == ["a/b", "c/"]


def test_rule():
    assert rule([2, 1]) == "---+--"
    assert rule([3, 2], sep=" ") == "--- --"


def test_with_header():
    assert with_header([["n", "v"], ["ab", "1"]], "r") == [" n | v", "---+--", "ab | 1"]


def test_columns_read_down():
    assert columns(["a", "b", "c", "d", "e"], 2) == [["a", "d"], ["b", "e"], ["c"]]
    assert columns(["a", "b", "c", "d"], 2) == [["a", "c"], ["b", "d"]]


def test_columns_one():
    assert columns(["a", "b"], 1) == [["a"], ["b"]]
    assert columns([], 3) == []


def test_transpose():
    assert transpose([["a", "b"], ["c", "d"]]) == [["a", "c"], ["b", "d"]]
    assert transpose([["a", "b"], ["c"]], fill="-") == [["a", "c"], ["b", "-"]]


def test_transpose_empty():
    assert transpose([]) == []
    assert transpose([["a"], []]) == [["a", ""]]


def test_title_case():
    assert title_case("the lord of THE manor") == "The Lord of the Manor"
    assert title_case("what to wait in") == "What to Wait In"
    assert title_case("an") == "An"


def test_slug():
    assert slug("  Hello, World! 2 ") == "hello-world-2"
    assert slug("abc def", max_length=4) == "abc"
    assert slug("a" * 25) == "a" * 20


def test_sentence_list():
    assert sentence_list(["a", "b", "c"]) == "a, b and c"
    assert sentence_list(["a", "b"], word="or") == "a or b"


def test_sentence_list_short():
    assert sentence_list(["a"]) == "a"
    assert sentence_list([]) == ""


def test_plural():
    assert plural(1, "cat") == "1 cat"
    assert plural(0, "cat") == "0 cats"
    assert plural(2, "box", "boxes") == "2 boxes"


def test_plural_negative():
    assert plural(-1, "degree") == "-1 degree"
    assert plural(-2, "degree") == "-2 degrees"


def test_initials():
    assert initials("ada mary lovelace king") == "AML"
    assert initials("ada lovelace", limit=1) == "A"


def test_number_lines():
    assert number_lines(["a", "b"]) == ["1: a", "2: b"]
    assert number_lines(["a", "b"], start=9) == [" 9: a", "10: b"]
    assert number_lines(["a", "b"], start=8) == ["8: a", "9: b"]


def test_common_prefix():
    assert common_prefix(["flower", "flow", "flight"]) == "fl"
    assert common_prefix(["abc", "abcd"]) == "abc"


def test_common_prefix_none():
    assert common_prefix([]) == ""
    assert common_prefix(["abc", "xbc"]) == ""
    assert common_prefix(["abc"]) == "abc"
