from datetime import date

import pytest

from days import (
    add_months, count_workdays, day_of_month, is_leap, is_workday, month_length, months_between,
    next_weekday, nth_weekday, shift_months, shift_workday, week_start, weeks_between,
)


def test_leap_years():
    assert [y for y in (1900, 2000, 2023, 2024, 2100) if is_leap(y)] == [2000, 2024]


def test_month_lengths():
    assert [month_length(2023, m) for m in range(1, 13)] == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    assert month_length(2024, 2) == 29


def test_shift_months():
    assert shift_months(date(2024, 1, 15), 11) == (2024, 12)
    assert shift_months(date(2024, 1, 15), 12) == (2025, 1)
    assert shift_months(date(2024, 3, 1), -3) == (2023, 12)


def test_add_months():
    assert add_months(date(2024, 5, 15), 2) == date(2024, 7, 15)
    assert add_months(date(2023, 12, 31), 2) == date(2024, 2, 29)


def test_day_of_month_from_both_ends():
    assert day_of_month(2024, 4, 1) == date(2024, 4, 1)
    assert day_of_month(2024, 4, -1) == date(2024, 4, 30)
    assert day_of_month(2024, 4, -30) == date(2024, 4, 1)


def test_day_of_month_that_does_not_exist():
    assert [day_of_month(2024, 4, n) for n in (31, 0, -31)] == [None, None, None]
    assert day_of_month(2024, 4, 30) == date(2024, 4, 30)


def test_nth_weekday():
    # May 2024 starts on a Wednesday and has five Thursdays
    assert nth_weekday(2024, 5, 2, 1) == date(2024, 5, 1)
    assert nth_weekday(2024, 5, 1, 1) == date(2024, 5, 7)
    assert nth_weekday(2024, 5, 3, -2) == date(2024, 5, 23)


def test_nth_weekday_limits():
    assert nth_weekday(2024, 5, 4, 5) == date(2024, 5, 31)
    assert nth_weekday(2024, 5, 4, -5) == date(2024, 5, 3)
    assert [nth_weekday(2024, 5, 4, n) for n in (6, 0, -6)] == [None, None, None]


def test_next_weekday():
    saturday = date(2024, 6, 1)
    assert next_weekday(saturday, 5) == saturday
    assert next_weekday(saturday, 4) == date(2024, 6, 7)


def test_week_start():
    assert week_start(date(2024, 6, 3)) == date(2024, 6, 3)
    assert week_start(date(2024, 6, 2)) == date(2024, 5, 27)


def test_weeks_and_months_between():
    assert weeks_between(date(2024, 6, 2), date(2024, 6, 3)) == 1
    assert weeks_between(date(2024, 6, 3), date(2024, 5, 20)) == -2
    assert months_between(date(2023, 11, 30), date(2025, 1, 1)) == 14


def test_is_workday():
    friday, saturday = date(2024, 6, 7), date(2024, 6, 8)
    assert [is_workday(friday), is_workday(saturday)] == [True, False]
    assert not is_workday(friday, [friday])


def test_shift_workday():
    saturday = date(2024, 6, 8)
    assert shift_workday(saturday) == date(2024, 6, 10)
    assert shift_workday(saturday, {date(2024, 6, 7)}, step=-1) == date(2024, 6, 6)


def test_shift_workday_gives_up_after_a_month():
    monday = date(2024, 7, 1)
    july = [date(2024, 7, n) for n in range(1, 32)]
    assert shift_workday(monday, july[:-1]) == date(2024, 7, 31)
    with pytest.raises(ValueError):
        shift_workday(monday, july)


def test_count_workdays():
    friday, monday = date(2024, 6, 7), date(2024, 6, 10)
    assert count_workdays(friday, monday) == 2
    assert count_workdays(friday, friday, {friday}) == 0
    assert count_workdays(monday, friday) == 0
