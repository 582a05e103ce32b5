"""Figures derived from the entries of one account."""

from __future__ import annotations

from ledger.accounts import Account, Entry
from ledger.money import format_amount, percent_of


def running_balances(entries: list[Entry], opening: int = 0) -> list[int]:
    balances = []
    current = opening
    for entry in entries:
        current += entry.amount
        balances.append(current)
    return balances


def entries_between(account: Account, first: int, last: int) -> list[Entry]:
    """Entries from first to last day, both included."""
    if first > last:
        raise ValueError("first day is after last day")
    return [entry for entry in account.entries if first <= entry.day <= last]


def statement(account: Account, first: int, last: int) -> list[str]:
    entries = entries_between(account, first, last)
    opening = account.balance_on(first - 1)
    lines = [f"opening {format_amount(opening)}"]
    for entry, balance in zip(entries, running_balances(entries, opening)):
        lines.append(f"{entry.day} {entry.memo} {format_amount(entry.amount)} {format_amount(balance)}")
    return lines


def turnover(entries: list[Entry]) -> tuple[int, int]:
    """Total credits and total debits, both as positive numbers."""
    credits = sum(entry.amount for entry in entries if entry.is_credit())
    debits = sum(-entry.amount for entry in entries if not entry.is_credit())
    return credits, debits


def totals_by_memo(entries: list[Entry]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for entry in entries:
        memo = entry.memo.strip().lower()
        totals[memo] = totals.get(memo, 0) + entry.amount
    return totals


def lowest_balance(account: Account) -> int:
    """Lowest balance ever reached, counting the empty start."""
    return min([0] + running_balances(account.entries))


def balance_days(account: Account, first: int, last: int) -> int:
    """Sum of the daily closing balances that are positive."""
    total = 0
    for day in range(first, last + 1):
        total += max(account.balance_on(day), 0)
    return total


def credit_interest(account: Account, first: int, last: int, yearly_points: int) -> int:
    """Post interest for a period on its last day and return it."""
    interest = percent_of(balance_days(account, first, last), yearly_points) // 365
    if interest > 0:
        account.post(last, interest, "interest")
    return interest


def longest_gap(entries: list[Entry]) -> int:
    """Most days between two neighbouring entries."""
    gaps = [after.day - before.day for before, after in zip(entries, entries[1:])]
    return max(gaps, default=0)
