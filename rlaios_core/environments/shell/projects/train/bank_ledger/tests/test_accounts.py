import unittest

from ledger.accounts import Account, Bank, Entry, InsufficientFunds


class EntryTest(unittest.TestCase):
    def test_is_credit(self):
        self.assertTrue(Entry(1, 1).is_credit())
        self.assertFalse(Entry(1, 0).is_credit())
        self.assertFalse(Entry(1, -5).is_credit())


class AccountTest(unittest.TestCase):
    def test_balance_and_available(self):
        account = Account("ann", 50, [Entry(1, 100), Entry(2, -30)])
        self.assertEqual(account.balance, 70)
        self.assertEqual(account.available(), 120)
        self.assertEqual(Account("bo").available(), 0)

    def test_last_day(self):
        self.assertEqual(Account("ann").last_day(), 0)
        self.assertEqual(Account("ann", 0, [Entry(3, 1), Entry(8, 1)]).last_day(), 8)

    def test_post_returns_the_new_entry(self):
        account = Account("ann")
        self.assertEqual(account.post(4, -7, "fee"), Entry(4, -7, "fee"))
        self.assertEqual(account.entries, [Entry(4, -7, "fee")])

    def test_post_on_same_day_but_not_earlier(self):
        account = Account("ann", 0, [Entry(5, 1)])
        account.post(5, 2)
        self.assertEqual(account.entries[-1], Entry(5, 2, ""))
        with self.assertRaises(ValueError):
            account.post(4, 2)

    def test_deposit(self):
        account = Account("ann")
        self.assertEqual(account.deposit(1, 1), Entry(1, 1, "deposit"))
        self.assertEqual(account.deposit(2, 9, "gift").memo, "gift")
        with self.assertRaises(ValueError):
            Account("ann").deposit(1, 0)

    def test_withdraw(self):
        account = Account("ann", 0, [Entry(1, 100)])
        self.assertEqual(account.withdraw(2, 1), Entry(2, -1, "withdrawal"))
        self.assertEqual(account.withdraw(2, 99, "cash"), Entry(2, -99, "cash"))

    def test_withdraw_must_be_positive(self):
        with self.assertRaises(ValueError):
            Account("ann", 0, [Entry(1, 100)]).withdraw(1, 0)

    def test_withdraw_beyond_overdraft(self):
        account = Account("ann", 20, [Entry(1, 100)])
        with self.assertRaises(InsufficientFunds):
            account.withdraw(2, 121)
        account.withdraw(2, 120)
        self.assertEqual(account.balance, -20)

    def test_balance_on(self):
        account = Account("ann", 0, [Entry(1, 100), Entry(3, -30), Entry(3, 5)])
        self.assertEqual([account.balance_on(day) for day in range(5)], [0, 100, 100, 75, 75])


class BankTest(unittest.TestCase):
    def test_open_keeps_account(self):
        bank = Bank()
        account = bank.open("bob", 30)
        self.assertEqual((account.owner, account.overdraft), ("bob", 30))
        self.assertIs(bank.accounts["bob"], account)
        self.assertEqual(Bank().open("bob").overdraft, 0)
        self.assertEqual(Bank().open("cy", 0).balance, 0)

    def test_open_refuses_duplicates_and_negative_overdraft(self):
        bank = Bank({"bob": Account("bob")})
        with self.assertRaises(KeyError):
            bank.open("bob")
        with self.assertRaises(ValueError):
            bank.open("cy", -1)

    def test_close(self):
        bank = Bank({"bob": Account("bob"), "cy": Account("cy", 0, [Entry(1, 1)])})
        bank.close("bob")
        self.assertEqual(list(bank.accounts), ["cy"])
        with self.assertRaises(ValueError):
            bank.close("cy")

    def test_transfer_moves_money(self):
        bank = Bank({"a": Account("a", 0, [Entry(1, 10)]), "b": Account("b", 0, [Entry(2, 1)])})
        bank.transfer("a", "b", 2, 4)
        self.assertEqual(bank.accounts["a"].entries[-1], Entry(2, -4, "to b"))
        self.assertEqual(bank.accounts["b"].entries[-1], Entry(2, 4, "from a"))

    def test_transfer_refuses_same_account_and_old_day(self):
        bank = Bank({"a": Account("a", 9), "b": Account("b", 9, [Entry(5, 1)])})
        with self.assertRaises(ValueError):
            bank.transfer("a", "a", 5, 1)
        with self.assertRaises(ValueError):
            bank.transfer("a", "b", 4, 1)
        self.assertEqual(bank.accounts["a"].entries, [])

    def test_total(self):
        self.assertEqual(Bank().total(), 0)
        bank = Bank({"a": Account("a", 0, [Entry(1, 10)]), "b": Account("b", 9, [Entry(2, -3)])})
        self.assertEqual(bank.total(), 7)

    def test_richest(self):
        bank = Bank({n: Account(n, 0, [Entry(1, m)]) for n, m in [("c", 5), ("d", 2), ("b", 5), ("a", 3)]})
        self.assertEqual(bank.richest(), ["b"])
        self.assertEqual(bank.richest(3), ["b", "c", "a"])

    def test_overdrawn(self):
        bank = Bank({n: Account(n, 9, [Entry(1, m)]) for n, m in [("c", -1), ("b", 0), ("a", -2), ("d", 1)]})
        self.assertEqual(bank.overdrawn(), ["a", "c"])
