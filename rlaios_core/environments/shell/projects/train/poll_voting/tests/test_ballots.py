import pytest

from ballots import (BallotError, check_ballot, compress, options_of,
                     parse_ballot, turnout, valid_ballots, without)


def test_parse_ballot():
    assert parse_ballot("Ann > bob>CY ") == ["ann", "bob", "cy"]
    assert parse_ballot("a > > b") == ["a", "b"]
    assert parse_ballot("") == []


def test_check_ballot_accepts():
    assert check_ballot(["a"], {"a"}) is None
    assert check_ballot(["b", "a"], ["a", "b"], max_ranks=2) is None


def test_check_ballot_empty():
    with pytest.raises(BallotError, match="empty"):
        check_ballot([], {"a"})


def test_check_ballot_repeated_and_unknown():
    with pytest.raises(BallotError, match="twice"):
        check_ballot(["a", "a"], {"a"})
    with pytest.raises(BallotError, match="unknown option: x"):
        check_ballot(["a", "x", "y"], {"a"})


def test_check_ballot_too_many_ranks():
    with pytest.raises(BallotError, match="many"):
        check_ballot(["a", "b"], {"a", "b"}, max_ranks=1)


def test_valid_ballots():
    assert valid_ballots([["a"], [], ["z"], ["b", "a"]], {"a", "b"}) == [["a"], ["b", "a"]]
    assert valid_ballots([["a"], ["b", "a"]], {"a", "b"}, 1) == [["a"]]


def test_options_of():
    assert options_of([["c", "a"], [], ["b", "a"]]) == ["a", "b", "c"]


def test_without():
    assert without(["a", "b", "c"], ["b", "x"]) == ["a", "c"]


def test_compress():
    assert compress([["b"], ["c", "a"], ["a"], ["c", "a"]]) == [(("c", "a"), 2), (("a",), 1), (("b",), 1)]


def test_turnout():
    assert turnout(1, 3) == 33.3
    assert turnout(0, 5) == 0
    assert turnout(5, 5) == 100


def test_turnout_impossible():
    for cast, entitled in ((6, 5), (-1, 5), (0, 0)):
        with pytest.raises(ValueError):
            turnout(cast, entitled)
    assert turnout(1, 1) == 100
