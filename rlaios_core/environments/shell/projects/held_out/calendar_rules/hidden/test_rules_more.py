from datetime import date

import pytest

from recurrence import (
    Rule, check, daily_dates, dates_between, dates_in_month, expand, first_dates, merge_dates,
    monthly_dates, next_date, weekly_dates, yearly_dates,
)
from ruletext import describe, join_words, ordinal, position_name, read_position, read_rule, read_weekday

MAR6 = date(2025, 3, 6)  # a Thursday


def test_check_collects_all_problems():
    rule = Rule("monthly", MAR6, interval=-2, weekdays=(1,), month_days=(40,), until=date(2025, 3, 5))
    assert len(check(rule)) == 4
    assert check(Rule("monthly", MAR6, month_days=(-1, 1))) == []


def test_daily_and_weekly():
    assert [d.day for d in daily_dates(Rule("daily", MAR6, interval=5, until=date(2025, 3, 15)))] == [6, 11]
    rule = Rule("weekly", MAR6, interval=3, weekdays=(2, 3), until=date(2025, 4, 17))
    assert list(weekly_dates(rule)) == [MAR6, date(2025, 3, 26), date(2025, 3, 27), date(2025, 4, 16), date(2025, 4, 17)]


def test_monthly_positions():
    rule = Rule("monthly", MAR6, interval=12, month_days=(-31, 15), nth=((3, 5),), until=date(2026, 3, 15))
    assert list(monthly_dates(rule)) == [date(2025, 3, 15), date(2026, 3, 1), date(2026, 3, 15)]
    assert dates_in_month(rule, 2025, 6) == [date(2025, 6, 15), date(2025, 6, 21)]
    assert first_dates(Rule("monthly", MAR6), 2) == [MAR6, date(2025, 4, 6)]


def test_yearly_end_is_included():
    rule = Rule("yearly", MAR6, interval=2, until=date(2029, 3, 6))
    assert [d.year for d in yearly_dates(rule)] == [2025, 2027, 2029]
    assert list(yearly_dates(Rule("yearly", MAR6, until=date(2026, 3, 5)))) == [MAR6]


def test_dates_between_agrees_with_next_date():
    rule = Rule("monthly", MAR6, nth=((2, 0), (-1, 4)), count=9, skip=frozenset({date(2025, 4, 14)}))
    every = list(expand(rule))
    assert len(every) == 8
    assert every[0] == date(2025, 3, 10)
    assert [next_date(rule, day) for day in every] == every[1:] + [None]
    assert dates_between(rule, every[2], every[5]) == every[2:6]
    assert first_dates(rule, 4) == every[:4]


def test_merge_of_equal_rules():
    rule = Rule("weekly", MAR6)
    assert merge_dates(rule, rule, limit=2) == [MAR6, date(2025, 3, 13)]
    assert merge_dates() == []


def test_expand_raises_for_each_problem():
    for bad in (Rule("Daily", MAR6), Rule("daily", MAR6, interval=0), Rule("yearly", MAR6, weekdays=(3,))):
        with pytest.raises(ValueError):
            first_dates(bad, 1)


@pytest.mark.parametrize("text", [
    "every 4 days until 2026-01-31", "every week on tue", "every 2 months on 31st and last",
    "every month on 1st, 22nd and last sun for 12 times", "every year for 1 time",
])
def test_text_round_trip(text):
    assert describe(read_rule(text, MAR6)) == text


def test_words():
    assert [ordinal(n) for n in (20, 23, 101, 111, 113, 122)] == ["20th", "23rd", "101st", "111th", "113th", "122nd"]
    assert join_words(["x", "y", "z", "w"]) == "x, y, z and w"
    assert [position_name(n) for n in (-1, 1, 12)] == ["last", "1st", "12th"]


def test_reading_pieces():
    assert read_position("3rd Saturday") == (3, 5)
    assert read_weekday("thursday") == 3
    for text in ("every -1 days", "day", "every week on holiday"):
        with pytest.raises(ValueError):
            read_rule(text, MAR6)
