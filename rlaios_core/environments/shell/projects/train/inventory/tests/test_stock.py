import unittest

from stock import Item, StockError, Warehouse, normalize_sku


class ItemTest(unittest.TestCase):
    def test_available_is_what_is_not_reserved(self):
        self.assertEqual(Item("A", on_hand=9, reserved=4).available, 5)

    def test_value(self):
        self.assertEqual(Item("A", on_hand=3, reserved=1, unit_cost=250).value, 750)

    def test_defaults(self):
        item = Item("A")
        self.assertEqual((item.on_hand, item.reserved, item.unit_cost), (0, 0, 0))
        self.assertEqual(item.reorder_level, 5)

    def test_receive(self):
        item = Item("A", on_hand=2)
        item.receive(1)
        self.assertEqual(item.on_hand, 3)
        with self.assertRaises(StockError):
            Item("A").receive(0)

    def test_reserve_everything(self):
        item = Item("A", on_hand=5, reserved=2)
        item.reserve(3)
        self.assertEqual(item.reserved, 5)

    def test_reserve_one_too_many(self):
        item = Item("A", on_hand=5, reserved=2)
        with self.assertRaises(StockError):
            item.reserve(4)
        self.assertEqual(item.reserved, 2)

    def test_release_part(self):
        item = Item("A", on_hand=9, reserved=5)
        self.assertEqual(item.release(2), 2)
        self.assertEqual(item.reserved, 3)

    def test_release_more_than_reserved(self):
        item = Item("A", on_hand=9, reserved=5)
        self.assertEqual(item.release(8), 5)
        self.assertEqual(item.reserved, 0)

    def test_ship(self):
        item = Item("A", on_hand=9, reserved=4)
        item.ship(4)
        self.assertEqual((item.on_hand, item.reserved), (5, 0))
        item = Item("A", on_hand=9, reserved=4)
        with self.assertRaises(StockError):
            item.ship(5)

    def test_needs_reorder_at_the_level(self):
        self.assertTrue(Item("A", on_hand=7, reserved=2).needs_reorder())
        self.assertFalse(Item("A", on_hand=6).needs_reorder())


class WarehouseTest(unittest.TestCase):
    def test_normalize_sku(self):
        self.assertEqual(normalize_sku("  ab 12 "), "AB-12")
        self.assertEqual(normalize_sku("ab-12"), "AB-12")

    def test_skus_are_sorted(self):
        self.assertEqual(Warehouse([Item("b"), Item("a")]).skus(), ["A", "B"])
        self.assertEqual(Warehouse().skus(), [])

    def test_duplicate_sku(self):
        with self.assertRaises(StockError):
            Warehouse([Item("a-1"), Item("A 1")])

    def test_get(self):
        item = Item("x-7")
        self.assertIs(Warehouse([Item("x-8"), item]).get(" X 7"), item)
        with self.assertRaises(StockError):
            Warehouse([Item("x-8")]).get("x-9")

    def test_tagged_ignores_case(self):
        house = Warehouse([Item("b", tags=["Cold"]), Item("a", tags=["new", "cold"]), Item("c", tags=["dry"])])
        self.assertEqual(house.tagged("COLD"), ["A", "B"])

    def test_total_value(self):
        house = Warehouse([Item("a", 2, unit_cost=10), Item("b", 3, unit_cost=7)])
        self.assertEqual(house.total_value(), 41)
        self.assertEqual(Warehouse().total_value(), 0)

    def test_reserve_all(self):
        a, b = Item("a", 4), Item("b", 2)
        Warehouse([a, b]).reserve_all({"a": 3, "b": 2})
        self.assertEqual((a.reserved, b.reserved), (3, 2))

    def test_reserve_all_rolls_back(self):
        a, b = Item("a", 4, reserved=1), Item("b", 2)
        with self.assertRaises(StockError):
            Warehouse([a, b]).reserve_all({"a": 3, "b": 9})
        self.assertEqual((a.reserved, b.reserved), (1, 0))

    def test_low_stock(self):
        house = Warehouse([Item("c", 3), Item("b", 20), Item("a", 1)])
        self.assertEqual(house.low_stock(), ["A", "C"])
