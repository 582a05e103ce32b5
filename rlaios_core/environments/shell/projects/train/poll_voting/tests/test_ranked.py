from ranked import (condorcet_winner, copeland, duel, prefers, runoff_rounds,
                    runoff_winner, weakest)


def test_weakest():
    assert weakest([["a"], ["a"], ["b"], ["c"], ["c"]], ["a", "b", "c"]) == "b"
    assert weakest([["a"], ["b"], ["c"], ["c"]], ["a", "b", "c"]) == "b"


def test_weakest_counts_missing_as_zero():
    assert weakest([["a"], ["b"]], ["a", "b", "c"]) == "c"


def test_runoff_rounds_stop_at_majority():
    assert runoff_rounds([["a"], ["a"], ["b"]]) == [{"a": 2, "b": 1}]


def test_runoff_rounds_move_votes():
    ballots = [["a"], ["a"], ["b"], ["b"], ["c", "b"]]
    assert runoff_rounds(ballots) == [{"a": 2, "b": 2, "c": 1}, {"a": 2, "b": 3}]


def test_runoff_rounds_with_used_up_ballots():
    ballots = [["a"], ["b"], ["c", "a"], ["d"]]
    assert runoff_rounds(ballots) == [
        {"a": 1, "b": 1, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 1}]
    assert runoff_rounds([["a", "c", "d"], ["b", "c", "d"]]) == [
        {"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 1}]


def test_runoff_winner():
    assert runoff_winner([["a"], ["a"], ["b"], ["b"], ["c", "b"]]) == "b"
    assert runoff_winner([]) is None


def test_prefers():
    assert prefers(["a", "b"], "a", "b") is True
    assert prefers(["b", "a"], "a", "b") is False


def test_prefers_with_unnamed_options():
    assert prefers(["a"], "a", "b") is True
    assert prefers(["b"], "a", "b") is False
    assert prefers(["c"], "a", "b") is False


def test_duel():
    assert duel([["a", "b"], ["b", "a"], ["a"], ["c"]], "a", "b") == (2, 1)


def test_copeland():
    ballots = [["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]]
    assert copeland(ballots, ["a", "b", "c"]) == {"a": 0, "b": 2, "c": -2}


def test_copeland_ties_count_nothing():
    assert copeland([["a", "b"], ["b", "a"]], ["a", "b"]) == {"a": 0, "b": 0}


def test_condorcet_winner():
    assert condorcet_winner([["b", "a"], ["b"], ["a"]], ["a", "b"]) == "b"


def test_condorcet_winner_of_a_circle():
    assert condorcet_winner([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]], ["a", "b", "c"]) is None
