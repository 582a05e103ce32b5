import unittest

from fsm.machine import Machine, TransitionError


def door():
    machine = Machine("closed", finals=["locked"])
    machine.add("closed", "open", "opened")
    machine.add("opened", "close", "closed")
    machine.add("closed", "lock", "locked", guard=lambda key: key == 7)
    return machine


class MachineTest(unittest.TestCase):
    def test_new_machine(self):
        machine = Machine("a")
        self.assertEqual((machine.state, machine.history), ("a", ["a"]))
        self.assertFalse(machine.is_done())
        machine = Machine("a")
        self.assertIs(machine.add("a", "x", "b"), machine)
        self.assertEqual(machine.rules, {("a", "x"): [("b", None)]})

    def test_target_of(self):
        self.assertEqual(door().target_of("open"), "opened")
        self.assertIsNone(door().target_of("close"))

    def test_target_of_with_guard(self):
        self.assertEqual(door().target_of("lock", 7), "locked")
        self.assertIsNone(door().target_of("lock", 6))

    def test_target_of_tries_rules_in_order(self):
        machine = Machine("a")
        machine.add("a", "go", "big", guard=lambda n: n > 9)
        machine.add("a", "go", "small")
        self.assertEqual(machine.target_of("go", 10), "big")
        self.assertEqual(machine.target_of("go", 9), "small")

    def test_can(self):
        self.assertTrue(door().can("open"))
        self.assertFalse(door().can("lock"))
        self.assertTrue(door().can("lock", 7))

    def test_fire_moves_on(self):
        machine = door()
        self.assertEqual(machine.fire("open"), "opened")
        self.assertEqual((machine.state, machine.history), ("opened", ["closed", "opened"]))

    def test_fire_refused(self):
        machine = door()
        with self.assertRaisesRegex(TransitionError, "no way by lock from closed"):
            machine.fire("lock", 1)
        self.assertEqual(machine.history, ["closed"])

    def test_fire_runs_hooks_of_the_new_state(self):
        seen = []
        machine = door()
        machine.on_enter("locked", lambda state, data: seen.append((state, data)))
        machine.on_enter("locked", lambda state, data: seen.append(data + 1))
        machine.on_enter("closed", lambda state, data: seen.append("no"))
        machine.fire("lock", 7)
        self.assertEqual(seen, [("locked", 7), 8])

    def test_fire_all_takes_everything(self):
        machine = door()
        self.assertEqual(machine.fire_all(["open", "close"]), 2)
        self.assertEqual(machine.state, "closed")

    def test_fire_all_stops_at_refusal(self):
        machine = door()
        self.assertEqual(machine.fire_all(["open", "open", "close"]), 1)
        self.assertEqual(machine.state, "opened")
        self.assertEqual(machine.fire_all([]), 0)

    def test_events(self):
        machine = Machine("a").add("a", "z", "b").add("b", "y", "a").add("a", "c", "a")
        self.assertEqual(machine.events(), ["c", "z"])

    def test_is_done(self):
        machine = Machine("a", ["b", "c"])
        machine.state = "c"
        self.assertTrue(machine.is_done())

    def test_back(self):
        machine = Machine("a")
        machine.history = ["a", "b", "c", "d"]
        self.assertEqual(machine.back(), "c")
        self.assertEqual(machine.back(2), "a")
        self.assertEqual(machine.history, ["a"])

    def test_back_not_beyond_start(self):
        machine = Machine("a")
        machine.history = ["a", "b"]
        self.assertEqual(machine.back(5), "a")
        self.assertEqual((machine.state, machine.history), ("a", ["a"]))

    def test_back_by_nothing_or_less(self):
        machine = Machine("a")
        self.assertEqual(machine.back(0), "a")
        with self.assertRaises(ValueError):
            machine.back(-1)

    def test_reset(self):
        machine = Machine("a")
        machine.state, machine.history = "c", ["a", "c"]
        machine.reset()
        self.assertEqual((machine.state, machine.history), ("a", ["a"]))

    def test_visits(self):
        machine = Machine("a")
        machine.history = ["a", "b", "a"]
        self.assertEqual([machine.visits(s) for s in "abc"], [2, 1, 0])
