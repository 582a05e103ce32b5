import pytest

from cards.deck import Card, Suit, deal, full_deck, read_card, read_cards, sort_hand


def texts(cards):
    return " ".join(str(card) for card in cards)


def test_read_card():
    assert read_card("Qh") == Card("Q", Suit.HEARTS)
    assert read_card("tS") == Card("T", Suit.SPADES)
    assert read_card("10c") == Card("T", Suit.CLUBS)


def test_bad_cards():
    for bad in ("1h", "h", "23c"):
        with pytest.raises(ValueError, match="unknown rank"):
            read_card(bad)
    with pytest.raises(ValueError):
        read_card("Qx")


def test_cards_are_written_as_read():
    assert texts(read_cards("Ah 7d  Tc")) == "Ah 7d Tc"


def test_height():
    assert [card.height for card in read_cards("2c 9c Tc Ac")] == [2, 9, 10, 14]


def test_points():
    assert [card.points for card in read_cards("2c 9c Tc Kc Ac")] == [2, 9, 10, 10, 11]


def test_full_deck():
    deck = list(full_deck())
    assert len(set(deck)) == 52
    assert texts([deck[0], deck[13], deck[-1]]) == "2c 2d As"


def test_short_deck():
    deck = list(full_deck("7"))
    assert len(deck) == 32
    assert str(deck[0]) == "7c"


def test_deal_goes_round():
    hands, rest = deal(read_cards("2c 3c 4c 5c 6c 7c 8c"), 3, 2)
    assert [texts(hand) for hand in hands] == ["2c 5c", "3c 6c", "4c 7c"]
    assert texts(rest) == "8c"


def test_deal_needs_enough_cards():
    hands, rest = deal(read_cards("2c 3c"), 2, 1)
    assert len(hands) == 2 and rest == []
    with pytest.raises(ValueError, match="4 cards wanted, 3 there"):
        deal(read_cards("2c 3c 4c"), 2, 2)


def test_sort_hand():
    assert texts(sort_hand(read_cards("2s Ac 9s Kc 3d"))) == "Ac Kc 3d 9s 2s"


def test_sort_hand_with_trumps_first():
    assert texts(sort_hand(read_cards("2s Ac 9s Kc 3d"), Suit.SPADES)) == "9s 2s Ac Kc 3d"
