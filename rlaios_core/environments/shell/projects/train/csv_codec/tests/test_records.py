import pytest

from reading import CsvError
from records import (clean_header, column, column_type, convert, group_by,
                     join_on, summarize, to_records, top_values)


def test_clean_header():
    assert clean_header([" First  Name", "AGE"]) == ["first_name", "age"]
    assert clean_header(["", "x"]) == ["column", "x"]


def test_clean_header_numbers_repeats():
    assert clean_header(["a", "A", "b", "a"]) == ["a", "a_2", "b", "a_3"]


def test_to_records():
    assert to_records([["A", "B"], ["1", "2"], ["3"]]) == [
        {"a": "1", "b": "2"}, {"a": "3", "b": ""}]
    assert to_records(iter([["A"]])) == []


def test_to_records_of_nothing():
    assert to_records([]) == []


def test_to_records_too_long_row():
    with pytest.raises(CsvError, match="row 3 is too long"):
        to_records([["a"], ["1"], ["1", "2"]])


def test_convert():
    assert [convert(t) for t in ("12", " -3 ", "2.5", "abc ", "  ")] == [12, -3, 2.5, "abc", None]


def test_column():
    assert column([{"a": 1}, {"b": 2}], "a") == [1, None]
    assert column([{"a": 1}, {"b": 2}], "a", 0) == [1, 0]


def test_column_type():
    assert column_type(["1", "", "2"]) == "int"
    assert column_type(["1", "2.5"]) == "float"
    assert column_type(["1", "x"]) == "text"


def test_column_type_empty():
    assert column_type(["", " "]) == "empty"


def test_summarize():
    assert summarize(["3", "x", "1", "", "4"]) == (3, 1, 4, 2.67)
    assert summarize(["x"]) == (0, None, None, None)


def test_group_by():
    rows = [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}]
    assert group_by(rows, "k") == {"a": [rows[0], rows[2]], "b": [rows[1]]}


def test_top_values():
    assert top_values(["b", "a", "c", "a", "c"]) == [("a", 2)]
    assert top_values(["b", "a", "c", "a", "c"], 2) == [("a", 2), ("c", 2)]


def test_join_on():
    left = [{"id": 2, "n": "x"}, {"id": 9, "n": "y"}, {"id": 1, "n": "z"}]
    right = [{"id": 1, "c": 5}, {"id": 2, "c": 6, "n": "old"}, {"id": 1, "c": 7}]
    assert join_on(left, right, "id") == [
        {"id": 2, "n": "x", "c": 6}, {"id": 1, "n": "z", "c": 5}, {"id": 1, "n": "z", "c": 7}]
