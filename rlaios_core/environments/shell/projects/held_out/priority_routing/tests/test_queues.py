import unittest

from relay.message import Message, Priority
from relay.queues import Exchange, MessageQueue, pause_after
from relay.rules import Router, Rule

LOW, NORMAL, HIGH, URGENT = Priority


def filled(*priorities, **options):
    queue = MessageQueue("q", **options)
    for number, priority in enumerate(priorities):
        queue.put(Message("t", str(number), priority))
    return queue


def bodies(queue):
    return "".join(message.body for _, message in queue.waiting)


class PauseTest(unittest.TestCase):
    def test_pause_after(self):
        self.assertEqual([pause_after(n) for n in (-1, 0, 1, 2, 3, 4, 5)], [0, 0, 2, 4, 15, 60, 60])
        self.assertEqual([pause_after(n, steps=(7,)) for n in (1, 2)], [7, 7])
        self.assertEqual(pause_after(1, steps=()), 0)


class QueueTest(unittest.TestCase):
    def test_put_up_to_the_capacity(self):
        queue = MessageQueue("q", capacity=2)
        self.assertEqual([queue.put(Message("a")), queue.put(Message("b"))], [True, True])
        self.assertEqual((len(queue), queue.dropped, queue.patience), (2, 0, 100))
        queue = filled(*[NORMAL] * 11)
        self.assertEqual((len(queue), queue.dropped), (10, 1))

    def test_full_queue_drops_the_newest_of_the_least_urgent(self):
        queue = filled(LOW, HIGH, LOW, NORMAL, capacity=4)
        self.assertTrue(queue.put(Message("t", "x", HIGH)))
        self.assertEqual(bodies(queue), "013x")

    def test_full_queue_drops_the_message_itself(self):
        queue = filled(HIGH, NORMAL, capacity=2)
        self.assertFalse(queue.put(Message("t", "x", NORMAL)))
        self.assertEqual((bodies(queue), queue.dropped), ("01", 1))

    def test_purge(self):
        queue = filled(NORMAL)
        queue.put(Message("t", "old", lifetime=3))
        self.assertEqual([queue.purge(3), queue.purge(4)], [0, 1])
        self.assertEqual(bodies(queue), "0")

    def test_best_index_skips_what_is_not_ready_or_expired(self):
        queue = filled(LOW)
        queue.put(Message("t", "later", HIGH), ready_at=5)
        queue.put(Message("t", "short", URGENT, lifetime=2))
        self.assertEqual([queue.best_index(now) for now in (2, 3, 5)], [2, 0, 1])

    def test_waiting_raises_the_priority(self):
        queue = MessageQueue("q", patience=10)
        for message in (Message("t", "new", NORMAL, sent_at=10), Message("t", "old", LOW, sent_at=0)):
            queue.put(message)
        self.assertEqual([queue.best_index(now) for now in (19, 20, 29, 30)], [0, 0, 0, 0])
        queue.waiting.reverse()
        self.assertEqual([queue.best_index(now) for now in (9, 10)], [1, 0])

    def test_best_index_and_take(self):
        queue = filled(LOW, HIGH, LOW, HIGH)
        self.assertEqual(queue.best_index(0), 1)
        self.assertEqual([queue.take(0).body for _ in range(4)], ["1", "3", "0", "2"])
        self.assertIsNone(queue.take(0))

    def test_counts(self):
        self.assertEqual(filled(LOW, HIGH, LOW).counts(), {"LOW": 2, "HIGH": 1})


class ExchangeTest(unittest.TestCase):
    def test_publish(self):
        exchange = Exchange(Router([Rule("a", "q"), Rule("#", "all", boost=1)]), capacity=1)
        self.assertEqual(exchange.publish(Message("a")), ["q", "all"])
        self.assertEqual(exchange.publish(Message("a", priority=LOW)), [])
        self.assertEqual(exchange.queues["all"].counts(), {"HIGH": 1})

    def test_publish_without_route(self):
        exchange = Exchange(Router([Rule("a", "q")]))
        self.assertEqual(exchange.publish(Message("b")), [])
        self.assertEqual(exchange.dead, [Message("b")])

    def test_fail_delays_the_message(self):
        exchange = Exchange(Router(fallback="q"))
        self.assertEqual(exchange.queues["q"].capacity, 10)
        self.assertTrue(exchange.fail("q", Message("a", attempts=1), now=100))
        self.assertEqual(exchange.queues["q"].waiting, [(104, Message("a", attempts=2))])

    def test_fail_gives_up(self):
        exchange = Exchange(Router(fallback="q"), max_attempts=2)
        self.assertEqual([exchange.fail("q", Message("a", attempts=n), 0) for n in (0, 1)], [True, False])
        self.assertEqual(exchange.dead, [Message("a", attempts=2)])
        self.assertFalse(Exchange(Router(fallback="q")).fail("q", Message("a", attempts=2), 0))

    def test_drain(self):
        exchange = Exchange(Router(fallback="q"))
        for number in range(3):
            exchange.publish(Message("t", str(number), Priority(number)))
        exchange.queues["q"].put(Message("t", "later"), ready_at=9)
        self.assertEqual([m.body for m in exchange.drain("q", 0, 1)], ["2"])
        self.assertEqual([m.body for m in exchange.drain("q", 0)], ["1", "0"])
        self.assertEqual([m.body for m in exchange.drain("q", 9, limit=5)], ["later"])

    def test_busiest(self):
        exchange = Exchange(Router([Rule("a", "q"), Rule("b", "p")]))
        self.assertEqual(exchange.busiest(), "p")
        exchange.publish(Message("a"))
        self.assertEqual(exchange.busiest(), "q")
        self.assertIsNone(Exchange(Router()).busiest())
