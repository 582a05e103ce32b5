import unittest

from resolver.names import DomainName, InvalidName
from resolver.service import Answer, AnswerCache, Resolver
from resolver.zone import Record, Zone, ZoneError


def name(text):
    return DomainName.parse(text)


class HiddenNameTest(unittest.TestCase):
    def test_parse_and_text_round_trip(self):
        for text in ("a.b.c.", "*.x.", ".", "n-1.t_2.org."):
            self.assertEqual(str(name(text)), text)

    def test_deep_relative_name(self):
        self.assertEqual(DomainName.parse("A.b", name("C.d.")).labels, ("a", "b", "c", "d"))
        self.assertEqual(DomainName.parse("*", name("c.")).labels, ("*", "c"))
        self.assertEqual(DomainName.parse("a", DomainName()).labels, ("a",))

    def test_bad_names(self):
        self.assertEqual(len(name("y" * 63)), 1)
        for bad in ("", "@", "a b.", ".a.", "x.*", "y" * 64, "a.-", "ok.b-.c."):
            with self.assertRaises(InvalidName):
                name(bad)

    def test_every_ancestor_encloses(self):
        one = name("p.q.r.s.")
        above = list(one.ancestors())
        self.assertEqual([len(other) for other in above], [3, 2, 1, 0])
        for other in above:
            self.assertTrue(one.is_below(other) and not other.is_below(one))
            self.assertTrue(other.is_within(other))

    def test_order_and_suffixes(self):
        names = [name(text) for text in ("b.x.", "a.y.", "x.", "c.b.x.", ".")]
        self.assertEqual([str(one) for one in sorted(names)], [".", "x.", "b.x.", "c.b.x.", "a.y."])
        self.assertNotEqual(hash(name("a.b.")), hash(name("b.a.")))
        self.assertFalse(name("badexample.org.").is_within(name("example.org.")))
        self.assertEqual(name("badexample.org.").relative_to(name("example.org.")), "badexample.org.")

    def test_relative_names_lead_back(self):
        origin = name("k.l.")
        for text in ("k.l.", "a.k.l.", "b.a.k.l.", "l.", "q.z."):
            self.assertEqual(DomainName.parse(name(text).relative_to(origin), origin), name(text))


class HiddenZoneTest(unittest.TestCase):
    def setUp(self):
        self.zone = Zone("lab.net.")

    def test_replacing_keeps_the_others(self):
        for value in ("1", "2", "3", "2"):
            self.zone.add("a", "A", value)
        self.assertEqual([record.value for record in self.zone.at(name("a.lab.net."), "A")], ["1", "3", "2"])
        self.assertEqual(self.zone.serial, 4)

    def test_second_alias_is_refused(self):
        self.zone.add("a", "CNAME", "b.lab.net.")
        with self.assertRaises(ZoneError):
            self.zone.add("a", "CNAME", "c.lab.net.")
        self.assertEqual((self.zone.serial, len(self.zone)), (1, 1))

    def test_remove_missing_kind(self):
        self.zone.add("a", "A", "1")
        self.zone.add("a", "TXT", "t")
        self.zone.add("b", "TXT", "t")
        self.assertEqual(self.zone.remove("a", "MX"), 0)
        self.assertEqual((len(self.zone), self.zone.serial), (3, 3))
        self.assertEqual((self.zone.remove("a", "TXT"), self.zone.names()), (1, ["a", "b"]))
        self.assertEqual((self.zone.remove("a"), self.zone.names(), self.zone.serial), (1, ["b"], 5))

    def test_nearest_wildcard_wins(self):
        self.zone.add("*", "TXT", "far")
        self.zone.add("*.in", "TXT", "near")
        found = [self.zone.find(name(text), "TXT")[0].value for text in ("q.in.lab.net.", "q.out.lab.net.")]
        self.assertEqual(found, ["near", "far"])
        self.assertIsNone(self.zone.wildcard_for(name("q.other.net.")))

    def test_alias_answers_other_kinds(self):
        self.zone.add("*", "CNAME", "web.lab.net.")
        (record,) = self.zone.find(name("any.lab.net."), "MX")
        self.assertEqual((record.kind, str(record.name), record.ttl), ("CNAME", "any.lab.net.", 3600))
        self.assertEqual(self.zone.find(name("lab.net."), "MX"), [])

    def test_what_a_record_may_be(self):
        for kind, ttl in (("A", -1), ("PTR", 5)):
            with self.assertRaises(ZoneError):
                Record(name("a."), kind, "1", ttl)
        with self.assertRaises(ZoneError):
            self.zone.add("x.net.", "A", "1")
        self.assertEqual(self.zone.add("a", "A", "1").ttl, 3600)
        self.assertEqual(self.zone.add("b", "A", "1", ttl=12).ttl, 12)
        self.assertEqual(Record(name("a."), "A", "1", 0).ttl, 0)
        self.assertEqual(Record(name("a."), "MX", "b.", 4, 7).renamed(name("c.")).priority, 7)


class HiddenServiceTest(unittest.TestCase):
    def chained(self, length):
        zone = Zone("c.")
        for step in range(length):
            zone.add(f"n{step}", "CNAME", f"n{step + 1}.c.")
        zone.add(f"n{length}", "A", "end")
        return Resolver([zone])

    def test_eight_aliases_are_allowed(self):
        self.assertEqual(self.chained(8).resolve("n0.c.").values()[-1], "end")
        found = self.chained(9).resolve("n0.c.")
        self.assertEqual((found.status, len(found.records)), ("loop", 9))

    def test_broken_chains_and_nested_zones(self):
        zone = Zone("c.")
        zone.add("a", "CNAME", "gone.c.")
        found = Resolver([zone]).resolve("a.c.")
        self.assertEqual((found.status, found.values()), ("no name", ["gone.c."]))
        outer, inner = Zone("c."), Zone("b.c.")
        outer.add("b", "NS", "ns.b.c.")
        inner.add("a", "A", "7")
        for zones in ([outer, inner], [inner, outer]):
            self.assertEqual(Resolver(zones).resolve("a.b.c.").values(), ["7"])

    def test_negative_answers_are_cached_and_referrals_are_not(self):
        zone, cache = Zone("c."), AnswerCache(negative_ttl=30)
        zone.add("sub", "NS", "ns.sub.c.")
        resolver = Resolver([zone], cache)
        resolver.resolve("x.sub.c.", now=5)
        self.assertEqual(len(cache), 0)
        resolver.resolve("x.c.", now=5)
        zone.add("x", "A", "1")
        self.assertEqual(resolver.resolve("x.c.", now=34).status, "no name")
        self.assertEqual(resolver.resolve("x.c.", now=35).status, "ok")

    def test_room_is_made_by_what_has_expired(self):
        cache = AnswerCache(capacity=3)
        for index, ttl in enumerate((9, 2, 7)):
            owner = name(f"h{index}.")
            cache.put(owner, "A", Answer("ok", [Record(owner, "A", "1", ttl)]), now=0)
        cache.put(name("n."), "A", Answer("no name", []), now=2)
        self.assertEqual(len(cache), 3)
        self.assertIsNotNone(cache.get(name("h2."), "A", 6))
        self.assertIsNotNone(cache.get(name("n."), "A", 61))
        self.assertIsNone(cache.get(name("n."), "A", 62))

    def test_wildcard_without_the_kind_is_no_data(self):
        zone = Zone("c.")
        zone.add("*", "A", "1")
        resolver = Resolver([zone])
        self.assertEqual(resolver.resolve("q.c.", "TXT").status, "no data")
        self.assertEqual(resolver.resolve("q.c.", "A").values(), ["1"])
        self.assertEqual(resolver.mail_hosts("q.c."), ["q.c."])
        self.assertEqual((resolver.resolve("q.d.").status, resolver.mail_hosts("q.d.")), ("refused", []))

    def test_mail_through_an_alias(self):
        zone = Zone("c.")
        zone.add("a", "CNAME", "b.c.")
        for priority, host in ((30, "z.c."), (10, "y.c."), (20, "x.c.")):
            zone.add("b", "MX", host, priority=priority)
        self.assertEqual(Resolver([zone]).mail_hosts("a.c."), ["y.c.", "x.c.", "z.c."])

    def test_purge_and_room(self):
        cache = AnswerCache(capacity=2)
        for index, ttl in enumerate((4, 8, 6)):
            owner = name(f"h{index}.")
            cache.put(owner, "A", Answer("ok", [Record(owner, "A", "1", ttl)]), now=1)
        self.assertEqual([cache.get(name(f"h{i}."), "A", 4) is None for i in range(3)], [True, False, False])
        cache.put(name("z."), "A", Answer("ok", [Record(name("z."), "A", "1", 0)]), now=4)
        self.assertEqual([cache.get(name(f"h{i}."), "A", 4) is None for i in range(3)], [True, False, False])
        self.assertEqual((cache.purge(6), cache.purge(7), cache.purge(9), len(cache)), (0, 1, 1, 0))


if __name__ == "__main__":
    unittest.main()
