import pytest

from ballots import (BallotError, check_ballot, compress, options_of,
                     parse_ballot, turnout, valid_ballots, without)
from ranked import (condorcet_winner, copeland, duel, prefers, runoff_rounds,
                    runoff_winner, weakest)
from seats import (above_threshold, dhondt, highest_quotients,
                   largest_remainder, sainte_lague, smallest_coalitions)
from simple import (approval, borda, has_majority, leaders, margin, plurality,
                    shares, standings)

TEXTS = ["red > blue > green"] * 4 + ["Blue>Green>Red"] * 3 + ["green > blue"] * 2
BALLOTS = [parse_ballot(text) for text in TEXTS]
COLOURS = ["blue", "green", "red"]


def test_parsed_ballots():
    assert options_of(BALLOTS) == COLOURS
    assert compress(BALLOTS) == [
        (("red", "blue", "green"), 4), (("blue", "green", "red"), 3), (("green", "blue"), 2)]


def test_counts_of_sample():
    assert plurality(BALLOTS) == {"red": 4, "blue": 3, "green": 2}
    assert approval(BALLOTS) == {"red": 7, "blue": 9, "green": 9}
    assert approval(BALLOTS, 1) == plurality(BALLOTS)
    assert borda(BALLOTS, COLOURS) == {"blue": 12, "green": 7, "red": 8}


def test_methods_disagree_on_sample():
    assert leaders(plurality(BALLOTS)) == ["red"]
    assert runoff_winner(BALLOTS) == "blue"
    assert condorcet_winner(BALLOTS, COLOURS) == "blue"


def test_rounds_of_sample():
    assert runoff_rounds(BALLOTS) == [{"red": 4, "blue": 3, "green": 2}, {"red": 4, "blue": 5}]
    assert weakest(BALLOTS, COLOURS) == "green"
    assert weakest([], COLOURS) == "red"
    assert runoff_rounds([]) == []


def test_tied_runoff_drops_last_name():
    assert runoff_rounds([["y"], ["x"]]) == [{"y": 1, "x": 1}, {"x": 1}]
    assert runoff_winner([["y", "x"], ["x", "y"]]) == "x"


def test_duels_of_sample():
    assert duel(BALLOTS, "red", "blue") == (4, 5)
    assert duel(BALLOTS, "blue", "red") == (5, 4)
    assert duel(BALLOTS, "green", "purple") == (9, 0)
    assert copeland(BALLOTS, COLOURS) == {"blue": 2, "green": 0, "red": -2}
    assert sum(copeland(BALLOTS, COLOURS + ["none"]).values()) == 0


def test_prefers_is_strict():
    for ballot in BALLOTS:
        assert not (prefers(ballot, "red", "green") and prefers(ballot, "green", "red"))
    assert prefers(["q"], "q", "r") and not prefers([], "q", "r")
    assert not prefers(["q"], "q", "q")


def test_ballot_checks():
    bad = [["red", "red"], ["pink"], [], ["red", "blue", "green"]]
    for ballot in bad:
        with pytest.raises(BallotError):
            check_ballot(ballot, COLOURS, 2)
    assert valid_ballots(bad + [["green", "red"]], COLOURS, 2) == [["green", "red"]]
    assert valid_ballots(bad, COLOURS) == [["red", "blue", "green"]]


def test_without_keeps_order():
    assert without(COLOURS, []) == COLOURS
    assert without(["z", "y", "z", "x"], ["z"]) == ["y", "x"]


def test_turnout():
    assert turnout(2, 3) == 66.7
    assert turnout(1, 8) == 12.5
    for cast, entitled in ((4, 3), (1, -1), (-2, 3)):
        with pytest.raises(ValueError):
            turnout(cast, entitled)


def test_majority_and_margin():
    assert not has_majority(plurality(BALLOTS), "red")
    assert has_majority({"x": 6, "y": 5}, "x")
    assert not has_majority({}, "x")
    assert margin({"x": 3, "y": 3}) == 0
    assert margin(plurality(BALLOTS)) == 1


def test_standings_and_shares():
    assert standings({"x": 2, "y": 2, "w": 2, "v": 0}) == [
        (1, "w", 2), (1, "x", 2), (1, "y", 2), (4, "v", 0)]
    assert shares({"x": 3, "y": 1, "z": 4}) == {"x": 37.5, "y": 12.5, "z": 50.0}
    assert shares({"x": 1, "y": 5}, 3)["x"] == 16.667


def test_seats_sum_up():
    votes = {"p": 411, "q": 353, "r": 171, "s": 65}
    for method in (dhondt, sainte_lague, largest_remainder):
        for seats in (1, 5, 12):
            assert sum(method(votes, seats).values()) == seats


def test_seat_methods():
    votes = {"p": 60, "q": 28, "r": 12}
    assert dhondt(votes, 4) == {"p": 3, "q": 1, "r": 0}
    assert sainte_lague(votes, 5) == {"p": 3, "q": 1, "r": 1}
    assert largest_remainder(votes, 4) == {"p": 2, "q": 1, "r": 1}
    assert highest_quotients(votes, 3, lambda n: 10 ** n) == {"p": 1, "q": 1, "r": 1}


def test_threshold():
    votes = {"p": 20, "q": 3, "r": 2}
    assert above_threshold(votes, 12) == {"p": 20, "q": 3}
    assert above_threshold(votes, 0) == votes
    assert above_threshold(votes, 81) == {}


def test_coalitions():
    assert smallest_coalitions({"p": 3, "q": 3, "r": 2, "s": 2}) == [("p", "q")]
    assert smallest_coalitions({"p": 1, "q": 1, "r": 1, "s": 1, "t": 1})[0] == ("p", "q", "r")
    assert smallest_coalitions({"p": 1}) == [("p",)]
