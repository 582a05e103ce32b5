import unittest

from resolver.names import DomainName
from resolver.zone import Record, Zone, ZoneError


def name(text):
    return DomainName.parse(text)


class ZoneTest(unittest.TestCase):
    def setUp(self):
        self.zone = Zone("example.org.", default_ttl=900)

    def values(self, text, kind):
        return [record.value for record in self.zone.find(name(text), kind)]

    def test_add_uses_origin_and_default_ttl(self):
        record = self.zone.add("www", "A", "10.0.0.1")
        self.assertEqual((str(record.name), record.ttl), ("www.example.org.", 900))
        self.assertEqual(len(self.zone), 1)

    def test_own_ttl_may_be_zero(self):
        self.assertEqual(self.zone.add("www", "A", "10.0.0.1", ttl=0).ttl, 0)
        with self.assertRaises(ZoneError):
            self.zone.add("www", "A", "10.0.0.2", ttl=-1)

    def test_unknown_kind(self):
        with self.assertRaisesRegex(ZoneError, "unknown kind"):
            Record(name("a."), "HINFO", "x", 1)

    def test_add_outside_of_the_zone(self):
        with self.assertRaisesRegex(ZoneError, "outside"):
            self.zone.add("www.example.net.", "A", "10.0.0.1")
        self.assertEqual(len(self.zone), 0)

    def test_repeated_record_takes_the_place_of_the_old_one(self):
        self.zone.add("www", "A", "10.0.0.1", ttl=5)
        self.zone.add("www", "A", "10.0.0.1", ttl=7)
        self.assertEqual([record.ttl for record in self.zone.at(name("www.example.org."), "A")], [7])
        self.zone.add("a", "TXT", "x")
        self.zone.add("a", "NS", "x")
        self.zone.add("a", "TXT", "y")
        self.assertEqual(len(self.zone), 4)

    def test_alias_beside_other_records(self):
        self.zone.add("www", "A", "10.0.0.1")
        with self.assertRaisesRegex(ZoneError, "other records"):
            self.zone.add("www", "CNAME", "web.example.org.")

    def test_records_beside_an_alias(self):
        self.zone.add("www", "CNAME", "web.example.org.")
        with self.assertRaisesRegex(ZoneError, "is an alias"):
            self.zone.add("www", "A", "10.0.0.1")
        self.zone.add("www", "CNAME", "web.example.org.", ttl=1)
        self.assertEqual(len(self.zone), 1)

    def test_remove_one_kind_or_all(self):
        self.zone.add("a", "A", "10.0.0.1")
        self.zone.add("a", "A", "10.0.0.2")
        self.zone.add("a", "TXT", "hello")
        self.assertEqual(self.zone.remove("a", "A"), 2)
        self.assertEqual(self.values("a.example.org.", "TXT"), ["hello"])
        self.zone.add("a", "A", "10.0.0.3")
        self.assertEqual(self.zone.remove("a"), 2)
        self.assertEqual((self.zone.names(), self.zone.remove("a")), ([], 0))

    def test_serial_counts_changes(self):
        self.zone.add("a", "A", "10.0.0.1")
        self.zone.remove("b")
        self.assertEqual(self.zone.serial, 1)
        self.zone.remove("a", "A")
        self.assertEqual(self.zone.serial, 2)

    def test_names_in_canonical_order(self):
        for owner in ("b", "z.a", "@", "a"):
            self.zone.add(owner, "TXT", "x")
        self.assertEqual(self.zone.names(), ["@", "a", "z.a", "b"])

    def test_records_by_priority(self):
        self.zone.add("@", "MX", "slow.example.org.", priority=20)
        self.zone.add("@", "MX", "fast.example.org.", priority=10)
        self.assertEqual(self.values("example.org.", "MX"), ["fast.example.org.", "slow.example.org."])

    def test_exists_on_the_way(self):
        self.zone.add("a.b", "A", "10.0.0.1")
        self.assertTrue(self.zone.exists(name("b.example.org.")))
        self.assertFalse(self.zone.exists(name("c.b.example.org.")))

    def test_highest_delegation_wins(self):
        self.zone.add("sub", "NS", "ns.sub.example.org.")
        self.zone.add("deep.sub", "NS", "ns.other.net.")
        cut = self.zone.delegation(name("x.deep.sub.example.org."))
        self.assertEqual([record.value for record in cut], ["ns.sub.example.org."])
        self.assertEqual(len(self.zone.delegation(name("sub.example.org."))), 1)
        self.zone.add("@", "NS", "ns.example.org.")
        self.assertEqual(self.zone.delegation(name("www.example.org.")), [])

    def test_wildcard_takes_the_asked_name(self):
        self.zone.add("*.dyn", "A", "10.0.0.9")
        (record,) = self.zone.find(name("x.y.dyn.example.org."), "A")
        self.assertEqual((str(record.name), record.value, record.ttl), ("x.y.dyn.example.org.", "10.0.0.9", 900))

    def test_wildcard_is_blocked_by_an_existing_name(self):
        self.zone.add("*", "A", "10.0.0.9")
        self.zone.add("host", "A", "10.0.0.1")
        self.assertEqual(self.values("x.host.example.org.", "A"), [])
        self.assertEqual(self.values("other.example.org.", "A"), ["10.0.0.9"])
        self.assertEqual(self.values("host.example.org.", "TXT"), [])


if __name__ == "__main__":
    unittest.main()
