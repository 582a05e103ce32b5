import pytest

from cards.deck import Suit, read_card, read_cards
from cards.match import Bid, Match, tricks_taken
from cards.tricks import IllegalPlay, Trick, choose, play_out


def trick(cards, leader=0, players=4, trump=None):
    return Trick(leader, players, trump, read_cards(cards))


def texts(cards):
    return " ".join(str(card) for card in cards)


def test_turn_goes_round():
    assert trick("").turn == 0
    assert trick("2c 3c", leader=3).turn == 1


def test_complete():
    assert trick("2c 3c 4c").is_complete is False
    assert trick("2c 3c 4c", players=3).is_complete is True
    assert trick("2c 3c 4c", players=3).points == 9


def test_strength():
    open_trick = trick("5h", trump=Suit.CLUBS)
    assert [open_trick.strength(card) for card in read_cards("2c Ah 3h As")] == [102, 14, 3, 0]


def test_highest_of_the_led_suit_wins():
    assert trick("9h Jh As Th", leader=2).winner() == 3
    assert trick("9h Jh", leader=3).winner() == 0


def test_trump_wins():
    assert trick("Ah 2c Kh 3c", trump=Suit.CLUBS).winner() == 3


def test_nobody_wins_an_empty_trick():
    with pytest.raises(IllegalPlay, match="no card"):
        trick("").best()


def test_legal_follows_suit_then_trumps():
    hand = read_cards("2c 9h 4h As")
    assert texts(trick("3h", trump=Suit.CLUBS).legal(hand)) == "9h 4h"
    assert texts(trick("3d", trump=Suit.CLUBS).legal(hand)) == "2c"


def test_all_is_legal_for_the_leader_and_without_trumps():
    hand = read_cards("2c 9h As")
    assert texts(trick("", trump=Suit.CLUBS).legal(hand)) == "2c 9h As"
    assert texts(trick("3d").legal(hand)) == "2c 9h As"


def test_play_moves_the_card():
    table, hand = trick("3h"), read_cards("2c 9h")
    table.play(read_card("9h"), hand)
    assert (texts(table.played), texts(hand)) == ("3h 9h", "2c")


def test_illegal_plays():
    hand = read_cards("2c 9h")
    with pytest.raises(IllegalPlay, match="follow"):
        trick("3h").play(read_card("2c"), hand)
    with pytest.raises(IllegalPlay, match="not in the hand"):
        trick("3h").play(read_card("Th"), hand)
    with pytest.raises(IllegalPlay, match="complete"):
        trick("3h 4h", players=2).play(read_card("9h"), hand)


def test_choose_wins_cheaply_or_throws_away():
    assert str(choose(trick("9h"), read_cards("Ah Th 2h"))) == "Th"
    assert str(choose(trick("Ah"), read_cards("Kh Th 4h"))) == "4h"
    assert str(choose(trick(""), read_cards("4h Kc 9s"))) == "Kc"


def test_play_out_lets_the_winner_lead():
    hands = [read_cards("2h 9c"), read_cards("Kh 3c")]
    played = list(play_out(hands))
    assert [(one.leader, texts(one.played), one.winner()) for one in played] == [(0, "9c 3c", 0), (0, "2h Kh", 1)]
    assert tricks_taken(played, 3) == [1, 1, 0]


def test_bid_score():
    assert Bid(0, 3).score(3) == 30
    assert Bid(0, 3).score(5) == 32
    assert Bid(0, 3).score(2) == -30
    assert Bid(0, 3, doubled=True).score(4) == 62


def test_record_and_totals():
    match = Match(["ann", "bo", "cy"])
    assert match.record([Bid(1, 2)], [1, 3, 0]) == [1, 21, 0]
    match.record([Bid(2, 4, True)], [0, 1, 3])
    assert match.totals == [1, 22, -80]
    with pytest.raises(ValueError, match="every player"):
        match.record([], [1, 2])


def test_match_needs_a_single_winner():
    match = Match(["ann", "bo"], goal=20, deals=[[20, 20]])
    assert match.is_over is False
    match.record([], [0, 1])
    assert match.is_over is True
    with pytest.raises(ValueError, match="over"):
        match.record([], [1, 0])
    assert Match(["ann", "bo"], goal=20, deals=[[19, 3]]).is_over is False
    assert [Match(["ann"], deals=[[points]]).is_over for points in (99, 100)] == [False, True]


def test_dealer_rotates():
    match = Match(["ann", "bo"])
    assert match.dealer == "ann"
    match.record([], [1, 2])
    assert match.dealer == "bo"


def test_standings_share_places():
    match = Match(["ann", "bo", "cy", "di"], deals=[[5, 9, 5, 2]])
    assert list(match.standings()) == [(1, "bo", 9), (2, "ann", 5), (2, "cy", 5), (4, "di", 2)]
