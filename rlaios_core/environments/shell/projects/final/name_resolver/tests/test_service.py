import unittest

from resolver.names import DomainName
from resolver.service import Answer, AnswerCache, Resolver
from resolver.zone import Record, Zone

NAME = DomainName.parse("a.org.")


def answer(*ttls):
    return Answer("ok", [Record(NAME, "A", f"10.0.0.{ttl}", ttl) for ttl in ttls])


class CacheTest(unittest.TestCase):
    def test_answer_is_kept_for_its_smallest_ttl(self):
        self.assertEqual(answer(30, 10, 20).ttl(), 10)
        self.assertEqual(answer().ttl(5), 5)

    def test_entry_lives_until_its_end(self):
        cache = AnswerCache()
        cache.put(NAME, "A", answer(10), now=100)
        self.assertIsNotNone(cache.get(NAME, "A", 109))
        self.assertIsNone(cache.get(NAME, "A", 110))
        self.assertIsNone(cache.get(NAME, "TXT", 100))
        cache = AnswerCache()
        cache.put(NAME, "A", answer(0, 9), now=1)
        self.assertEqual(len(cache), 0)

    def test_full_cache_drops_what_expires_first(self):
        cache = AnswerCache(capacity=2)
        cache.put(NAME, "A", answer(50), now=0)
        cache.put(NAME, "MX", answer(20), now=0)
        cache.put(NAME, "TXT", answer(30), now=0)
        self.assertEqual(len(cache), 2)
        self.assertIsNone(cache.get(NAME, "MX", 1))
        self.assertIsNotNone(cache.get(NAME, "A", 1))

    def test_full_cache_drops_the_expired_only(self):
        cache = AnswerCache(capacity=3)
        for kind, ttl in (("A", 5), ("MX", 6), ("TXT", 7)):
            cache.put(NAME, kind, answer(ttl), now=0)
        cache.put(NAME, "NS", answer(9), now=6)
        self.assertEqual(len(cache), 2)
        self.assertIsNotNone(cache.get(NAME, "TXT", 6))

    def test_known_entry_needs_no_room(self):
        cache = AnswerCache(capacity=2)
        cache.put(NAME, "A", answer(5), now=0)
        cache.put(NAME, "MX", answer(9), now=0)
        cache.put(NAME, "A", answer(8), now=0)
        self.assertEqual(len(cache), 2)
        self.assertIsNotNone(cache.get(NAME, "A", 7))


class ResolverTest(unittest.TestCase):
    def setUp(self):
        self.parent = Zone("org.")
        self.zone = Zone("shop.org.", default_ttl=600)
        self.zone.add("web", "A", "10.0.0.1", ttl=60)
        self.zone.add("www", "CNAME", "web.shop.org.")
        self.zone.add("img", "CNAME", "www.shop.org.")
        self.resolver = Resolver([self.parent, self.zone])

    def test_longest_origin_wins(self):
        self.assertIs(self.resolver.zone_for(DomainName.parse("x.shop.org.")), self.zone)
        self.assertIs(self.resolver.zone_for(DomainName.parse("x.org.")), self.parent)
        self.assertIsNone(self.resolver.zone_for(DomainName.parse("x.net.")))

    def test_aliases_are_followed(self):
        found = self.resolver.resolve("img.shop.org.")
        self.assertEqual((found.status, found.ttl()), ("ok", 60))
        self.assertEqual(found.values(), ["www.shop.org.", "web.shop.org.", "10.0.0.1"])
        self.assertEqual(self.resolver.resolve("img.shop.org.", "CNAME").values(), ["www.shop.org."])

    def test_alias_loop(self):
        self.zone.add("a", "CNAME", "b.shop.org.")
        self.zone.add("b", "CNAME", "a.shop.org.")
        found = self.resolver.resolve("a.shop.org.")
        self.assertEqual((found.status, len(found.records)), ("loop", 9))

    def test_missing_and_empty_names(self):
        self.assertEqual(self.resolver.resolve("none.shop.org.").status, "no name")
        self.assertEqual(self.resolver.resolve("web.shop.org.", "TXT").status, "no data")
        self.assertEqual(self.resolver.resolve("web.shop.net.").status, "refused")

    def test_referral_carries_the_servers(self):
        self.parent.add("club", "NS", "ns.club.org.")
        found = self.resolver.resolve("www.club.org.")
        self.assertEqual((found.status, found.values()), ("referral", ["ns.club.org."]))

    def test_cached_answer_outlives_a_change(self):
        resolver = Resolver([self.zone], AnswerCache())
        resolver.resolve("web.shop.org.", now=0)
        self.zone.remove("web")
        self.assertEqual(resolver.resolve("web.shop.org.", now=59).values(), ["10.0.0.1"])
        self.assertEqual(resolver.resolve("web.shop.org.", now=60).status, "no name")

    def test_mail_hosts(self):
        self.zone.add("@", "MX", "m2.shop.org.", priority=20)
        self.zone.add("@", "MX", "m1.shop.org.", priority=5)
        self.assertEqual(self.resolver.mail_hosts("shop.org."), ["m1.shop.org.", "m2.shop.org."])
        self.assertEqual(self.resolver.mail_hosts("web.shop.org."), ["web.shop.org."])
        self.assertEqual(self.resolver.mail_hosts("none.shop.org."), [])


if __name__ == "__main__":
    unittest.main()
