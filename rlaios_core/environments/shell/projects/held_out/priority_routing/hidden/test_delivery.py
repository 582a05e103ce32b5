import unittest

from relay.message import Message, Priority
from relay.queues import Exchange, MessageQueue, pause_after
from relay.rules import Router, Rule


def queue_of(text, **options):
    """Queue with one message per digit, the digit being its priority."""
    queue = MessageQueue("work", **options)
    for position, digit in enumerate(text):
        queue.put(Message("t", f"{digit}{'abcdefgh'[position]}", Priority(int(digit))))
    return queue


class HiddenQueueTest(unittest.TestCase):
    def test_pauses(self):
        self.assertEqual([pause_after(n, steps=(9, 1, 5)) for n in range(-1, 6)], [0, 0, 9, 1, 5, 5, 5])
        self.assertEqual([pause_after(n) for n in (1, 3, 9)], [2, 15, 60])
        self.assertEqual(pause_after(4, steps=()), 0)

    def test_messages_leave_in_order_of_priority(self):
        queue = queue_of("1302310")
        taken = [queue.take(0).body for _ in range(7)]
        self.assertEqual(taken, ["3b", "3e", "2d", "1a", "1f", "0c", "0g"])
        self.assertEqual((len(queue), queue.take(0), queue.best_index(0)), (0, None, None))

    def test_overflow_keeps_the_most_urgent(self):
        queue = queue_of("10213021", capacity=4)
        self.assertEqual([message.body for _, message in queue.waiting], ["1a", "2c", "3e", "2g"])
        self.assertEqual(queue.dropped, 4)
        self.assertEqual(queue.counts(), {"NORMAL": 1, "HIGH": 2, "URGENT": 1})
        self.assertFalse(MessageQueue("none", capacity=0).put(Message("t")))

    def test_equal_messages_are_kept_apart(self):
        queue = MessageQueue("twice", capacity=2)
        message = Message("t")
        self.assertEqual([queue.put(message) for _ in range(3)], [True, True, False])
        self.assertIs(queue.take(1), message)
        self.assertEqual(len(queue), 1)

    def test_waiting_and_expiry(self):
        queue = MessageQueue("slow")
        queue.put(Message("t", "old", Priority.LOW, sent_at=0))
        queue.put(Message("t", "new", Priority.NORMAL, sent_at=150, lifetime=100))
        queue.waiting.reverse()
        self.assertEqual([queue.best_index(now) for now in (99, 199, 200, 250, 251)], [0, 0, 1, 0, 1])
        self.assertEqual([queue.purge(250), queue.purge(251), queue.purge(999)], [0, 1, 0])

    def test_a_message_through_all_its_attempts(self):
        exchange = Exchange(Router([Rule("job.*", "jobs", boost=1)]), capacity=2)
        self.assertEqual(exchange.publish(Message("job.mail")), ["jobs"])
        times = []
        for now in range(20):
            for message in exchange.drain("jobs", now):
                times.append((now, message.attempts))
                exchange.fail("jobs", message, now)
        self.assertEqual(times, [(0, 0), (2, 1), (6, 2)])
        self.assertEqual([(m.attempts, m.priority.name) for m in exchange.dead], [(3, "HIGH")])

    def test_exchange_with_several_queues(self):
        exchange = Exchange(Router([Rule("a.#", "x"), Rule("#.b", "y"), Rule("c", "z")]), capacity=2)
        results = [exchange.publish(Message(topic)) for topic in ("a.b", "b", "d", "b", "c")]
        self.assertEqual(results, [["x", "y"], ["y"], [], [], ["z"]])
        self.assertEqual((exchange.busiest(), len(exchange.dead)), ("y", 1))
        self.assertEqual(len(exchange.drain("y", 0, limit=1)), 1)
        self.assertEqual(exchange.busiest(), "x")
        self.assertEqual(exchange.drain("z", 0, limit=0), [])
