from cards.deck import Suit, read_cards
from cards.melds import Meld, best_melds, deadwood, longest_suit, runs, sets


def shown(melds):
    return [" ".join(str(card) for card in meld.cards) for meld in melds]


def test_value_of_a_meld():
    assert Meld("set", tuple(read_cards("Kc Kd Ks"))).value == 30
    assert Meld("run", tuple(read_cards("2c 3c 4c 5c"))).value == 14


def test_long_meld_has_a_bonus():
    assert Meld("run", tuple(read_cards("2c 3c 4c 5c 6c"))).value == 30


def test_sets_by_rank():
    found = list(sets(read_cards("Kc 5c Kd 5d 5s Ks 5h 9c")))
    assert shown(found) == ["5c 5d 5s 5h", "Kc Kd Ks"]
    assert found[0].kind == "set"


def test_pairs_are_no_sets_unless_wanted():
    assert list(sets(read_cards("5c 5d 6c"))) == []
    assert shown(sets(read_cards("5c 5d 6c"), least=2)) == ["5c 5d"]


def test_runs_within_suits():
    found = list(runs(read_cards("7h 5h 6h 2c 4c 3c 9h")))
    assert shown(found) == ["2c 3c 4c", "5h 6h 7h"]
    assert found[0].kind == "run"


def test_runs_with_a_hole():
    assert shown(runs(read_cards("2c 3c 4c 6c 7c 8c 9c Jc"))) == ["2c 3c 4c", "6c 7c 8c 9c"]
    assert list(runs(read_cards("2c 3c 4d 5d"))) == []


def test_short_runs_when_wanted():
    assert shown(runs(read_cards("2c 3c 5c 7c 8c"), least=2)) == ["2c 3c", "7c 8c"]


def test_best_melds_share_no_card():
    assert shown(best_melds(read_cards("Kc Kd Ks Qs Js"))) == ["Kc Kd Ks"]
    assert shown(best_melds(read_cards("3c 3d 3s 4s 5s"))) == ["3s 4s 5s"]


def test_deadwood():
    assert deadwood(read_cards("3c 3d 3s 4s 5s Ah")) == 17
    assert deadwood(read_cards("7c 7d 7s")) == 0


def test_longest_suit():
    assert longest_suit(read_cards("2c 3d 4c")) is Suit.CLUBS
    assert longest_suit(read_cards("9c 2d Ad")) is Suit.DIAMONDS
    assert longest_suit([]) is None


def test_longest_suit_by_points():
    assert longest_suit(read_cards("2c 3c Kd 5d")) is Suit.DIAMONDS
