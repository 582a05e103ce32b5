import unittest

from ledger.money import (format_amount, parse_amount, percent_of,
                          split_evenly, tiered_fee)


class ParseAmountTest(unittest.TestCase):
    def test_whole_and_cents(self):
        self.assertEqual(parse_amount("12"), 1200)
        self.assertEqual(parse_amount("12.5"), 1250)
        self.assertEqual(parse_amount("0.07"), 7)

    def test_negative_blanks_and_commas(self):
        self.assertEqual(parse_amount(" -3.10 "), -310)
        self.assertEqual(parse_amount("1,234,567.89"), 123456789)

    def test_rejects_other_text(self):
        for text in ("", "1.234", "abc", "5."):
            with self.assertRaises(ValueError):
                parse_amount(text)


class FormatAmountTest(unittest.TestCase):
    def test_positive(self):
        self.assertEqual(format_amount(1250), "12.50")
        self.assertEqual(format_amount(123456789), "1,234,567.89")

    def test_zero_and_negative(self):
        self.assertEqual(format_amount(0), "0.00")
        self.assertEqual(format_amount(-1), "-0.01")
        self.assertEqual(format_amount(-150), "-1.50")


class SharesTest(unittest.TestCase):
    def test_split_evenly_with_remainder(self):
        self.assertEqual(split_evenly(100, 3), [34, 33, 33])
        self.assertEqual(split_evenly(11, 4), [3, 3, 3, 2])
        self.assertEqual(split_evenly(5, 1), [5])

    def test_split_evenly_needs_parts(self):
        with self.assertRaises(ValueError):
            split_evenly(5, 0)

    def test_percent_of_rounds_halves_up(self):
        self.assertEqual(percent_of(10000, 250), 250)
        self.assertEqual(percent_of(100, 50), 1)
        self.assertEqual(percent_of(1, 4999), 0)

    def test_tiered_fee_inside_first_tier(self):
        self.assertEqual(tiered_fee(1000, [(1000, 1000), (3000, 500)], 100), 100)
        self.assertEqual(tiered_fee(400, [(1000, 1000), (3000, 500)], 100), 40)

    def test_tiered_fee_across_tiers(self):
        self.assertEqual(tiered_fee(2000, [(1000, 1000), (3000, 500)], 100), 150)
        self.assertEqual(tiered_fee(5000, [(1000, 1000), (3000, 500)], 100), 220)

    def test_tiered_fee_zero_and_without_tiers(self):
        self.assertEqual(tiered_fee(0, [(1000, 5000)], 100), 0)
        self.assertEqual(tiered_fee(1, [(1000, 5000)], 100), 1)
        self.assertEqual(tiered_fee(2000, [], 100), 20)
        self.assertEqual(tiered_fee(-2000, [], 10000), 0)
