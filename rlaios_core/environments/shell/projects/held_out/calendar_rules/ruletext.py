"""Rules as text, such as "every 2 weeks on mon, fri until 2024-06-30"."""

import re
from datetime import date

from recurrence import FREQUENCIES, LAST_DAY, Rule

WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
UNITS = ["day", "week", "month", "year"]

_RULE = re.compile(
    r"every (?:(\d+) )?(day|week|month|year)s?"
    r"(?: on (.+?))?(?: until (\S+))?(?: for (\d+) times?)?"
)


def ordinal(number):
    """1 becomes "1st", 12 becomes "12th"."""
    if 10 < number % 100 < 14:
        return f"{number}th"
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def join_words(words):
    """Join as in "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def read_weekday(word):
    """Number of a weekday; only the first three letters matter."""
    return WEEKDAYS.index(word.strip().lower()[:3])


def read_position(text):
    """Read "15th", "last" or "2nd tue" as (number, weekday or None)."""
    first, *rest = text.split()
    number = -1 if first == "last" else int(first.rstrip("stndrh"))
    return number, read_weekday(rest[0]) if rest else None


def read_rule(text, start):
    """Build a rule from text; the start date is given apart."""
    found = _RULE.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise ValueError(f"not a rule: {text}")
    interval, unit, places, until, count = found.groups()
    frequency = FREQUENCIES[UNITS.index(unit)]
    parts = re.split(r", | and ", places) if places else []
    weekdays, month_days, nth = [], [], []
    if frequency == "weekly":
        weekdays = sorted(read_weekday(part) for part in parts)
    else:
        for number, weekday in map(read_position, parts):
            if weekday is None:
                month_days.append(number)
            else:
                nth.append((number, weekday))
    return Rule(
        frequency,
        start,
        interval=int(interval or 1),
        weekdays=tuple(weekdays),
        month_days=tuple(month_days),
        nth=tuple(nth),
        until=date.fromisoformat(until) if until else LAST_DAY,
        count=int(count) if count else None,
    )


def position_name(number):
    return "last" if number == -1 else ordinal(number)


def describe(rule):
    """The text of a rule, without start and skipped dates."""
    unit = UNITS[FREQUENCIES.index(rule.frequency)]
    text = f"every {unit}" if rule.interval == 1 else f"every {rule.interval} {unit}s"
    places = [WEEKDAYS[weekday] for weekday in rule.weekdays]
    places += [position_name(number) for number in rule.month_days]
    places += [f"{position_name(number)} {WEEKDAYS[weekday]}" for number, weekday in rule.nth]
    if places:
        text += " on " + join_words(places)
    if rule.until != LAST_DAY:
        text += f" until {rule.until.isoformat()}"
    if rule.count is not None:
        text += f" for {rule.count} time" + ("s" if rule.count > 1 else "")
    return text
