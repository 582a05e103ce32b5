import unittest

from pricing import (
    Line, Tier, apply_percent, discount_percent, format_cents, line_total, merge_lines,
    shipping, split_evenly,
)
from reports import (
    abc_classes, best_sellers, days_of_cover, first_stockout, moving_average,
    reorder_quantity, stock_history, stock_line,
)
from stock import Item, StockError, Warehouse, normalize_sku


class StockFlowTest(unittest.TestCase):
    def test_receive_reserve_ship(self):
        item = Item("N", unit_cost=30)
        item.receive(13)
        item.receive(1)
        item.reserve(6)
        item.ship(5)
        self.assertEqual((item.on_hand, item.reserved, item.available, item.value), (9, 1, 8, 270))

    def test_receive_refuses_negative(self):
        item = Item("N", on_hand=3)
        with self.assertRaises(StockError):
            item.receive(-2)
        with self.assertRaises(StockError):
            item.receive(0)
        self.assertEqual(item.on_hand, 3)

    def test_release_then_reserve_again(self):
        item = Item("N", on_hand=6, reserved=6)
        with self.assertRaises(StockError):
            item.reserve(1)
        self.assertEqual(item.release(4), 4)
        item.reserve(4)
        self.assertEqual(item.available, 0)
        with self.assertRaises(StockError):
            item.ship(7)

    def test_own_reorder_level(self):
        self.assertTrue(Item("N", on_hand=12, reserved=2, reorder_level=10).needs_reorder())
        self.assertFalse(Item("N", on_hand=13, reserved=2, reorder_level=10).needs_reorder())

    def test_normalize_many_spaces(self):
        self.assertEqual(normalize_sku("q  -r   9"), "Q-R-9")

    def test_warehouse_lookup_and_tags(self):
        house = Warehouse([Item("z 1", 40, tags=["Red"]), Item("k-2", 2, unit_cost=9, tags=["blue"])])
        self.assertEqual(house.get("K 2").on_hand, 2)
        self.assertEqual(house.tagged("red"), ["Z-1"])
        self.assertEqual(house.tagged("BLUE"), ["K-2"])
        self.assertEqual(Warehouse(None).skus(), [])
        self.assertEqual(house.low_stock(), ["K-2"])
        self.assertEqual((house.skus(), house.total_value()), (["K-2", "Z-1"], 18))
        with self.assertRaises(StockError):
            house.get("k")
        with self.assertRaises(StockError):
            house.add(Item(" z-1"))

    def test_roll_back_restores_all_lines(self):
        items = [Item("a", 5), Item("b", 5, reserved=2), Item("c", 1)]
        with self.assertRaises(StockError):
            Warehouse(items).reserve_all({"a": 5, "b": 3, "c": 2})
        self.assertEqual([item.reserved for item in items], [0, 2, 0])
        Warehouse(items).reserve_all({"b": 3, "c": 1})
        self.assertEqual([item.reserved for item in items], [0, 5, 1])


class MoneyTest(unittest.TestCase):
    def test_discounts_in_any_order(self):
        tiers = [Tier(100, 20), Tier(3, 2), Tier(20, 9)]
        self.assertEqual([discount_percent(q, tiers) for q in (2, 3, 20, 99, 100)], [0, 2, 9, 9, 20])
        self.assertEqual(line_total(Line("s", 20, 33), tiers), 600)
        self.assertEqual(discount_percent(8, []), 0)

    def test_percent_keeps_the_sum_close(self):
        self.assertEqual([apply_percent(77, p) for p in (1, 33, 99)], [76, 51, 0])
        self.assertEqual([apply_percent(77, p) for p in (0, 100)], [77, 0])
        for percent in (-5, -1, 101, 150):
            with self.assertRaises(ValueError):
                apply_percent(77, percent)

    def test_shipping_heavy(self):
        self.assertEqual(shipping(4000, 100), 940)
        self.assertEqual(shipping(4001, 6999, free_from=7000), 1090)
        self.assertEqual(shipping(9000, 7000), 0)
        self.assertEqual([shipping(1, s) for s in (4999, 5000)], [490, 0])
        self.assertEqual([shipping(w, 1) for w in (1000, 1001, 2000, 2001)], [490, 640, 640, 790])

    def test_split_adds_up(self):
        for amount in (0, 1, 17, 100):
            parts = split_evenly(amount, 7)
            self.assertEqual((sum(parts), len(parts)), (amount, 7))
            self.assertLessEqual(max(parts) - min(parts), 1)
            self.assertEqual(parts, sorted(parts, reverse=True))

    def test_merge_keeps_gross(self):
        lines = [Line("m", 2, 9), Line("n", 1, 4), Line("m", 5, 9), Line("n", 6, 4)]
        merged = merge_lines(lines)
        self.assertEqual(merged, [Line("m", 7, 9), Line("n", 7, 4)])
        self.assertEqual(sum(x.gross() for x in merged), sum(x.gross() for x in lines))

    def test_format(self):
        self.assertEqual([format_cents(c) for c in (100, 99, -250, 5)], ["1.00", "0.99", "-2.50", "0.05"])


class PlanningTest(unittest.TestCase):
    def test_reorder_reaches_target(self):
        for target in range(1, 15):
            item = Item("N", on_hand=5, reserved=1)
            amount = reorder_quantity(item, target, pack_size=4)
            self.assertEqual(amount % 4, 0)
            self.assertEqual(amount, max(0, -(-(target - 4) // 4) * 4))
        self.assertEqual(reorder_quantity(Item("N", on_hand=1), 6), 5)

    def test_cover_and_average(self):
        self.assertEqual(days_of_cover(25, [5, 0, 2, 3]), 10)
        self.assertIsNone(days_of_cover(3, []))
        self.assertEqual(moving_average([1, 2, 6, 4, 5], 3), [3.0, 4.0, 5.0])
        self.assertEqual(moving_average([4, 8], 1), [4.0, 8.0])

    def test_ranking(self):
        sales = [("t", 1), ("s", 1), ("u", 1), ("r", 1), ("t", 7)]
        self.assertEqual(best_sellers(sales), ["t", "r", "s"])
        self.assertEqual(best_sellers(sales, count=9), ["t", "r", "s", "u"])
        self.assertEqual(best_sellers([]), [])
        self.assertEqual(abc_classes({"i": 10, "j": 70, "k": 20}), {"j": "A", "k": "B", "i": "C"})
        self.assertEqual(abc_classes({"i": 400, "j": 401, "k": 154, "l": 45}), {"j": "A", "i": "B", "k": "C", "l": "C"})
        self.assertEqual(abc_classes({"i": 5, "j": 50, "k": 45, "l": 100}),
                         {"l": "A", "j": "A", "k": "C", "i": "C"})

    def test_history_and_stockout(self):
        levels = stock_history(3, [-1, -1, -1, 5])
        self.assertEqual(levels, [3, 2, 1, 0, 5])
        self.assertEqual(first_stockout(levels), 3)
        self.assertEqual(first_stockout([0]), 0)
        self.assertIsNone(first_stockout([]))

    def test_stock_line_columns(self):
        self.assertEqual(stock_line(Item("LONG-NAME-OF-PART", 123, 23)), "LONG-NAME-  123  100")
        self.assertEqual(stock_line(Item("AX", 7, 2), width=3), "AX     7    5 *")
