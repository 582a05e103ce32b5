from datetime import date

import pytest

from recurrence import (
    Rule, check, daily_dates, dates_between, dates_in_month, expand, first_dates, merge_dates,
    monthly_dates, next_date, weekly_dates, yearly_dates,
)

JAN1 = date(2024, 1, 1)  # a Monday


def days(dates):
    return [f"{day.month}/{day.day}" for day in dates]


def test_check_accepts_good_rules():
    assert check(Rule("daily", JAN1, until=JAN1)) == []
    assert check(Rule("weekly", JAN1, weekdays=(1,))) == []
    assert check(Rule("monthly", JAN1, month_days=(31, -31))) == []


def test_check_names_every_problem():
    assert check(Rule("hourly", JAN1, interval=0)) == ["unknown frequency", "interval below 1"]
    rule = Rule("daily", JAN1, weekdays=(0,), until=date(2023, 12, 31))
    assert check(rule) == ["ends before it starts", "weekdays need a weekly rule"]


def test_check_month_days():
    for bad in (0, 32, -32):
        assert check(Rule("monthly", JAN1, month_days=(1, bad))) == ["bad day of month"]


def test_daily_dates():
    rule = Rule("daily", JAN1, interval=3, until=date(2024, 1, 7))
    assert days(daily_dates(rule)) == ["1/1", "1/4", "1/7"]
    assert days(daily_dates(Rule("daily", JAN1, until=date(2024, 1, 2)))) == ["1/1", "1/2"]


def test_weekly_dates_on_the_start_weekday():
    rule = Rule("weekly", date(2024, 1, 3), until=date(2024, 1, 17))
    assert days(weekly_dates(rule)) == ["1/3", "1/10", "1/17"]


def test_weekly_dates_every_second_week():
    rule = Rule("weekly", date(2024, 1, 3), interval=2, weekdays=(0, 4), until=date(2024, 1, 30))
    assert days(weekly_dates(rule)) == ["1/5", "1/15", "1/19", "1/29"]


def test_dates_in_month_default_day():
    rule = Rule("monthly", date(2024, 1, 31))
    assert days(dates_in_month(rule, 2024, 3)) == ["3/31"]
    assert dates_in_month(rule, 2024, 4) == []
    assert days(dates_in_month(Rule("monthly", JAN1, month_days=(9,)), 2024, 3)) == ["3/9"]


def test_dates_in_month_sorted_without_repeats():
    rule = Rule("monthly", JAN1, month_days=(-1, 31, 2), nth=((1, 1),))
    assert days(dates_in_month(rule, 2024, 1)) == ["1/2", "1/31"]
    assert days(dates_in_month(Rule("monthly", JAN1, nth=((-1, 0),)), 2024, 1)) == ["1/29"]


def test_monthly_dates_keep_inside_the_limits():
    rule = Rule("monthly", date(2024, 1, 10), month_days=(9, 10, 11), until=date(2024, 2, 10))
    assert days(monthly_dates(rule)) == ["1/10", "1/11", "2/9", "2/10"]


def test_monthly_dates_with_interval():
    rule = Rule("monthly", date(2024, 11, 5), interval=2, until=date(2025, 3, 5))
    assert days(monthly_dates(rule)) == ["11/5", "1/5", "3/5"]


def test_yearly_dates():
    rule = Rule("yearly", date(2024, 2, 29), until=date(2026, 2, 28))
    assert days(yearly_dates(rule)) == ["2/29", "2/28", "2/28"]
    rule = Rule("yearly", date(2024, 5, 2), interval=3, until=date(2030, 5, 1))
    assert [day.year for day in yearly_dates(rule)] == [2024, 2027]


def test_expand_counts_skipped_dates():
    rule = Rule("daily", JAN1, count=3, skip=frozenset({date(2024, 1, 2)}))
    assert days(expand(rule)) == ["1/1", "1/3"]


def test_expand_uses_the_frequency():
    rules = [Rule(name, JAN1, count=2) for name in ("weekly", "monthly", "yearly")]
    assert [list(expand(rule))[1] for rule in rules] == [date(2024, 1, 8), date(2024, 2, 1), date(2025, 1, 1)]


def test_expand_rejects_bad_rules():
    with pytest.raises(ValueError, match="^unknown frequency; interval below 1$"):
        list(expand(Rule("never", JAN1, interval=-1)))


def test_dates_between_includes_both_ends():
    rule = Rule("weekly", JAN1)
    assert days(dates_between(rule, date(2024, 1, 8), date(2024, 1, 22))) == ["1/8", "1/15", "1/22"]
    assert dates_between(rule, date(2023, 12, 1), date(2023, 12, 31)) == []


def test_next_date():
    rule = Rule("monthly", JAN1, count=2)
    assert next_date(rule, date(2023, 6, 1)) == JAN1
    assert next_date(rule, JAN1) == date(2024, 2, 1)
    assert next_date(rule, date(2024, 2, 1)) is None


def test_merge_dates():
    daily = Rule("daily", date(2024, 1, 7))
    assert days(merge_dates(daily, Rule("weekly", JAN1), limit=3)) == ["1/1", "1/7", "1/8"]
    assert len(merge_dates(daily)) == 100
    assert first_dates(daily, 2) == [date(2024, 1, 7), date(2024, 1, 8)]
