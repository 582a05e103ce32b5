"""Small date helpers. Weekdays are numbered 0 (Monday) to 6 (Sunday)."""

from datetime import date, timedelta


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    """Number of days in a month."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def shift_months(day, months):
    """The (year, month) that lies `months` after the month of `day`."""
    index = day.year * 12 + day.month - 1 + months
    return index // 12, index % 12 + 1


def add_months(day, months):
    """Same day of another month, or the last day when the month is too short."""
    year, month = shift_months(day, months)
    return date(year, month, min(day.day, month_length(year, month)))


def day_of_month(year, month, number):
    """Date from a day number; -1 is the last day. None if there is no such day."""
    length = month_length(year, month)
    if number < 0:
        number += length + 1
    if not 1 <= number <= length:
        return None
    return date(year, month, number)


def nth_weekday(year, month, weekday, nth):
    """The nth (from the end if negative) given weekday of a month, or None."""
    length = month_length(year, month)
    first = 1 + (weekday - date(year, month, 1).weekday()) % 7
    numbers = list(range(first, length + 1, 7))
    if nth == 0 or abs(nth) > len(numbers):
        return None
    return date(year, month, numbers[nth - 1] if nth > 0 else numbers[nth])


def next_weekday(day, weekday):
    """The first date on or after `day` that falls on the weekday."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def week_start(day):
    """Monday of the week that holds `day`."""
    return day - timedelta(days=day.weekday())


def weeks_between(first, second):
    """How many weeks the week of `second` lies after the week of `first`."""
    return (week_start(second) - week_start(first)).days // 7


def months_between(first, second):
    return (second.year - first.year) * 12 + second.month - first.month


def is_workday(day, holidays=()):
    return day.weekday() < 5 and day not in holidays


def shift_workday(day, holidays=(), step=1):
    """Move in steps of `step` days until a working day is reached."""
    for _ in range(31):
        if is_workday(day, holidays):
            return day
        day += timedelta(days=step)
    raise ValueError("no working day within a month")


def count_workdays(start, end, holidays=()):
    """Working days from start to end, both included."""
    total = 0
    for offset in range((end - start).days + 1):
        if is_workday(start + timedelta(days=offset), holidays):
            total += 1
    return total
