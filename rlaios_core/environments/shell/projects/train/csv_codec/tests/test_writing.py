from writing import (align_rows, column_widths, format_field, needs_quotes,
                     truncate, write_records, write_row)


def test_needs_quotes_for_special_characters():
    assert [needs_quotes(t) for t in ("a,b", 'a"b', "a\nb", "ab")] == [True, True, True, False]


def test_needs_quotes_for_outer_blanks_and_empty_text():
    assert [needs_quotes(t) for t in (" a", "a ", "a b", "")] == [True, True, False, True]


def test_needs_quotes_other_delimiter():
    assert needs_quotes("a,b", ";") is False
    assert needs_quotes("a;b", ";") is True


def test_format_field_values():
    assert [format_field(v) for v in (None, "", 12, True, False)] == ["", '""', "12", "yes", "no"]


def test_format_field_doubles_quotes():
    assert format_field('a "b"') == '"a ""b"""'
    assert format_field("a;b", ";") == '"a;b"'


def test_write_row():
    assert write_row(["a", None, "b,c"]) == 'a,,"b,c"'
    assert write_row([1, "b,c", "d;"], ";") == '1;b,c;"d;"'


def test_write_records_with_default_names():
    assert write_records([{"a": 1, "b": 2}, {"b": 3}]) == "a,b\n1,2\n,3\n"


def test_write_records_with_names():
    assert write_records([{"a": 1, "b": 2}], ["b", "c"]) == "b,c\n2,\n"
    assert write_records([], ["x"]) == "x\n"


def test_write_records_of_nothing():
    assert write_records([]) == ""


def test_column_widths():
    assert column_widths([["a", "bbb"], ["cc"], ["d", "e", "ffff"]]) == [2, 3, 4]
    assert column_widths([["", "a"]]) == [0, 1]
    assert column_widths([]) == []


def test_align_rows():
    assert align_rows([["id", "name"], ["100", "x"]]) == ["id   name", "100  x"]
    assert align_rows([["a", "b"], ["cc", ""]], gap=1) == ["a  b", "cc"]


def test_truncate():
    assert truncate("abcdef", 6) == "abcdef"
    assert truncate("abcdef", 5) == "abc.."
    assert truncate("abcdef", 3, mark="~") == "ab~"


def test_truncate_narrow():
    assert truncate("abcdef", 2) == "ab"
    assert truncate("abcdef", 3) == "a.."
