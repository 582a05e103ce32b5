import pytest

from reading import (CsvError, read_rows, sniff_delimiter, split_fields,
                     split_records, unquote_field)


def test_split_records_with_and_without_final_newline():
    assert list(split_records("a\nb\n")) == ["a", "b"]
    assert list(split_records("a\nb")) == ["a", "b"]


def test_split_records_empty_text_and_empty_line():
    assert list(split_records("")) == []
    assert list(split_records("a\n\nb")) == ["a", "", "b"]


def test_split_records_newline_in_quotes():
    assert list(split_records('a,"x\ny"\nb')) == ['a,"x\ny"', "b"]


def test_split_records_open_quote():
    with pytest.raises(CsvError):
        list(split_records('a,"b\n'))


def test_split_fields():
    assert split_fields("a,bc,") == ["a", "bc", ""]
    assert split_fields("") == [""]


def test_split_fields_other_delimiter():
    assert split_fields("a;b,c", ";") == ["a", "b,c"]


def test_split_fields_delimiter_in_quotes():
    assert split_fields('"a,b",c') == ['"a,b"', "c"]
    assert split_fields('x,"a"",b"') == ["x", '"a"",b"']


def test_unquote_field():
    assert unquote_field("abc") == "abc"
    assert unquote_field('"a ""b"" c"') == 'a "b" c'
    assert unquote_field('""') == ""


def test_unquote_field_stray_quote():
    with pytest.raises(CsvError):
        unquote_field('ab"c')


def test_unquote_field_text_after_quote():
    for field in ('"ab"c', '"'):
        with pytest.raises(CsvError):
            unquote_field(field)


def test_read_rows_skips_blank_lines():
    assert list(read_rows('a,b\r\n  \r\n"1",2\r\n')) == [["a", "b"], ["1", "2"]]


def test_read_rows_comments():
    text = "#x\na;b\n#y\n"
    assert list(read_rows(text, ";", comment="#")) == [["a", "b"]]
    assert list(read_rows(text, ";")) == [["#x"], ["a", "b"], ["#y"]]


def test_sniff_delimiter():
    assert sniff_delimiter("a;b;c,d") == ";"
    assert sniff_delimiter('"x|y|z"\tb') == "\t"


def test_sniff_delimiter_tie_takes_first_candidate():
    assert sniff_delimiter("abc") == ","
    assert sniff_delimiter("a|b,c", candidates="|,") == "|"
