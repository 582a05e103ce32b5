import unittest

from fsm.analysis import (count_words, dead_ends, distances, equivalent_groups,
                          has_cycle, neighbours, refine, shortest_word,
                          unreachable)
from fsm.machine import Machine, TransitionError
from fsm.tables import (accepts, complete, longest_match, parse_table,
                        run_table, states_of, symbols_of)

ORDER = """
new pay -> paid
new cancel -> void   # before payment
paid ship -> sent
paid refund -> void
sent receive -> done
"""


def vending():
    machine = Machine(0, finals=[3])
    for coins in range(3):
        machine.add(coins, "coin", coins + 1)
    machine.add(2, "jackpot", 3, guard=lambda luck: luck >= 5)
    machine.add(1, "return", 0)
    return machine


class MachineHidden(unittest.TestCase):
    def test_walk_to_the_end(self):
        machine = vending()
        self.assertEqual(machine.fire_all(["coin"] * 5), 3)
        self.assertTrue(machine.is_done())
        self.assertEqual(machine.events(), [])

    def test_guard_limit(self):
        machine = vending()
        machine.fire_all(["coin", "coin"])
        self.assertEqual(machine.events(), ["coin", "jackpot"])
        self.assertFalse(machine.can("jackpot", 4))
        self.assertEqual(machine.fire("jackpot", 5), 3)

    def test_back_and_visits(self):
        machine = vending()
        machine.fire_all(["coin", "return", "coin", "coin"])
        self.assertEqual(machine.history, [0, 1, 0, 1, 2])
        self.assertEqual((machine.visits(0), machine.visits(2), machine.visits(3)), (2, 1, 0))
        self.assertEqual(machine.back(3), 1)
        self.assertEqual(machine.history, [0, 1])
        self.assertEqual(machine.back(2), 0)
        with self.assertRaises(ValueError):
            machine.back(-3)

    def test_hooks_and_reset(self):
        log = []
        machine = vending()
        machine.on_enter(1, lambda state, data: log.append(data))
        machine.fire("coin", "euro")
        machine.reset()
        machine.fire("coin", "cent")
        self.assertEqual(log, ["euro", "cent"])
        self.assertEqual(machine.history, [0, 1])

    def test_refusal(self):
        machine = vending()
        self.assertIsNone(machine.target_of("return"))
        with self.assertRaises(TransitionError):
            machine.fire("return")
        self.assertEqual((machine.state, machine.history), (0, [0]))


class TableHidden(unittest.TestCase):
    def test_order_table(self):
        table = parse_table(ORDER)
        self.assertEqual(states_of(table), ["done", "new", "paid", "sent", "void"])
        self.assertEqual(symbols_of(table), ["cancel", "pay", "receive", "refund", "ship"])
        self.assertEqual(run_table(table, "new", ["pay", "ship"]), "sent")
        self.assertIsNone(run_table(table, "new", ["ship", "pay"]))

    def test_parse_errors(self):
        for text in ("-> b", "a x - b", "a x ->  # y", "s t -> u\ns t -> u"):
            with self.assertRaises(ValueError):
                parse_table(text)
        self.assertEqual(parse_table("  # only\n"), {})

    def test_order_accepts(self):
        table = parse_table(ORDER)
        self.assertTrue(accepts(table, "new", {"void"}, ["pay", "refund"]))
        self.assertFalse(accepts(table, "new", {"void"}, ["pay"]))
        self.assertFalse(accepts(table, "new", {"void"}, ["cancel", "pay"]))

    def test_longest_match_even_letters(self):
        table = {"e": {"a": "o"}, "o": {"a": "e"}}
        self.assertEqual([longest_match(table, "e", {"e"}, "a" * n) for n in range(5)], [0, 0, 2, 2, 4])
        self.assertEqual([longest_match(table, "e", {"o"}, t) for t in ("", "b", "ab", "aaab")], [-1, -1, 1, 3])

    def test_complete_never_fails(self):
        full = complete(parse_table(ORDER), "bad")
        self.assertEqual(run_table(full, "new", ["ship", "pay"]), "bad")
        self.assertEqual({len(row) for row in full.values()}, {5})
        self.assertEqual(len(full), 6)


class AnalysisHidden(unittest.TestCase):
    def test_order_graph(self):
        table = parse_table(ORDER)
        self.assertEqual(neighbours(table, "new"), ["paid", "void"])
        self.assertEqual(distances(table, "new"), {"new": 0, "paid": 1, "void": 1, "sent": 2, "done": 3})
        self.assertEqual(unreachable(table, "paid"), ["new"])
        self.assertEqual(dead_ends(table, {"done"}), ["void"])
        self.assertEqual(dead_ends(table, {"done", "void"}), [])
        self.assertFalse(has_cycle(table, "new"))

    def test_shortest_word_is_accepted(self):
        table = parse_table(ORDER)
        for goal in ("new", "void", "done"):
            word = shortest_word(table, "new", {goal})
            self.assertEqual(run_table(table, "new", word), goal)
            self.assertEqual(len(word), distances(table, "new")[goal])
        self.assertIsNone(shortest_word(table, "void", {"new"}))

    def test_cycles(self):
        self.assertTrue(has_cycle({"a": {"x": "a"}}, "a"))
        self.assertTrue(has_cycle({"a": {"x": "b"}, "b": {"y": "c"}, "c": {"z": "a"}}, "b"))
        self.assertFalse(has_cycle({"a": {"x": "b"}, "z": {"x": "z"}}, "a"))

    def test_count_words(self):
        table = {"s": {"0": "s", "1": "t"}, "t": {"0": "s"}}
        self.assertEqual([count_words(table, "s", {"s", "t"}, n) for n in range(6)], [1, 2, 3, 5, 8, 13])
        self.assertEqual(count_words(table, "t", {"t"}, 1), 0)

    def test_equivalent_groups(self):
        table = {"p": {"a": "q", "b": "r"}, "q": {"a": "q", "b": "r"}, "r": {"a": "p", "b": "s"}, "s": {"a": "q", "b": "r"}}
        self.assertEqual(equivalent_groups(table, {"r"}), [["p", "q", "s"], ["r"]])
        self.assertEqual(equivalent_groups(table, set()), [["p", "q", "r", "s"]])

    def test_refine_keeps_stable_labels(self):
        table = {"p": {"a": "q"}, "q": {"a": "p"}}
        self.assertEqual(refine(table, {"p": 0, "q": 0}), {"p": 0, "q": 0})
        self.assertEqual(refine({"p": {"a": "q"}, "q": {}}, {"p": 0, "q": 0}), {"q": 0, "p": 1})


if __name__ == "__main__":
    unittest.main()
