from simple import (approval, borda, has_majority, leaders, margin, plurality,
                    shares, standings)


def test_plurality():
    assert plurality([["a", "b"], ["b"], ["a"], []]) == {"a": 2, "b": 1}


def test_approval_all_ranks():
    assert approval([["a", "b"], ["b", "c"]]) == {"a": 1, "b": 2, "c": 1}


def test_approval_first_ranks_only():
    assert approval([["a", "b", "c"], ["c", "a", "b"]], 2) == {"a": 2, "b": 1, "c": 1}


def test_borda():
    assert borda([["a", "b", "c"], ["b", "a"]], ["a", "b", "c"]) == {"a": 3, "b": 3, "c": 0}
    assert borda([], ["a"]) == {"a": 0}


def test_leaders():
    assert leaders({"b": 3, "a": 3, "c": 1}) == ["a", "b"]
    assert leaders({}) == []


def test_has_majority():
    assert has_majority({"a": 3, "b": 2}, "a") is True
    assert has_majority({"a": 2, "b": 2}, "a") is False
    assert has_majority({"a": 1}, "x") is False


def test_standings_share_ranks():
    assert standings({"a": 1, "d": 5, "c": 3, "b": 3}) == [(1, "d", 5), (2, "b", 3), (2, "c", 3), (4, "a", 1)]
    assert standings({}) == []


def test_margin():
    assert margin({"a": 2, "b": 9, "c": 5}) == 4
    assert margin({"a": 7}) == 7
    assert margin({}) == 0


def test_shares():
    assert shares({"a": 1, "b": 2}) == {"a": 33.3, "b": 66.7}
    assert shares({"a": 1, "b": 7}, 2) == {"a": 12.5, "b": 87.5}
    assert shares({"a": 1, "b": 2}, digits=2) == {"a": 33.33, "b": 66.67}
