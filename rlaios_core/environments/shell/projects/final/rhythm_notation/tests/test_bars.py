import pytest

from bars import (
    bar_ticks, beat_ticks, is_downbeat, join_ties, legato, parse_meter,
    position, quantize, seconds, split_at_bars, tick_of,
)


def test_parse_meter():
    assert parse_meter("3/4") == (3, 4)
    for bad in ("0/4", "4/5"):
        with pytest.raises(ValueError, match="bad meter"):
            parse_meter(bad)


def test_bar_ticks():
    assert [bar_ticks(meter) for meter in ((4, 4), (3, 4), (6, 8), (2, 2))] == [192, 144, 144, 192]


def test_beat_of_simple_meters():
    assert [beat_ticks(meter) for meter in ((4, 4), (6, 4), (3, 8), (5, 8))] == [48, 48, 24, 24]


def test_beat_of_compound_meters():
    assert beat_ticks((6, 8)) == 72
    assert beat_ticks((9, 16)) == 36


def test_position():
    assert position(0, (3, 4)) == (1, 1, 0)
    assert position(144 + 48 + 5, (3, 4)) == (2, 2, 5)
    assert position(143, (6, 8)) == (1, 2, 71)


def test_tick_of():
    assert tick_of((3, 2, 7), (3, 4)) == 343
    for place in ((0, 1, 0), (1, 0, 0)):
        with pytest.raises(ValueError):
            tick_of(place, (3, 4))


def test_is_downbeat():
    assert is_downbeat(288, (3, 4)) is True
    assert is_downbeat(48, (3, 4)) is False


def test_split_at_bars():
    assert split_at_bars([(0, 48), (120, 72)], (3, 4)) == [(0, 48, False), (120, 24, True), (144, 48, False)]


def test_split_over_a_whole_bar():
    assert split_at_bars([(140, 152)], (3, 4)) == [(140, 4, True), (144, 144, True), (288, 4, False)]


def test_split_keeps_notes_that_end_at_a_bar():
    assert split_at_bars([(96, 48), (144, 144)], (3, 4)) == [(96, 48, False), (144, 144, False)]


def test_join_ties():
    assert join_ties([(0, 5, False), (5, 2, True), (7, 9, True), (16, 1, False)]) == [(0, 5), (5, 12)]
    with pytest.raises(ValueError, match="tied to nothing"):
        join_ties([(0, 5, True)])


def test_quantize():
    assert quantize([(11, 3), (12, 3), (13, 3)], 24) == [(0, 3), (24, 3), (24, 3)]


def test_legato():
    assert legato([(0, 10), (48, 10)], 96) == [(0, 48), (48, 48)]
    assert legato([], 96) == []


def test_seconds_at_one_tempo():
    assert seconds(96, [(0, 120)]) == pytest.approx(1.0)
    assert seconds(0, [(0, 120)]) == 0


def test_seconds_over_a_change():
    tempos = [(0, 60), (96, 120), (192, 30)]
    assert seconds(72, tempos) == pytest.approx(1.5)
    assert seconds(144, tempos) == pytest.approx(2.5)
    assert seconds(240, tempos) == pytest.approx(5.0)
