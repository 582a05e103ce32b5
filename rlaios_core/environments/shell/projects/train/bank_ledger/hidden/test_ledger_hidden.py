import unittest

from ledger import Account, Bank, InsufficientFunds
from ledger.accounts import Entry
from ledger.money import (format_amount, parse_amount, percent_of,
                          split_evenly, tiered_fee)
from ledger.statements import (balance_days, credit_interest, entries_between,
                               longest_gap, lowest_balance, running_balances,
                               statement, totals_by_memo, turnover)


def sample():
    account = Account("zoe", 2000)
    account.deposit(3, 5000, "Salary")
    account.withdraw(3, 1200, "rent")
    account.withdraw(10, 4500, " Rent")
    account.deposit(12, 999)
    return account


class MoneyHidden(unittest.TestCase):
    def test_format_parse_round_trip(self):
        for cents in (0, 5, -99, 100, -123456, 10000000):
            self.assertEqual(parse_amount(format_amount(cents)), cents)

    def test_parse_rejects(self):
        for text in ("--1", ".5", "1 2", "7.001"):
            with self.assertRaises(ValueError):
                parse_amount(text)

    def test_split_sums_up(self):
        for parts in (1, 2, 7, 10):
            shares = split_evenly(1003, parts)
            self.assertEqual((sum(shares), len(shares)), (1003, parts))
            self.assertLessEqual(max(shares) - min(shares), 1)
        self.assertEqual(split_evenly(2, 3), [1, 1, 0])
        with self.assertRaises(ValueError):
            split_evenly(2, -1)

    def test_percent(self):
        self.assertEqual([percent_of(c, 2500) for c in (1, 2, 3, 4)], [0, 1, 1, 1])

    def test_tiered_fee(self):
        tiers = [(10000, 200), (50000, 100)]
        self.assertEqual(tiered_fee(10000, tiers, 10), 200)
        self.assertEqual(tiered_fee(10100, tiers, 10), 201)
        self.assertEqual(tiered_fee(150000, tiers, 10), 700)


class AccountHidden(unittest.TestCase):
    def test_sample_balance(self):
        account = sample()
        self.assertEqual((account.balance, account.available(), account.last_day()), (299, 2299, 12))
        self.assertEqual([account.balance_on(d) for d in (2, 3, 9, 10, 12)], [0, 3800, 3800, -700, 299])

    def test_refused_actions_leave_no_entry(self):
        account = sample()
        with self.assertRaises(InsufficientFunds):
            account.withdraw(12, 2300)
        for action in (account.deposit, account.withdraw):
            with self.assertRaises(ValueError):
                action(12, -3)
            with self.assertRaises(ValueError):
                action(11, 1)
        self.assertEqual(len(account.entries), 4)

    def test_withdraw_everything(self):
        account = sample()
        account.withdraw(12, 2299)
        self.assertEqual(account.available(), 0)
        self.assertEqual(account.entries[-1].memo, "withdrawal")

    def test_entry_sign(self):
        self.assertEqual([e.is_credit() for e in sample().entries], [True, False, False, True])


class BankHidden(unittest.TestCase):
    def test_transfers_keep_the_total(self):
        bank = Bank({"zoe": sample()})
        bank.open("al")
        bank.transfer("zoe", "al", 12, 1000)
        self.assertEqual(bank.total(), 299)
        self.assertEqual(bank.overdrawn(), ["zoe"])
        self.assertEqual(bank.richest(5), ["al", "zoe"])

    def test_failed_transfers_change_nothing(self):
        bank = Bank({"zoe": sample()})
        bank.open("al", 10)
        for source, target, day, amount in (("al", "zoe", 11, 5), ("zoe", "zoe", 12, 5), ("al", "zoe", 12, 0)):
            with self.assertRaises(ValueError):
                bank.transfer(source, target, day, amount)
        with self.assertRaises(InsufficientFunds):
            bank.transfer("al", "zoe", 12, 11)
        self.assertEqual((bank.accounts["al"].entries, bank.total()), ([], 299))

    def test_open_close_again(self):
        bank = Bank()
        bank.open("x")
        with self.assertRaises(KeyError):
            bank.open("x", 5)
        bank.close("x")
        self.assertEqual(bank.open("x", 5).available(), 5)
        with self.assertRaises(ValueError):
            bank.open("y", -20)

    def test_close_refuses_debt(self):
        bank = Bank({"d": Account("d", 5, [Entry(1, -5)])})
        with self.assertRaises(ValueError):
            bank.close("d")


class StatementHidden(unittest.TestCase):
    def test_statement_covers_all(self):
        self.assertEqual(statement(sample(), 10, 12), [
            "opening 38.00", "10  Rent -45.00 -7.00", "12 deposit 9.99 2.99"])
        self.assertEqual(statement(sample(), 4, 9), ["opening 38.00"])

    def test_running_and_turnover_agree(self):
        entries = sample().entries
        gained, spent = turnover(entries)
        self.assertEqual((gained, spent), (5999, 5700))
        self.assertEqual(running_balances(entries, 1)[-1], gained - spent + 1)

    def test_memo_totals(self):
        self.assertEqual(totals_by_memo(sample().entries), {"salary": 5000, "rent": -5700, "deposit": 999})

    def test_lowest_gap_and_between(self):
        self.assertEqual(lowest_balance(sample()), -700)
        self.assertEqual(lowest_balance(Account("n")), 0)
        self.assertEqual(longest_gap(sample().entries), 7)
        self.assertEqual(longest_gap([]), 0)
        self.assertEqual([e.day for e in entries_between(sample(), 3, 10)], [3, 3, 10])
        with self.assertRaises(ValueError):
            entries_between(sample(), 10, 3)

    def test_interest(self):
        account = sample()
        self.assertEqual(balance_days(account, 9, 12), 4099)
        self.assertEqual(credit_interest(account, 3, 12, 3650), 26)
        self.assertEqual(account.balance, 325)
        self.assertEqual(credit_interest(Account("n"), 1, 9, 500), 0)


if __name__ == "__main__":
    unittest.main()
