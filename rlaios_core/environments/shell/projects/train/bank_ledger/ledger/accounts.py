"""Accounts and the bank that holds them."""

from __future__ import annotations

from dataclasses import dataclass, field


class InsufficientFunds(Exception):
    pass


@dataclass(frozen=True)
class Entry:
    day: int
    amount: int
    memo: str = ""

    def is_credit(self) -> bool:
        return self.amount > 0


@dataclass
class Account:
    owner: str
    overdraft: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def balance(self) -> int:
        return sum(entry.amount for entry in self.entries)

    def available(self) -> int:
        return self.balance + self.overdraft

    def last_day(self) -> int:
        return self.entries[-1].day if self.entries else 0

    def post(self, day: int, amount: int, memo: str = "") -> Entry:
        """Add an entry; days never go backwards."""
        if day < self.last_day():
            raise ValueError("entry is older than the last one")
        entry = Entry(day, amount, memo)
        self.entries.append(entry)
        return entry

    def deposit(self, day: int, amount: int, memo: str = "deposit") -> Entry:
        if amount <= 0:
            raise ValueError("deposit must be positive")
        return self.post(day, amount, memo)

    def withdraw(self, day: int, amount: int, memo: str = "withdrawal") -> Entry:
        if amount <= 0:
            raise ValueError("withdrawal must be positive")
        if amount > self.available():
            raise InsufficientFunds(self.owner)
        return self.post(day, -amount, memo)

    def balance_on(self, day: int) -> int:
        """Balance at the end of a day."""
        return sum(entry.amount for entry in self.entries if entry.day <= day)


@dataclass
class Bank:
    accounts: dict[str, Account] = field(default_factory=dict)

    def open(self, owner: str, overdraft: int = 0) -> Account:
        if owner in self.accounts:
            raise KeyError(f"{owner} has an account")
        if overdraft < 0:
            raise ValueError("overdraft is negative")
        account = Account(owner, overdraft)
        self.accounts[owner] = account
        return account

    def close(self, owner: str) -> None:
        if self.accounts[owner].balance != 0:
            raise ValueError("balance is not zero")
        del self.accounts[owner]

    def transfer(self, source: str, target: str, day: int, amount: int) -> None:
        if source == target:
            raise ValueError("same account")
        giver, taker = self.accounts[source], self.accounts[target]
        if day < taker.last_day():
            raise ValueError("target has newer entries")
        giver.withdraw(day, amount, f"to {target}")
        taker.deposit(day, amount, f"from {source}")

    def total(self) -> int:
        return sum(account.balance for account in self.accounts.values())

    def richest(self, count: int = 1) -> list[str]:
        """Owners by falling balance, equal ones by name."""
        owners = sorted(self.accounts, key=lambda name: (-self.accounts[name].balance, name))
        return owners[:count]

    def overdrawn(self) -> list[str]:
        return sorted(name for name, account in self.accounts.items() if account.balance < 0)
