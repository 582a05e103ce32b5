import pytest

from reading import (CsvError, read_rows, sniff_delimiter, split_fields,
                     split_records, unquote_field)
from records import (clean_header, column, column_type, convert, group_by,
                     join_on, summarize, to_records, top_values)
from writing import (align_rows, column_widths, format_field, needs_quotes,
                     truncate, write_records, write_row)

TEXT = 'City, Size ,note\nOslo,12,"cold, dark"\nRome,30.5,\n\nNice,,"say ""oui""\nnow"\n'


def test_records_of_text():
    records = to_records(read_rows(TEXT))
    assert column(records, "city") == ["Oslo", "Rome", "Nice"]
    assert column(records, "note") == ["cold, dark", "", 'say "oui"\nnow']
    assert column_type(column(records, "size")) == "float"


def test_row_round_trip():
    for row in (["a", "b c", ""], ['"', ",", "\n"], [" x ", 'y"z', "q,,"]):
        assert list(read_rows(write_row(row))) == [row]
        assert list(read_rows(write_row(row, "|"), "|")) == [row]


def test_records_round_trip():
    records = [{"a": "1", "b": "x,y"}, {"a": 'q"', "b": "z"}]
    assert to_records(read_rows(write_records(records))) == records


def test_split_records_more():
    assert list(split_records("\n")) == [""]
    assert list(split_records('"a""\n"\nz\n')) == ['"a""\n"', "z"]
    with pytest.raises(CsvError):
        list(split_records('"'))


def test_split_and_unquote_fields():
    assert split_fields(',"",', ",") == ["", '""', ""]
    assert [unquote_field(f) for f in split_fields('"x|y"|z', "|")] == ["x|y", "z"]
    for bad in ('"a" ', 'a""', '"a"b"c'):
        with pytest.raises(CsvError):
            unquote_field(bad)


def test_rows_with_comment_word():
    text = "// one\nx\n//\n y // z\n"
    assert list(read_rows(text, comment="//")) == [["x"], [" y // z"]]


def test_sniff():
    assert sniff_delimiter("a\tb,c\td") == "\t"
    assert sniff_delimiter("a|b|c;d;e") == ";"


def test_field_formats():
    assert [format_field(v) for v in (0, -1.5, "x\ny", " ")] == ["0", "-1.5", '"x\ny"', '" "']
    assert needs_quotes("|", "|") and not needs_quotes("|")


def test_records_to_text_with_missing():
    assert write_records([{"x": None, "y": True}, {"x": ""}]) == 'x,y\n,yes\n"",\n'
    assert write_records([{"x": 1}], []) == "\n\n"


def test_alignment():
    rows = [["a", "bb"], ["", "c", "d"]]
    assert column_widths(rows) == [1, 2, 1]
    assert align_rows(rows, 3) == ["a   bb", "    c    d"]
    assert align_rows([]) == []


def test_truncation_lengths():
    assert [truncate("hello", n) for n in range(7)] == ["", "h", "he", "h..", "he..", "hello", "hello"]


def test_headers():
    assert clean_header(["x", "x", "x_2", "x"]) == ["x", "x_2", "x_2_2", "x_3"]
    assert clean_header(["", " "]) == ["column", "column_2"]


def test_long_and_short_rows():
    assert to_records([["p", "q", "r"], []]) == [{"p": "", "q": "", "r": ""}]
    with pytest.raises(CsvError, match="row 2"):
        to_records([["p"], ["1", ""]])


def test_values():
    assert [convert(t) for t in ("007", "1e2", "1,5", "")] == [7, 100.0, "1,5", None]
    assert summarize(["2", "2.5", " ", "-1"]) == (3, -1, 2.5, 1.17)
    assert summarize([]) == (0, None, None, None)
    assert [column_type(c) for c in ([], ["7"], ["", "z"], ["1.0"])] == ["empty", "int", "text", "float"]


def test_groups_and_joins():
    people = [{"n": "a", "t": 1}, {"n": "b", "t": 2}, {"n": "c", "t": 1}]
    teams = [{"t": 1, "name": "red"}, {"t": 3, "name": "blue"}]
    assert [len(g) for g in group_by(people, "t").values()] == [2, 1]
    assert join_on(people, teams, "t") == [
        {"n": "a", "t": 1, "name": "red"}, {"n": "c", "t": 1, "name": "red"}]
    assert join_on(people, [], "t") == []


def test_top_values_more():
    texts = ["q", "p", "p", "r", "q", "q"]
    assert top_values(texts, 5) == [("q", 3), ("p", 2), ("r", 1)]
    assert top_values([]) == []
    assert top_values(texts, 0) == []
