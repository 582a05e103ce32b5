"""Rules for repeating dates and their expansion."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from days import add_months, day_of_month, months_between, nth_weekday, shift_months, weeks_between

FREQUENCIES = ("daily", "weekly", "monthly", "yearly")
LAST_DAY = date(2199, 12, 31)


@dataclass(frozen=True)
class Rule:
    """A repeating event.

    `weekdays` is used by weekly rules, `month_days` (day numbers, negative
    from the end) and `nth` (pairs of nth and weekday) by monthly rules.
    """

    frequency: str
    start: date
    interval: int = 1
    weekdays: tuple = ()
    month_days: tuple = ()
    nth: tuple = ()
    until: date = LAST_DAY
    count: int | None = None
    skip: frozenset = frozenset()


def check(rule):
    """Return a list of what is wrong with a rule; empty if it is fine."""
    problems = []
    if rule.frequency not in FREQUENCIES:
        problems.append("unknown frequency")
    if rule.interval < 1:
        problems.append("interval below 1")
    if rule.until < rule.start:
        problems.append("ends before it starts")
    if rule.weekdays and rule.frequency != "weekly":
        problems.append("weekdays need a weekly rule")
    if any(not -31 <= number <= 31 or number == 0 for number in rule.month_days):
        problems.append("bad day of month")
    return problems


def daily_dates(rule):
    span = (rule.until - rule.start).days
    for offset in range(0, span + 1, rule.interval):
        yield rule.start + timedelta(days=offset)


def weekly_dates(rule):
    """Dates in the weeks that count; the week of the start is the first."""
    weekdays = rule.weekdays or (rule.start.weekday(),)
    for offset in range((rule.until - rule.start).days + 1):
        day = rule.start + timedelta(days=offset)
        if day.weekday() in weekdays and weeks_between(rule.start, day) % rule.interval == 0:
            yield day


def dates_in_month(rule, year, month):
    """All dates a monthly rule picks in one month, sorted, without repeats."""
    picked = [day_of_month(year, month, number) for number in rule.month_days]
    picked += [nth_weekday(year, month, weekday, nth) for nth, weekday in rule.nth]
    if not rule.month_days and not rule.nth:
        picked.append(day_of_month(year, month, rule.start.day))
    return sorted({day for day in picked if day is not None})


def monthly_dates(rule):
    for months in range(0, months_between(rule.start, rule.until) + 1, rule.interval):
        year, month = shift_months(rule.start, months)
        for day in dates_in_month(rule, year, month):
            if rule.start <= day <= rule.until:
                yield day


def yearly_dates(rule):
    """The same day each year; 29 February moves to the 28th when needed."""
    for years in range(0, rule.until.year - rule.start.year + 1, rule.interval):
        day = add_months(rule.start, 12 * years)
        if day <= rule.until:
            yield day


def expand(rule):
    """Yield the dates of a rule; skipped dates still use up the count."""
    problems = check(rule)
    if problems:
        raise ValueError("; ".join(problems))
    makers = (daily_dates, weekly_dates, monthly_dates, yearly_dates)
    dates = makers[FREQUENCIES.index(rule.frequency)](rule)
    for day in islice(dates, rule.count):
        if day not in rule.skip:
            yield day


def first_dates(rule, number):
    return list(islice(expand(rule), number))


def dates_between(rule, first, last):
    """Dates of the rule from first to last, both included."""
    found = []
    for day in expand(rule):
        if day > last:
            break
        if day >= first:
            found.append(day)
    return found


def next_date(rule, after):
    """First date later than `after`, or None when the rule has ended."""
    return next((day for day in expand(rule) if day > after), None)


def merge_dates(*rules, limit=100):
    """The first dates of several rules together, sorted, each date once."""
    together = set()
    for rule in rules:
        together.update(first_dates(rule, limit))
    return sorted(together)[:limit]
