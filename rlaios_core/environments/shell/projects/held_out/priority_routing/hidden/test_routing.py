import unittest

from relay.message import (
    Message, Priority, aged_priority, match_parts, parse_priority, raise_priority, specificity, topic_matches,
)
from relay.rules import Router, Rule, order_rules, parse_rule


class HiddenMessageTest(unittest.TestCase):
    def test_times(self):
        message = Message("t", sent_at=-4, lifetime=3)
        self.assertEqual([message.expired(now) for now in (-9, -1, 0)], [False, False, True])
        self.assertEqual([message.age(now) for now in (-5, -4, -3, 6)], [0, 0, 1, 10])

    def test_first_header_wins(self):
        message = Message("t", headers={"X": "1", "x": "2", "Y": "3"})
        self.assertEqual([message.header(name) for name in ("x", "X", "y", "z")], ["1", "1", "3", ""])

    def test_priority_steps(self):
        for priority in Priority:
            message = Message("t", priority=priority)
            self.assertEqual(raise_priority(message, 0), message)
            self.assertEqual(raise_priority(message).priority, min(priority + 1, 3))
            self.assertEqual(raise_priority(message, -9).priority, 0)
            self.assertEqual(aged_priority(message, 7, 7), raise_priority(message).priority)
            self.assertEqual(aged_priority(message, 6, 7), priority)

    def test_parse_priority_round_trip(self):
        for priority in Priority:
            self.assertEqual(parse_priority(priority.name.title()), priority)
            self.assertEqual(parse_priority(f" {priority.value}\n"), priority)
        self.assertEqual(parse_priority("250"), Priority.URGENT)
        for text in ("", "very high", "1.5"):
            with self.assertRaises(ValueError):
                parse_priority(text)

    def test_patterns(self):
        topics = ["x", "x.y", "x.y.z", "y.x", "z.y.x"]
        table = {
            "#": [1, 1, 1, 1, 1], "*": [1, 0, 0, 0, 0], "x.#": [1, 1, 1, 0, 0], "#.x": [1, 0, 0, 1, 1],
            "*.y.#": [0, 1, 1, 0, 1], "*.#.*": [0, 1, 1, 1, 1], "x.*.#.z": [0, 0, 1, 0, 0], "#.#": [1, 1, 1, 1, 1],
        }
        for pattern, expected in table.items():
            self.assertEqual([int(topic_matches(pattern, topic)) for topic in topics], expected, pattern)
        self.assertEqual([match_parts(["#"], []), match_parts(["*"], []), match_parts([], ["x"])], [True, False, False])

    def test_specificity_order(self):
        patterns = ["#.#", "a.#", "*", "a.*.b", "a.*", "a.b.c"]
        self.assertEqual(sorted(patterns, key=specificity), ["#.#", "*", "a.#", "a.*", "a.*.b", "a.b.c"])


class HiddenRuleTest(unittest.TestCase):
    def test_rule_conditions_together(self):
        rule = parse_rule("log.# -> disk min=high kind:audit")
        good = Message("log.app.db", priority=Priority.HIGH, headers={"Kind": "audit"})
        self.assertTrue(rule.accepts(good))
        self.assertFalse(rule.accepts(raise_priority(good, -1)))
        self.assertFalse(rule.accepts(Message("log", priority=Priority.URGENT, headers={"kind": "Audit"})))
        self.assertFalse(rule.accepts(Message("logs", priority=Priority.URGENT, headers={"kind": "audit"})))

    def test_parse_option_order_does_not_matter(self):
        left = parse_rule("a.b->out max=low stop weight=-2 tag:x=1")
        right = parse_rule("a.b -> out tag:x=1 weight=-2 stop max=0")
        self.assertEqual(left, right)
        self.assertEqual(left, Rule("a.b", "out", weight=-2, highest=Priority.LOW, require={"tag": "x=1"}, stop=True))
        for text in ("", "->", "a -> b min=", "a -> b weight=x", "a -> b stop=1"):
            with self.assertRaises(ValueError):
                parse_rule(text)

    def test_order_is_stable(self):
        rules = [Rule("a.b", str(n), weight=n % 2) for n in range(6)]
        self.assertEqual("".join(rule.target for rule in order_rules(rules)), "135024")
        self.assertEqual(order_rules([]), [])

    def test_router_changes(self):
        router = Router([parse_rule("#.error -> alarm boost=2"), parse_rule("# -> all")], fallback="none")
        router.add(parse_rule("db.error -> dba weight=1 stop"))
        self.assertEqual(list(router.route(Message("db.error"))), ["dba"])
        self.assertEqual(router.remove_target("dba"), 1)
        routes = router.route(Message("db.error"))
        self.assertEqual([(name, m.priority.name) for name, m in routes.items()], [("alarm", "URGENT"), ("all", "NORMAL")])
        self.assertEqual(router.targets(), ["alarm", "all", "none"])
        router.remove_target("all")
        self.assertEqual(router.route(Message("web")), {"none": Message("web")})

    def test_shadowed_rules(self):
        rules = [Rule("k", "1", 1, stop=True), Rule("k", "2", stop=True), Rule("k", "3", require={"a": "b"}), Rule("*", "4")]
        router = Router(rules)
        self.assertEqual([rule.target for rule in router.shadowed()], ["2", "3"])
        self.assertEqual(router.matching(Message("k")), rules[:1])
        self.assertEqual(router.matching(Message("j")), rules[3:])
