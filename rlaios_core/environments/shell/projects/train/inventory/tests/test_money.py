import unittest

from pricing import (
    Line, Tier, apply_percent, discount_percent, format_cents, line_total, merge_lines,
    shipping, split_evenly,
)
from reports import (
    abc_classes, best_sellers, days_of_cover, first_stockout, moving_average,
    reorder_quantity, stock_history, stock_line,
)
from stock import Item

TIERS = [Tier(10, 5), Tier(50, 12)]


class PricingTest(unittest.TestCase):
    def test_discount_limits(self):
        self.assertEqual(discount_percent(9, TIERS), 0)
        self.assertEqual(discount_percent(10, TIERS), 5)
        self.assertEqual(discount_percent(50, TIERS), 12)

    def test_apply_percent(self):
        self.assertEqual(apply_percent(999, 10), 899)
        self.assertEqual(apply_percent(80, 0), 80)
        self.assertEqual(apply_percent(80, 100), 0)

    def test_apply_percent_refuses(self):
        with self.assertRaises(ValueError):
            apply_percent(80, -1)
        with self.assertRaisesRegex(ValueError, "101"):
            apply_percent(80, 101)

    def test_line_total(self):
        self.assertEqual(line_total(Line("A", 10, 200), TIERS), 1900)
        self.assertEqual(line_total(Line("A", 2, 200), TIERS), 400)

    def test_shipping_free_limit(self):
        self.assertEqual(shipping(100, 5000), 0)
        self.assertEqual(shipping(100, 4999), 490)
        self.assertEqual(shipping(100, 300, free_from=300), 0)

    def test_shipping_weight_steps(self):
        self.assertEqual(shipping(1000, 0), 490)
        self.assertEqual(shipping(1001, 0), 640)
        self.assertEqual(shipping(2000, 0), 640)

    def test_shipping_next_step(self):
        self.assertEqual(shipping(2001, 0), 790)

    def test_merge_lines(self):
        lines = [Line("b", 1, 5), Line("a", 2, 5), Line("b", 3, 5), Line("b", 1, 6)]
        self.assertEqual(merge_lines(lines), [Line("b", 4, 5), Line("a", 2, 5), Line("b", 1, 6)])

    def test_split_evenly(self):
        self.assertEqual(split_evenly(11, 4), [3, 3, 3, 2])
        self.assertEqual(split_evenly(6, 3), [2, 2, 2])

    def test_format_cents(self):
        self.assertEqual(format_cents(12305), "123.05")
        self.assertEqual(format_cents(-7), "-0.07")
        self.assertEqual(format_cents(0), "0.00")


class ReportTest(unittest.TestCase):
    def test_reorder_full_packs(self):
        item = Item("A", on_hand=8, reserved=3)
        self.assertEqual(reorder_quantity(item, 12, pack_size=6), 12)
        self.assertEqual(reorder_quantity(item, 11, pack_size=6), 6)

    def test_reorder_single_units(self):
        self.assertEqual(reorder_quantity(Item("A", on_hand=8), 9), 1)

    def test_reorder_nothing_missing(self):
        self.assertEqual(reorder_quantity(Item("A", on_hand=8), 8), 0)
        self.assertEqual(reorder_quantity(Item("A", on_hand=9), 4), 0)

    def test_days_of_cover(self):
        self.assertEqual(days_of_cover(10, [2, 4, 3]), 3)
        self.assertEqual(days_of_cover(11, [1]), 11)
        self.assertIsNone(days_of_cover(10, [0, 0]))

    def test_moving_average(self):
        self.assertEqual(moving_average([2, 4, 6, 11], 2), [3.0, 5.0, 8.5])
        self.assertEqual(moving_average([3, 5, 7], 3), [5.0])
        self.assertEqual(moving_average([3, 5], 3), [])

    def test_best_sellers_order(self):
        sales = [("c", 2), ("a", 3), ("b", 3), ("c", 4), ("d", 9)]
        self.assertEqual(best_sellers(sales), ["d", "c", "a"])
        self.assertEqual(best_sellers(sales, count=1), ["d"])

    def test_abc_classes(self):
        values = {"w": 80, "y": 5, "x": 15}
        self.assertEqual(abc_classes(values), {"w": "A", "x": "B", "y": "C"})
        self.assertEqual(abc_classes({"p": 81, "q": 19}), {"p": "B", "q": "C"})
        values = {"p": 805, "q": 147, "r": 48}
        self.assertEqual(abc_classes(values), {"p": "B", "q": "C", "r": "C"})

    def test_stock_history(self):
        self.assertEqual(stock_history(5, [3, -6, 1]), [5, 8, 2, 3])
        self.assertEqual(stock_history(4, []), [4])

    def test_first_stockout(self):
        self.assertEqual(first_stockout([4, 1, 0, -2]), 2)
        self.assertIsNone(first_stockout([4, 1]))

    def test_stock_line(self):
        self.assertEqual(stock_line(Item("BOLT", 20, 8)), "BOLT         20   12")
        self.assertEqual(stock_line(Item("WASHER", 4, 1), width=4), "WASH    4    3 *")
