import unittest

from resolver.names import DomainName, InvalidName


def name(text):
    return DomainName.parse(text)


class ParseTest(unittest.TestCase):
    def test_labels(self):
        self.assertEqual(name("www.Example.ORG.").labels, ("www", "example", "org"))
        self.assertEqual(name("a.b"), name("a.b."))

    def test_relative_name_is_completed(self):
        self.assertEqual(str(DomainName.parse("mail", name("example.org."))), "mail.example.org.")
        self.assertEqual(str(DomainName.parse("a.net.", name("example.org."))), "a.net.")

    def test_origin_and_root(self):
        origin = name("example.org.")
        self.assertEqual(DomainName.parse("@", origin), origin)
        with self.assertRaises(InvalidName):
            DomainName.parse("@")
        self.assertEqual(name(".").labels, ())
        self.assertEqual(len(DomainName()), 0)

    def test_wildcard_only_in_front(self):
        self.assertEqual(name("*.a.").labels, ("*", "a"))
        with self.assertRaises(InvalidName):
            name("a.*.")

    def test_label_lengths(self):
        self.assertEqual(len(name("x" * 63 + ".org.")), 2)
        with self.assertRaises(InvalidName):
            name("x" * 64 + ".org.")
        with self.assertRaises(InvalidName):
            name("a..b.")

    def test_hyphens_inside_only(self):
        self.assertEqual(name("a-b.").labels, ("a-b",))
        for bad in ("-ab.", "ab-."):
            with self.assertRaises(InvalidName):
                name(bad)

    def test_characters(self):
        self.assertEqual(name("_tcp.n1.").labels, ("_tcp", "n1"))
        with self.assertRaisesRegex(InvalidName, "holds '!'"):
            name("a!b.")


class RelationTest(unittest.TestCase):
    def test_equal_names_share_a_hash(self):
        self.assertEqual(len({name("A.b."), name("a.B."), name("b.a.")}), 2)
        self.assertNotEqual(name("a."), "a.")

    def test_canonical_order(self):
        names = [name("z.a."), name("a.b."), name("a."), name("b.a.")]
        self.assertEqual([str(one) for one in sorted(names)], ["a.", "b.a.", "z.a.", "a.b."])

    def test_ancestors_up_to_the_root(self):
        self.assertEqual([one.labels for one in name("a.b.c.").ancestors()], [("b", "c"), ("c",), ()])
        self.assertEqual(list(DomainName().ancestors()), [])

    def test_is_within_itself_and_what_lies_above(self):
        self.assertTrue(name("a.b.c.").is_within(name("b.c.")))
        self.assertTrue(name("b.c.").is_within(name("b.c.")))
        self.assertTrue(name("b.c.").is_within(DomainName()))
        self.assertFalse(name("c.").is_within(name("b.c.")))
        self.assertFalse(name("b.d.").is_within(name("b.c.")))

    def test_is_below_excludes_the_name_itself(self):
        self.assertTrue(name("a.b.").is_below(name("b.")))
        self.assertFalse(name("b.").is_below(name("b.")))
        self.assertFalse(name("a.b.").is_below(name("c.")))

    def test_relative_to(self):
        origin = name("b.c.")
        self.assertEqual(name("x.y.b.c.").relative_to(origin), "x.y")
        self.assertEqual(origin.relative_to(origin), "@")
        self.assertEqual(name("a.c.").relative_to(origin), "a.c.")


if __name__ == "__main__":
    unittest.main()
