import unittest

from relay.message import Message, Priority
from relay.rules import Router, Rule, order_rules, parse_rule


class RuleTest(unittest.TestCase):
    def test_accepts_a_range_of_priorities(self):
        rule = Rule("#", "q", lowest=Priority.NORMAL, highest=Priority.HIGH)
        accepted = [rule.accepts(Message("a", priority=priority)) for priority in Priority]
        self.assertEqual(accepted, [False, True, True, False])

    def test_accepts_all_priorities_by_default(self):
        self.assertTrue(all(Rule("a", "q").accepts(Message("a", priority=p)) for p in Priority))
        self.assertFalse(Rule("a", "q").accepts(Message("b")))

    def test_accepts_with_required_headers(self):
        rule = Rule("a", "q", require={"env": "prod", "region": "eu"})
        self.assertTrue(rule.accepts(Message("a", headers={"ENV": "prod", "region": "eu"})))
        self.assertFalse(rule.accepts(Message("a", headers={"env": "prod", "region": "us"})))
        self.assertFalse(rule.accepts(Message("a", headers={"env": "prod"})))

    def test_parse_rule(self):
        self.assertEqual(parse_rule(" a.* -> mail "), Rule("a.*", "mail"))
        rule = parse_rule("a -> q stop boost=-1 weight=5 min=normal max=2 env:prod zone:a:b")
        self.assertEqual(rule, Rule("a", "q", 5, Priority.NORMAL, Priority.HIGH, {"env": "prod", "zone": "a:b"}, -1, True))

    def test_parse_rejects(self):
        for text in ("a", "  -> q", "a ->", "a -> q fast", "a -> q boost", "a -> q speed=1"):
            with self.assertRaises(ValueError):
                parse_rule(text)

    def test_order_rules(self):
        rules = [Rule("#", "1"), Rule("a.*", "2"), Rule("b.#", "3"), Rule("c.*", "4"), Rule("#", "5", weight=1)]
        self.assertEqual([rule.target for rule in order_rules(rules)], ["5", "2", "4", "3", "1"])


class RouterTest(unittest.TestCase):
    def test_add_keeps_the_order(self):
        router = Router([Rule("#", "all")])
        router.add(Rule("a", "one"))
        self.assertEqual([rule.target for rule in router.rules], ["one", "all"])

    def test_remove_target(self):
        router = Router([Rule("a", "q"), Rule("b", "r"), Rule("c", "q")])
        self.assertEqual([router.remove_target("q"), router.remove_target("q")], [2, 0])
        self.assertEqual(router.rules, [Rule("b", "r")])

    def test_matching_ends_at_a_stop_rule(self):
        router = Router([Rule("b", "x", 9, stop=True), Rule("a", "1", 3), Rule("a", "2", 2, stop=True), Rule("a", "3")])
        self.assertEqual([rule.target for rule in router.matching(Message("a"))], ["1", "2"])

    def test_route_uses_the_first_rule_of_a_target(self):
        router = Router([Rule("a", "q", boost=1), Rule("#", "q"), Rule("#", "r", boost=-1)])
        routes = router.route(Message("a"))
        self.assertEqual({name: message.priority.name for name, message in routes.items()}, {"q": "HIGH", "r": "LOW"})

    def test_route_to_the_fallback(self):
        message = Message("z")
        self.assertEqual(Router([Rule("a", "q")], fallback="rest").route(message), {"rest": message})
        self.assertEqual(Router([Rule("a", "q")]).route(message), {})
        self.assertEqual(list(Router([Rule("#", "q")], fallback="rest").route(message)), ["q"])

    def test_targets(self):
        rules = [Rule("a", "q"), Rule("b", "m"), Rule("c", "q")]
        self.assertEqual(Router(rules).targets(), ["m", "q"])
        self.assertEqual(Router(rules, fallback="n").targets(), ["m", "n", "q"])

    def test_shadowed(self):
        rules = [Rule("a", "1", 3), Rule("a", "2", 2, stop=True), Rule("a", "3", 1), Rule("b", "4")]
        self.assertEqual([rule.target for rule in Router(rules).shadowed()], ["3"])

    def test_not_shadowed_by_a_narrow_rule(self):
        for narrow in ({"require": {"x": "1"}}, {"lowest": Priority.NORMAL}, {"highest": Priority.HIGH}):
            router = Router([Rule("a", "1", 5, stop=True, **narrow), Rule("a", "2")])
            self.assertEqual(router.shadowed(), [])
