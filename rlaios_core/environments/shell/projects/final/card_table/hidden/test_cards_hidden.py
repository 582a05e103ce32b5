import pytest

from cards.deck import RANKS, Suit, deal, full_deck, read_card, read_cards, sort_hand
from cards.match import Bid, Match, tricks_taken
from cards.melds import Meld, best_melds, deadwood, longest_suit, runs, sets
from cards.tricks import IllegalPlay, Trick, choose, play_out


def texts(cards):
    return " ".join(str(card) for card in cards)


def test_every_card_is_read_back():
    for card in full_deck():
        assert read_card(str(card)) == card
        assert read_card(str(card).lower()) == card
    for bad in ("", "c", "11d", "Zs"):
        with pytest.raises(ValueError):
            read_card(bad)


def test_heights_and_points_of_a_suit():
    suit = list(full_deck())[:13]
    assert [card.height for card in suit] == list(range(2, 15))
    assert sum(card.points for card in suit) == 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 * 4 + 11


def test_short_decks():
    for at, lowest in enumerate(RANKS):
        assert len(list(full_deck(lowest))) == 4 * (13 - at)


def test_deal_keeps_all_cards():
    deck = list(full_deck())
    for players, each in ((4, 13), (3, 5), (5, 10), (2, 0)):
        hands, rest = deal(deck, players, each)
        assert [len(hand) for hand in hands] == [each] * players
        assert set(sum(hands, rest)) == set(deck) and len(sum(hands, rest)) == 52
    assert texts(deal(deck, 4, 2)[0][3]) == "5c 9c"


def test_sorting_a_whole_deck():
    cards = sort_hand(full_deck(), Suit.HEARTS)
    assert texts(cards[:2] + cards[12:14] + cards[-1:]) == "Ah Kh 2h Ac 2s"


def test_meld_values_at_the_bonus():
    values = [Meld("run", tuple(read_cards("6d 7d 8d 9d Td Jd")[:size])).value for size in (3, 4, 5, 6)]
    assert values == [21, 30, 50, 60]


def test_sets_and_runs_of_a_deck():
    deck = list(full_deck())
    assert [len(meld.cards) for meld in sets(deck)] == [4] * 13
    assert [len(meld.cards) for meld in runs(deck)] == [13] * 4
    assert list(sets(deck, least=5)) == [] and list(runs([])) == []


def test_runs_end_at_the_limits():
    assert [texts(meld.cards) for meld in runs(read_cards("As Ks Qs 2s 3s 9d Jd Td"))] == ["9d Td Jd", "Qs Ks As"]
    assert [texts(meld.cards) for meld in runs(read_cards("2h 4h 5h 6h"))] == ["4h 5h 6h"]


def test_best_melds_and_deadwood_agree():
    hand = read_cards("4c 4d 4h 5h 6h 7h 8h Qs 2c 2d 2s")
    chosen = best_melds(hand)
    assert [(meld.kind, meld.value) for meld in chosen] == [("run", 40), ("set", 6)]
    assert deadwood(hand) == 4 + 4 + 10
    assert deadwood([]) == 0 and best_melds(read_cards("2c 9d")) == []


def test_longest_suit_ties():
    assert longest_suit(read_cards("Ah 2s 3s 4s")) is Suit.SPADES
    assert longest_suit(read_cards("Ah 4h Ks 9s 2d")) is Suit.SPADES


def test_led_suit_and_trump_compete():
    trick = Trick(1, 4, Suit.SPADES, read_cards("Kd Ad 2s"))
    assert (trick.turn, trick.winner(), trick.led, trick.points) == (0, 3, Suit.DIAMONDS, 23)
    assert [trick.strength(card) for card in read_cards("As 2d Ac")] == [114, 2, 0]
    assert Trick(0).led is None and Trick(0).points == 0


def test_legal_without_led_suit_or_trump():
    trick = Trick(0, 3, Suit.SPADES, read_cards("Kd"))
    assert texts(trick.legal(read_cards("2c 3h"))) == "2c 3h"
    assert texts(trick.legal(read_cards("2c 3s 4d 9s"))) == "4d"
    with pytest.raises(IllegalPlay):
        trick.play(read_card("2c"), read_cards("2c 3s"))


def test_choose_with_trumps():
    trick = Trick(0, 3, Suit.SPADES, read_cards("Kd 4s"))
    assert str(choose(trick, read_cards("As 5s 2s 9c"))) == "5s"
    assert str(choose(trick, read_cards("3s 2s"))) == "2s"
    assert str(choose(trick, read_cards("Qh 9c Tc"))) == "9c"
    assert str(choose(trick, read_cards("Qh Kc Th"))) == "Th"


def test_play_out_uses_every_card_once():
    deck = list(full_deck())
    hands, _ = deal(deck[::3] + deck[1::3] + deck[2::3], 4, 13)
    played = list(play_out(hands, leader=2, trump=Suit.CLUBS))
    assert len(played) == 13 and played[0].leader == 2
    assert {card for trick in played for card in trick.played} == set(deck)
    assert [trick.leader for trick in played[1:]] == [trick.winner() for trick in played[:-1]]
    assert sum(tricks_taken(played, 4)) == 13 and all(len(hand) == 13 for hand in hands)


def test_bids_of_zero_and_doubled_losses():
    assert [Bid(0, 0).score(taken) for taken in (0, 2)] == [0, 2]
    assert Bid(1, 2, doubled=True).score(0) == -40


def test_a_match_to_its_end():
    match = Match(["ann", "bo", "cy"], goal=30)
    match.record([Bid(0, 3), Bid(2, 3)], [3, 0, 3])
    assert (match.totals, match.is_over, match.dealer) == ([30, 0, 30], False, "bo")
    match.record([Bid(0, 1)], [0, 2, 1])
    assert (match.totals, match.is_over, match.dealer) == ([20, 2, 31], True, "cy")
    assert list(match.standings()) == [(1, "cy", 31), (2, "ann", 20), (3, "bo", 2)]
    with pytest.raises(ValueError, match="over"):
        match.record([], [0, 0, 0])
    assert Match(["x"]).totals == [0] and Match(["x"]).goal == 100


def test_a_match_that_goes_on():
    match = Match(["ann", "bo"], goal=10, deals=[[9, 4]])
    assert match.is_over is False
    for taken in ([1], [1, 2, 3], []):
        with pytest.raises(ValueError, match="every player"):
            match.record([], taken)
    assert match.record([Bid(1, 1, True)], [1, 2]) == [1, 22] and match.is_over is True


def test_standings_of_a_new_match():
    assert list(Match(["b", "a"]).standings()) == [(1, "b", 0), (1, "a", 0)]
