from datetime import date, timedelta

import pytest

from days import (
    add_months, count_workdays, day_of_month, is_leap, is_workday, month_length, months_between,
    next_weekday, nth_weekday, shift_months, shift_workday, week_start, weeks_between,
)


def test_leap_years_agree_with_february():
    assert [is_leap(y) for y in (1996, 1800, 2400, 2022, 2028)] == [True, False, True, False, True]
    assert [month_length(y, 2) for y in (1800, 2400)] == [28, 29]
    assert sum(month_length(2100, m) for m in range(1, 13)) == 365


def test_add_months_there_and_back():
    day = date(2021, 8, 17)
    for months in (-25, -8, 0, 4, 5, 24):
        assert add_months(add_months(day, months), -months) == day
        assert months_between(day, add_months(day, months)) == months


def test_month_shift_and_clamp():
    assert shift_months(date(2020, 12, 31), -12) == (2019, 12)
    assert add_months(date(2023, 3, 31), -1) == date(2023, 2, 28)
    assert add_months(date(2023, 1, 30), 3) == date(2023, 4, 30)


def test_days_from_the_end_of_february():
    assert [day_of_month(2023, 2, n) for n in (28, 29, -28, -29)] == [date(2023, 2, 28), None, date(2023, 2, 1), None]
    assert day_of_month(2024, 2, -29) == date(2024, 2, 1)


def test_nth_weekdays_of_a_short_month():
    mondays = [nth_weekday(2021, 2, 0, n) for n in (1, 2, 3, 4)]
    assert mondays == [date(2021, 2, n) for n in (1, 8, 15, 22)]
    assert [nth_weekday(2021, 2, 0, -n) for n in (4, 3, 2, 1)] == mondays
    assert nth_weekday(2021, 2, 0, 5) is None and nth_weekday(2021, 2, 6, -1) == date(2021, 2, 28)


def test_weeks():
    day = date(2020, 12, 31)
    assert [next_weekday(day, w).weekday() for w in range(7)] == list(range(7))
    assert week_start(day) == date(2020, 12, 28)
    assert [weeks_between(day, day + timedelta(days=n)) for n in (-4, -3, 0, 3, 4, 11)] == [-1, 0, 0, 0, 1, 2]


def test_workdays():
    christmas = {date(2023, 12, 25), date(2023, 12, 26)}
    assert shift_workday(date(2023, 12, 23), christmas) == date(2023, 12, 27)
    assert shift_workday(date(2023, 12, 26), christmas, step=-1) == date(2023, 12, 22)
    assert count_workdays(date(2023, 12, 18), date(2023, 12, 31), christmas) == 8
    assert not is_workday(date(2023, 12, 24)) and is_workday(date(2023, 12, 25))


def test_shift_workday_limit_for_longer_steps():
    with pytest.raises(ValueError):
        shift_workday(date(2024, 6, 8), step=7)
