import unittest

from fsm.analysis import (count_words, dead_ends, distances, equivalent_groups,
                          has_cycle, neighbours, refine, shortest_word,
                          unreachable)

TREE = {"a": {"1": "b", "0": "c"}, "b": {"0": "d"}, "x": {"0": "a"}}


class AnalysisTest(unittest.TestCase):
    def test_neighbours(self):
        self.assertEqual(neighbours({"a": {"x": "c", "y": "b", "z": "c"}}, "a"), ["b", "c"])
        self.assertEqual(neighbours(TREE, "d"), [])

    def test_distances(self):
        self.assertEqual(distances(TREE, "a"), {"a": 0, "b": 1, "c": 1, "d": 2})
        self.assertEqual(distances({"a": {"s": "a", "t": "b"}, "b": {"t": "a"}}, "a"), {"a": 0, "b": 1})

    def test_unreachable(self):
        self.assertEqual(unreachable(TREE, "a"), ["x"])
        self.assertEqual(unreachable(TREE, "b"), ["a", "c", "x"])

    def test_dead_ends(self):
        self.assertEqual(dead_ends(TREE, {"d"}), ["c"])
        self.assertEqual(dead_ends({"a": {}, "b": {"x": "b"}}, set()), ["a"])

    def test_shortest_word(self):
        self.assertEqual(shortest_word(TREE, "x", {"d"}), ["0", "1", "0"])
        self.assertEqual(shortest_word(TREE, "a", {"a"}), [])

    def test_shortest_word_prefers_small_symbols(self):
        table = {"s": {"b": "p", "a": "q"}, "p": {"a": "g"}, "q": {"c": "g"}}
        self.assertEqual(shortest_word(table, "s", {"g"}), ["a", "c"])

    def test_shortest_word_none(self):
        self.assertIsNone(shortest_word(TREE, "b", {"a"}))

    def test_has_cycle(self):
        self.assertTrue(has_cycle({"a": {"x": "b"}, "b": {"x": "c", "y": "b"}}, "a"))
        self.assertFalse(has_cycle({"a": {"x": "b", "y": "c"}, "b": {"x": "c"}}, "a"))

    def test_count_words(self):
        table = {"a": {"x": "a", "y": "b"}, "b": {"x": "a", "y": "a"}}
        self.assertEqual([count_words(table, "a", {"a"}, n) for n in range(4)], [1, 1, 3, 5])

    def test_equivalent_groups(self):
        table = {"a": {"x": "b", "y": "c"}, "b": {"x": "d"}, "c": {"x": "d"}, "d": {"x": "d"}}
        self.assertEqual(equivalent_groups(table, {"d"}), [["a"], ["b", "c"], ["d"]])

    def test_equivalent_groups_in_a_chain(self):
        table = {"a": {"x": "b"}, "b": {"x": "c"}, "c": {"x": "d"}}
        self.assertEqual(equivalent_groups(table, {"d"}), [["a"], ["b"], ["c"], ["d"]])

    def test_refine_splits_once(self):
        table = {"a": {"x": "b"}, "b": {"x": "c"}, "c": {}}
        self.assertEqual(refine(table, {"a": 0, "b": 0, "c": 1}), {"a": 0, "b": 1, "c": 2})
        table = {"a": {"x": "a", "y": "b"}, "b": {"y": "a", "x": "b"}}
        self.assertEqual(refine(table, {"a": 0, "b": 0}), {"a": 0, "b": 0})
