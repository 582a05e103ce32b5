import pytest

from values import dotted, parse, render, spell, tied, value


def test_dotted():
    assert dotted(48, 0) == 48
    assert dotted(48, 1) == 72
    assert dotted(48, 2) == 84


def test_too_many_dots():
    assert dotted(4, 2) == 7
    with pytest.raises(ValueError, match="too many dots"):
        dotted(4, 3)


def test_plain_values():
    assert [value(symbol) for symbol in "whqes"] == [192, 96, 48, 24, 12]


def test_values_with_dots_and_triplets():
    assert value("h.") == 144
    assert value("q3") == 32
    assert value("e3.") == 24


def test_unknown_values():
    for symbol in ("", "x", "qq", "q4", "q.3"):
        with pytest.raises(ValueError, match="unknown note value"):
            value(symbol)


def test_tied():
    assert tied("h+e") == 120
    assert tied("q. + s") == 84


def test_parse_line():
    assert parse("q e e") == [(0, 48), (48, 24), (72, 24)]
    assert parse("") == []


def test_parse_rests():
    assert parse("-q e -e+q h") == [(48, 24), (144, 96)]


def test_spell():
    assert spell(48) == "q"
    assert spell(240) == "w+q"
    assert spell(180) == "h.+e."


def test_spell_refuses_odd_rests():
    assert spell(0) == ""
    with pytest.raises(ValueError, match="50 ticks"):
        spell(50)


def test_render_fills_with_rests():
    assert render([(48, 24), (120, 60)]) == "-q e -q q+s"


def test_render_sorts_and_refuses_overlaps():
    assert render([(24, 24), (0, 24)]) == "e e"
    with pytest.raises(ValueError, match="overlap"):
        render([(0, 48), (24, 24)])
