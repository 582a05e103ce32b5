import unittest

from fsm.tables import (accepts, complete, longest_match, parse_table,
                        run_table, states_of, symbols_of)

NUMBER = {"start": {"-": "sign", "0": "digits"}, "sign": {"0": "digits"}, "digits": {"0": "digits"}}


class TablesTest(unittest.TestCase):
    def test_parse_table(self):
        text = "idle start -> busy  # go\n\n# nothing\nbusy stop->idle\nidle quit -> off"
        self.assertEqual(parse_table(text), {
            "idle": {"start": "busy", "quit": "off"}, "busy": {"stop": "idle"}})

    def test_parse_table_bad_rules(self):
        for line in ("a b", "a -> b", "a b c -> d", "a b -> "):
            with self.assertRaisesRegex(ValueError, "bad rule in line 2"):
                parse_table("x y -> z\n" + line)

    def test_parse_table_double_rule(self):
        with self.assertRaisesRegex(ValueError, "double rule in line 2"):
            parse_table("a b -> c\na b -> d")

    def test_states_of(self):
        self.assertEqual(states_of({"b": {"x": "c"}, "a": {"x": "b", "y": "d"}}), ["a", "b", "c", "d"])
        self.assertEqual(states_of({}), [])

    def test_symbols_of(self):
        self.assertEqual(symbols_of({"a": {"y": "b"}, "b": {"x": "a", "y": "a"}}), ["x", "y"])

    def test_run_table(self):
        self.assertEqual(run_table(NUMBER, "start", "-0"), "digits")
        self.assertEqual(run_table(NUMBER, "sign", ""), "sign")

    def test_run_table_without_rule(self):
        self.assertIsNone(run_table(NUMBER, "start", "0-"))
        self.assertIsNone(run_table({None: {"x": "a"}}, "a", "qx"))

    def test_accepts(self):
        self.assertTrue(accepts(NUMBER, "start", {"digits"}, "-00"))
        self.assertFalse(accepts(NUMBER, "start", {"digits"}, "-"))

    def test_longest_match(self):
        self.assertEqual(longest_match(NUMBER, "start", {"digits"}, "-00-"), 3)
        self.assertEqual(longest_match({"a": {"x": "b"}, "b": {"y": "c"}}, "a", {"c"}, "xy"), 2)
        self.assertEqual(longest_match(NUMBER, "start", {"start"}, "-0"), 0)

    def test_longest_match_none(self):
        self.assertEqual(longest_match(NUMBER, "start", {"digits"}, "-"), -1)
        self.assertEqual(longest_match({None: {"x": "a"}}, "a", {"a"}, "qx"), 0)

    def test_complete(self):
        self.assertEqual(complete({"a": {"x": "b"}, "b": {"y": "a"}}, "off"), {
            "a": {"x": "b", "y": "off"}, "b": {"x": "off", "y": "a"}, "off": {"x": "off", "y": "off"}})
        self.assertEqual(complete({"a": {"x": "a"}}), {"a": {"x": "a"}, "sink": {"x": "sink"}})
