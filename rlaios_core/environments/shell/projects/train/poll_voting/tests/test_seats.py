from seats import (above_threshold, dhondt, highest_quotients,
                   largest_remainder, sainte_lague, smallest_coalitions)


def test_above_threshold_includes_exact_share():
    assert above_threshold({"a": 90, "b": 5, "c": 4, "d": 1}, 5) == {"a": 90, "b": 5}
    assert above_threshold({"a": 9502, "b": 498}, 5) == {"a": 9502}


def test_highest_quotients_with_equal_divisors():
    assert highest_quotients({"b": 5, "a": 5, "c": 1}, 2, lambda n: 1) == {"b": 0, "a": 2, "c": 0}


def test_dhondt():
    assert dhondt({"a": 100, "b": 80, "c": 30}, 6) == {"a": 3, "b": 2, "c": 1}
    assert dhondt({"a": 10, "b": 4}, 2) == {"a": 2, "b": 0}
    assert dhondt({"a": 1}, 0) == {"a": 0}


def test_sainte_lague():
    assert sainte_lague({"a": 100, "b": 80, "c": 30}, 6) == {"a": 3, "b": 2, "c": 1}
    assert sainte_lague({"a": 10, "b": 4}, 2) == {"a": 1, "b": 1}


def test_largest_remainder():
    assert largest_remainder({"a": 47, "b": 16, "c": 37}, 10) == {"a": 5, "b": 1, "c": 4}
    assert largest_remainder({"b": 1, "a": 1}, 3) == {"b": 1, "a": 2}


def test_smallest_coalitions():
    assert smallest_coalitions({"c": 2, "b": 4, "a": 5}) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert smallest_coalitions({"c": 1, "b": 2, "a": 4}) == [("a",)]


def test_smallest_coalitions_need_more_than_half():
    assert smallest_coalitions({"a": 2, "b": 1, "c": 1}) == [("a", "b"), ("a", "c")]
    assert smallest_coalitions({"a": 1, "b": 1, "c": 1, "d": 1}) == [
        ("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d"), ("b", "c", "d")]
    assert smallest_coalitions({}) == []
