from expiry import ExpiringCache
from memo import Stats, make_key, memoize, simulate, smallest_capacity


def test_expiring_get():
    cache = ExpiringCache(5)
    cache.put("a", 1, now=10)
    assert cache.get("a", now=14) == 1
    cache = ExpiringCache(5)
    cache.put("a", 1, now=10)
    assert cache.get("a", now=15, default="gone") == "gone"
    assert len(cache) == 0


def test_expiring_get_unknown():
    assert ExpiringCache().get("x", now=3) is None
    assert ExpiringCache().get("x", now=3, default=4) == 4


def test_expiring_lifetimes():
    cache = ExpiringCache(5)
    cache.put("a", 1, now=0, lifetime=2)
    assert cache.remaining("a", now=0) == 2
    cache = ExpiringCache()
    cache.put("a", 1, now=0)
    assert cache.remaining("a", now=3) == 7


def test_remaining_never_negative():
    cache = ExpiringCache(5)
    cache.put("a", 1, now=0)
    assert cache.remaining("a", now=8) == 0
    assert cache.remaining("x", now=0) == 0


def test_touch_renews():
    cache = ExpiringCache(5)
    cache.put("a", 1, now=0)
    assert cache.touch("a", now=4) is True
    assert cache.get("a", now=8) == 1


def test_touch():
    cache = ExpiringCache(5)
    cache.put("a", 1, now=0)
    assert cache.touch("a", now=5) is False
    assert cache.remaining("a", now=0) == 5
    assert ExpiringCache(5).touch("x", now=0) is False


def test_purge():
    cache = ExpiringCache(5)
    for key, now in [("c", 0), ("b", 3), ("a", 1)]:
        cache.put(key, 0, now)
    assert cache.purge(now=6) == ["a", "c"]
    assert len(cache) == 1


def test_next_expiry():
    cache = ExpiringCache(5)
    assert cache.next_expiry() is None
    cache.put("a", 1, now=4)
    cache.put("b", 1, now=2)
    assert cache.next_expiry() == 7


def test_stats_calls_and_rate():
    assert Stats(2, 1).calls == 3
    assert Stats(2, 1).hit_rate() == 66.7
    assert Stats(1, 0).hit_rate() == 100.0


def test_stats_empty_and_merged():
    assert Stats().calls == 0
    assert Stats().hit_rate() == 0.0
    assert Stats(2, 1).merge(Stats(5, 7)) == Stats(7, 8)


def test_make_key():
    assert make_key((1,), {"b": 2, "a": 3}) == (1, ("a", 3), ("b", 2))
    assert make_key((1,), {"a": "x"}, typed=True) == (1, ("a", "x"), int, str)
    assert make_key((1,), {}) == (1,)


def test_memoize_calls_once():
    seen = []
    double = memoize()(lambda n: seen.append(n) or n * 2)
    assert [double(4), double(4)] == [8, 8]
    assert seen == [4]


def test_memoize():
    double = memoize()(lambda n: n * 2)
    for n in [1, 1, 2, 1]:
        double(n)
    assert double.stats == Stats(hits=2, misses=2)
    nothing = memoize()(lambda n: None)
    nothing(1)
    nothing(1)
    assert nothing.stats == Stats(1, 1)


def test_memoize_capacity():
    double = memoize(capacity=2)(lambda n: n * 2)
    for n in [1, 2, 3]:
        double(n)
    assert double.cache.keys() == [(2,), (3,)]
    assert memoize()(abs).cache.capacity == 3
    same = memoize()(lambda n: n)
    strict = memoize(typed=True)(lambda n: n)
    for func in (same, strict):
        func(1)
        func(1.0)
    assert (same.stats.misses, strict.stats.misses) == (1, 2)


def test_simulate():
    assert simulate("abab", 2) == Stats(2, 2)
    assert simulate("abcab", 2) == Stats(0, 5)


def test_smallest_capacity():
    assert smallest_capacity("aab", 1) == 1
    assert smallest_capacity("abcabc", 3) == 3
    assert smallest_capacity("abcabc", 4) is None


def test_smallest_capacity_limit():
    assert smallest_capacity("abcabc", 1, limit=3) == 3
    assert smallest_capacity("abcabc", 1, limit=2) is None
    assert smallest_capacity("abcdefgh" * 2, 1) == 8
    assert smallest_capacity("abcdefghi" * 2, 1) is None
