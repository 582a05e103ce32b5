from datetime import date

import pytest

from recurrence import Rule
from ruletext import describe, join_words, ordinal, position_name, read_position, read_rule, read_weekday

START = date(2024, 1, 1)


def test_ordinal_and_position_name():
    assert [ordinal(n) for n in (1, 2, 3, 4, 10)] == ["1st", "2nd", "3rd", "4th", "10th"]
    assert [ordinal(n) for n in (11, 13, 14, 112, 21)] == ["11th", "13th", "14th", "112th", "21st"]
    assert [position_name(-1), position_name(1)] == ["last", "1st"]


def test_join_words():
    assert [join_words([]), join_words(["a"])] == ["", "a"]
    assert join_words(["a", "b"]) == "a and b"
    assert join_words(["a", "b", "c"]) == "a, b and c"


def test_read_weekday_and_position():
    assert [read_weekday(" Monday "), read_weekday("SUN")] == [0, 6]
    with pytest.raises(ValueError):
        read_weekday("noon")
    assert read_position("22nd") == (22, None)
    assert read_position("last friday") == (-1, 4)


def test_read_plain_rule():
    assert read_rule("Every  day", START) == Rule("daily", START)
    with pytest.raises(ValueError):
        read_rule("every fortnight", START)


def test_read_rule_with_all_parts():
    rule = read_rule("every 2 weeks on Wed, fri and mon until 2024-03-01 for 5 times", START)
    assert rule == Rule("weekly", START, interval=2, weekdays=(0, 2, 4), until=date(2024, 3, 1), count=5)


def test_read_monthly_rule():
    rule = read_rule("every month on 1st, last and 2nd tue for 1 time", START)
    assert rule == Rule("monthly", START, month_days=(1, -1), nth=((2, 1),), count=1)


def test_describe_intervals_and_ends():
    assert describe(Rule("yearly", START)) == "every year"
    assert describe(Rule("daily", START, interval=3, count=1)) == "every 3 days for 1 time"
    assert describe(Rule("daily", START, until=START, count=2)) == "every day until 2024-01-01 for 2 times"


def test_describe_places():
    assert describe(Rule("weekly", START, weekdays=(0, 6))) == "every week on mon and sun"
    rule = Rule("monthly", START, month_days=(3, -1), nth=((1, 4),))
    assert describe(rule) == "every month on 3rd, last and 1st fri"
