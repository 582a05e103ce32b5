import pytest

from bars import (
    bar_ticks, beat_ticks, is_downbeat, join_ties, legato, parse_meter,
    position, quantize, seconds, split_at_bars, tick_of,
)
from patterns import accent, euclid, from_marks, gaps, is_syncopated, layer, onsets, rotate, to_marks, to_notes
from pitch import degree, in_scale, invert, name_of, number, transpose, triad
from values import dotted, parse, render, spell, tied, value

METERS = [(2, 4), (4, 4), (6, 8), (7, 8), (12, 8), (3, 2), (9, 16)]


def test_dots_add_halves():
    assert [dotted(192, dots) for dots in range(4)] == [192, 288, 336, 360]
    assert value("w..") == 336 and value("s3") == 8
    with pytest.raises(ValueError):
        dotted(7, 1)


def test_spelling_adds_up():
    for ticks in range(12, 600, 12):
        assert tied(spell(ticks)) == ticks
    assert [spell(ticks) for ticks in (12, 36, 72, 288, 300)] == ["s", "e.", "q.", "w.", "w.+s"]
    with pytest.raises(ValueError):
        spell(7)


def test_render_and_parse_round_trip():
    for line in ("q e e h", "-h q. s s -e q", "w+q -s e.", ""):
        assert render(parse(line)) == line


def test_parse_with_triplets():
    assert parse("q3 q3 q3 -e3 e3") == [(0, 32), (32, 32), (64, 32), (112, 16)]
    with pytest.raises(ValueError):
        parse("q z")


def test_meters():
    assert [bar_ticks(meter) for meter in METERS] == [96, 192, 144, 168, 288, 288, 108]
    assert [beat_ticks(meter) for meter in METERS] == [48, 48, 72, 24, 72, 96, 36]
    assert parse_meter("1/16") == (1, 16)
    with pytest.raises(ValueError):
        parse_meter("-3/8")


def test_positions_lead_back():
    for meter in METERS:
        for tick in range(0, 700, 7):
            place = position(tick, meter)
            assert tick_of(place, meter) == tick
            assert (place[1:] == (1, 0)) == is_downbeat(tick, meter)


def test_split_and_join_round_trip():
    notes = [(0, 500), (500, 76), (580, 1), (600, 900)]
    for meter in METERS:
        pieces = split_at_bars(notes, meter)
        assert join_ties(pieces) == notes
        assert all(position(start, meter)[0] == position(start + length - 1, meter)[0] for start, length, _ in pieces)
    assert split_at_bars([(5, 0)], (4, 4)) == [] and join_ties([]) == []


def test_quantize_grids():
    assert quantize([(0, 1), (5, 2), (6, 3), (17, 4), (18, 5)], 12) == [(0, 1), (0, 2), (12, 3), (12, 4), (24, 5)]
    assert quantize([(4, 1), (5, 1)], 9) == [(0, 1), (9, 1)]


def test_legato_leaves_no_holes():
    made = legato([(6, 1), (20, 90), (50, 2)], 64)
    assert made == [(6, 14), (20, 30), (50, 14)]


def test_seconds_add_up():
    tempos = [(0, 100), (48, 50), (144, 200)]
    assert [round(seconds(tick, tempos), 3) for tick in (24, 48, 96, 144, 192)] == [0.3, 0.6, 1.8, 3.0, 3.3]
    for bad in ([], [(1, 60)]):
        with pytest.raises(ValueError, match="first tempo"):
            seconds(10, bad)


def test_marks_round_trip():
    for text in ("x..X|.xx.", "....|x", "X"):
        assert to_marks(from_marks(text), 4) == text
    assert to_marks([3, 1, 0], 0) == "Xx." and to_marks([1, 1], 1) == "x|x"
    assert to_marks([0, 1, 2]) == ".xX" and from_marks("") == []
    with pytest.raises(ValueError):
        from_marks("x.-x")


def test_euclid_counts_and_evenness():
    for steps in range(1, 17):
        for pulses in range(1, steps + 1):
            made = euclid(pulses, steps)
            assert made[0] == 1 and len(made) == steps and sum(made) == pulses
            assert max(gaps(made)) - min(gaps(made)) <= 1
    with pytest.raises(ValueError):
        euclid(-1, 4)
    assert euclid(0, 0) == []


def test_rotations_come_round():
    steps = [3, 0, 1, 0, 0]
    for count in range(-6, 7):
        assert rotate(rotate(steps, count), -count) == steps
    assert rotate(steps, 7) == [1, 0, 0, 3, 0]
    assert onsets(rotate(steps, -1)) == [1, 3]
    assert rotate([], 2) == [] and gaps([0, 0, 0]) == [] and gaps([0, 2]) == [2]


def test_layers_and_accents():
    assert layer([1, 0, 0], [0, 2]) == [1, 2, 0]
    assert layer([], [0, 3]) == [0, 3] and layer([1, 0], []) == [1, 0] and layer([], []) == []
    assert accent([1, 0, 1, 2, 0, 1], 3) == [2, 0, 1, 3, 0, 1]


def test_syncopation_round_the_end():
    assert is_syncopated(from_marks(".... ...x"), 4) is True
    assert is_syncopated(from_marks("x... ...x"), 4) is False
    assert is_syncopated(from_marks("x... x..."), 4) is False
    assert is_syncopated(from_marks("xx x. .."), 2) is False
    assert is_syncopated(from_marks("xx .x x."), 2) is True


def test_swing_keeps_the_ends():
    notes = to_notes([1, 1, 1, 2], 30, 10)
    assert notes == [(0, 30), (40, 20), (60, 30), (100, 20)]
    assert to_notes([0, 0]) == [] and to_notes([0, 1, 1]) == [(12, 12), (24, 12)]


def test_pitch_names_round_trip():
    for pitch in range(0, 128):
        assert number(name_of(pitch)) == pitch
    assert [name_of(pitch) for pitch in (0, 60, 61, 71)] == ["c-1", "c4", "c#4", "b4"]
    assert number("Cb4") == 59


def test_scales():
    assert [pitch for pitch in range(60, 73) if in_scale(pitch, 62, "major")] == [61, 62, 64, 66, 67, 69, 71]
    assert [degree(57, "minor", count) for count in range(-1, 4)] == [53, 55, 57, 59, 60]
    assert triad(60, "major", 5) == [67, 71, 74]


def test_chords_move():
    assert invert([60, 64, 67], 0) == [60, 64, 67]
    assert invert([60, 64, 67], 4) == [76, 79, 84]
    assert transpose([0, 127], 1) == [1, 116]
    assert transpose([60], 40, high=80) == [76] and transpose([60], 20, high=80) == [80]
    assert transpose([5], -30, low=0) == [11] and transpose([12], -12) == [0]
