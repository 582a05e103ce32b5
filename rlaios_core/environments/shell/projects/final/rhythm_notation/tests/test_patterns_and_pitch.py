import pytest

from patterns import accent, euclid, from_marks, gaps, is_syncopated, layer, onsets, rotate, to_marks, to_notes
from pitch import degree, in_scale, invert, name_of, number, transpose, triad


def test_from_marks():
    assert from_marks("x.|X. ") == [1, 0, 2, 0]
    with pytest.raises(ValueError, match="unknown mark: 'o'"):
        from_marks("xo")


def test_to_marks_in_groups():
    assert to_marks([1, 0, 5, 2, 0]) == "x.XX."
    assert to_marks([1, 0, 0, 1, 0], group=2) == "x.|.x|."
    assert to_marks([1, 0, 2], group=1) == "x|.|X"


def test_euclid():
    assert to_marks(euclid(3, 8)) == "x..x..x."
    assert euclid(4, 4) == [1, 1, 1, 1]
    assert euclid(0, 2) == [0, 0]
    with pytest.raises(ValueError):
        euclid(5, 4)


def test_rotate():
    assert rotate([1, 2, 3, 4], 1) == [2, 3, 4, 1]
    assert rotate([1, 2, 3, 4], -1) == [4, 1, 2, 3]
    assert rotate([1, 2, 3, 4], 6) == [3, 4, 1, 2]
    assert rotate([], 3) == []


def test_onsets_and_gaps_round_the_end():
    assert onsets([0, 1, 0, 2, 0, 0]) == [1, 3]
    assert gaps([0, 1, 0, 2, 0, 0]) == [2, 4]
    assert gaps([0, 0]) == []


def test_layer_repeats_the_shorter():
    assert layer([1, 0], [0, 0, 2, 0]) == [1, 0, 2, 0]
    assert layer([], [1, 0]) == [1, 0]
    assert layer([2, 0], []) == [2, 0]


def test_accent():
    assert accent([1, 1, 0, 1, 2], 2) == [2, 1, 0, 1, 3]


def test_is_syncopated():
    assert is_syncopated(from_marks("x.x. ...."), 4) is True
    assert is_syncopated(from_marks("..x. x..."), 4) is False
    assert is_syncopated(from_marks("x... x..x"), 4) is False


def test_to_notes_with_swing():
    assert to_notes([1, 1, 0, 1]) == [(0, 12), (12, 12), (36, 12)]
    assert to_notes([1, 1], 24, swing=8) == [(0, 24), (32, 16)]


def test_pitch_numbers():
    assert [number(name) for name in ("c4", "A4", "f#3", "bb-1", "c##4")] == [60, 69, 54, 10, 62]
    assert [name_of(pitch) for pitch in (60, 70, 11)] == ["c4", "a#4", "b-1"]
    with pytest.raises(ValueError, match="unknown pitch"):
        number("h2")


def test_degrees_of_a_scale():
    assert [degree(60, "major", count) for count in (1, 3, 7, 8, 10)] == [60, 64, 71, 72, 76]
    assert triad(57, "minor", 1) == [57, 60, 64]
    assert [in_scale(pitch, 57, "minor") for pitch in (48, 49, 53, 57)] == [True, False, True, True]


def test_transpose_and_invert():
    assert transpose([60, 66], 5, high=70) == [65, 59]
    assert transpose([60, 62], -3, low=58) == [69, 59]
    assert invert([67, 60, 64], 1) == [64, 67, 72]
