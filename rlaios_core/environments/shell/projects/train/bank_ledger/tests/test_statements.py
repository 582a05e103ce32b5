import unittest

from ledger.accounts import Account, Entry
from ledger.statements import (balance_days, credit_interest, entries_between,
                               longest_gap, lowest_balance, running_balances,
                               statement, totals_by_memo, turnover)


class StatementTest(unittest.TestCase):
    def test_running_balances(self):
        entries = [Entry(1, 10), Entry(2, -4), Entry(2, 1)]
        self.assertEqual(running_balances(entries), [10, 6, 7])
        self.assertEqual(running_balances(entries, 100), [110, 106, 107])

    def test_entries_between_includes_both_ends(self):
        account = Account("a", 0, [Entry(d, d) for d in (1, 2, 3, 4)])
        self.assertEqual(entries_between(account, 2, 3), [Entry(2, 2), Entry(3, 3)])
        self.assertEqual(entries_between(account, 4, 4), [Entry(4, 4)])

    def test_entries_between_wrong_order(self):
        with self.assertRaises(ValueError):
            entries_between(Account("a"), 3, 2)

    def test_statement_lines(self):
        account = Account("a", 0, [Entry(1, 1000, "pay"), Entry(2, -250, "rent"), Entry(9, 5, "x")])
        self.assertEqual(statement(account, 2, 8), ["opening 10.00", "2 rent -2.50 7.50"])

    def test_turnover(self):
        self.assertEqual(turnover([Entry(1, 10), Entry(1, -4), Entry(2, 3), Entry(2, -1)]), (13, 5))
        self.assertEqual(turnover([]), (0, 0))

    def test_totals_by_memo(self):
        entries = [Entry(1, 10, "Pay"), Entry(2, -3, "food "), Entry(3, 5, "pay")]
        self.assertEqual(totals_by_memo(entries), {"pay": 15, "food": -3})

    def test_lowest_balance(self):
        self.assertEqual(lowest_balance(Account("a", 9, [Entry(1, 5), Entry(2, -8), Entry(3, 9)])), -3)
        self.assertEqual(lowest_balance(Account("a", 0, [Entry(1, 5)])), 0)

    def test_balance_days(self):
        account = Account("a", 0, [Entry(2, 10), Entry(4, -15), Entry(5, 6)])
        self.assertEqual(balance_days(account, 1, 3), 20)
        self.assertEqual(balance_days(account, 3, 5), 11)

    def test_credit_interest_posts_entry(self):
        account = Account("a", 0, [Entry(1, 36500)])
        self.assertEqual(credit_interest(account, 1, 10, 100), 10)
        self.assertEqual(account.entries[-1], Entry(10, 10, "interest"))

    def test_credit_interest_smallest_and_none(self):
        account = Account("a", 0, [Entry(1, 364)])
        self.assertEqual(credit_interest(account, 1, 2, 5000), 0)
        self.assertEqual(len(account.entries), 1)
        self.assertEqual(credit_interest(account, 1, 3, 5000), 1)
        self.assertEqual(len(account.entries), 2)

    def test_longest_gap(self):
        self.assertEqual(longest_gap([Entry(1, 1), Entry(2, 1), Entry(7, 1), Entry(9, 1)]), 5)
        self.assertEqual(longest_gap([Entry(4, 1)]), 0)
