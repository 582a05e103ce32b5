import unittest

from relay.message import (
    Message, Priority, aged_priority, match_parts, parse_priority, raise_priority, specificity, topic_matches,
)


class MessageTest(unittest.TestCase):
    def test_expired(self):
        message = Message("a", sent_at=10, lifetime=5)
        self.assertEqual([message.expired(now) for now in (14, 15, 16)], [False, False, True])
        self.assertFalse(Message("a").expired(10 ** 6))
        self.assertTrue(Message("a", lifetime=0).expired(1))

    def test_age(self):
        message = Message("a", sent_at=10)
        self.assertEqual([message.age(now) for now in (9, 10, 25)], [0, 0, 15])

    def test_header(self):
        message = Message("a", headers={"Trace": "t1", "user": ""})
        self.assertEqual([message.header("tRACE"), message.header("User", "x")], ["t1", ""])
        self.assertEqual([message.header("other"), message.header("other", "x")], ["", "x"])


class PriorityTest(unittest.TestCase):
    def test_raise_priority(self):
        raised = raise_priority(Message("a", "text", Priority.NORMAL))
        self.assertEqual(raised, Message("a", "text", Priority.HIGH))
        scale = [raise_priority(Message("a"), steps).priority.name for steps in (-2, -1, 2, 3)]
        self.assertEqual(scale, ["LOW", "LOW", "URGENT", "URGENT"])

    def test_aged_priority(self):
        message = Message("a", priority=Priority.LOW, sent_at=5)
        self.assertEqual([aged_priority(message, now, 10) for now in (14, 15, 34, 35, 99)], [0, 1, 2, 3, 3])

    def test_parse_priority_names(self):
        self.assertEqual(parse_priority(" Urgent "), Priority.URGENT)
        with self.assertRaises(ValueError):
            parse_priority("soon")

    def test_parse_priority_numbers(self):
        self.assertEqual([parse_priority(text) for text in ("0", "3", "4")], [0, 3, 3])
        with self.assertRaises(ValueError):
            parse_priority("-1")


class PatternTest(unittest.TestCase):
    def test_match_parts(self):
        self.assertTrue(match_parts(["a", "b"], ["a", "b"]))
        self.assertFalse(match_parts(["a", "b"], ["a", "c"]))
        self.assertEqual([match_parts(["a"], ["a", "b"]), match_parts(["a", "*"], ["a"])], [False, False])

    def test_star_is_one_part(self):
        self.assertTrue(topic_matches("a.*.c", "a.b.c"))
        self.assertFalse(topic_matches("a.*", "a.b.c"))

    def test_hash_is_any_number_of_parts(self):
        self.assertTrue(topic_matches("a.#", "a"))
        self.assertEqual([topic_matches("#.c.#", topic) for topic in ("a.b.c", "c")], [True, True])
        self.assertFalse(topic_matches("#.b", "a.b.c"))

    def test_specificity(self):
        self.assertEqual(specificity("a.*.b.#"), (2, -1))
        self.assertEqual(specificity("#"), (0, -1))


if __name__ == "__main__":
    unittest.main()
