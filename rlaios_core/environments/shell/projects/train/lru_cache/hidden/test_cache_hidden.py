import pytest

from caches import LFUCache, LRUCache
from expiry import ExpiringCache
from linked import KeyList
from memo import Stats, make_key, memoize, simulate, smallest_capacity


def test_key_list_against_plain_list():
    keys, plain = KeyList(), []
    for key in [5, 3, 5, 9, 1, 3, 3, 7, 9]:
        keys.push(key)
        if key in plain:
            plain.remove(key)
        plain.append(key)
        assert list(keys) == plain
        assert keys.newest(20) == plain[::-1]
        assert len(keys) == len(plain)


def test_key_list_removals():
    keys = KeyList([1, 2, 3, 4, 5])
    for key in (3, 1, 5):
        keys.remove(key)
        assert key not in keys
    assert list(keys) == [2, 4] and keys.newest(9) == [4, 2]
    assert [keys.pop_oldest(), keys.pop_oldest()] == [2, 4]
    assert keys.front is None and keys.back is None
    with pytest.raises(KeyError):
        keys.pop_oldest()
    keys.push(8)
    assert list(keys) == [8] and 8 in keys


def test_newest_counts():
    keys = KeyList("wxyz")
    assert [keys.newest(n) for n in (0, 3)] == [[], ["z", "y", "x"]]
    assert keys.newest() == ["z"]


def test_lru_sequence():
    cache = LRUCache(3)
    evicted = [cache.put(n, n * n) for n in (1, 2, 3, 1, 4, 5)]
    assert evicted == [None, None, None, None, 2, 3]
    assert cache.keys() == [1, 4, 5]
    assert [cache.get(n, -1) for n in (1, 2, 5)] == [1, -1, 25]
    assert cache.keys() == [4, 1, 5] and len(cache) == 3


def test_lru_peek_and_discard():
    cache = LRUCache(2)
    cache.put("m", 1)
    cache.put("n", 2)
    assert (cache.peek("m"), cache.peek("o"), cache.peek("o", 5)) == (1, None, 5)
    assert cache.put("o", 3) == "m"
    assert (cache.discard("m"), cache.discard("o"), cache.keys()) == (False, True, ["n"])
    assert cache.put("p", 4) is None


def test_lru_capacity_and_resize():
    for bad in (0, -3):
        with pytest.raises(ValueError):
            LRUCache(bad)
    cache = LRUCache(5)
    for n in range(5):
        cache.put(n, n)
    cache.get(0)
    assert cache.resize(3) == [1, 2] and cache.keys() == [3, 4, 0]
    assert cache.put(9, 9) == 3
    assert cache.resize(-2) == [4, 0] and cache.capacity == 1


def test_lfu_sequence():
    cache = LFUCache(3)
    for key in "pqrpq":
        cache.put(key, key)
    assert (cache.coldest(), cache.hottest()) == ("r", ["p", "q"])
    cache.put("s", 1)
    assert [cache.uses(key) for key in "pqrs"] == [2, 2, 0, 1]
    assert cache.get("r", "none") == "none" and cache.get("r") is None
    assert cache.get("s") == 1 and cache.get("s") == 1
    assert cache.hottest(1) == ["s"] and cache.hottest(5) == ["s", "p", "q"]
    cache.put("t", 2)
    assert cache.get("p") is None and cache.uses("p") == 0


def test_expiring_sequence():
    cache = ExpiringCache(lifetime=4)
    cache.put("m", "x", now=100)
    cache.put("n", "y", now=101, lifetime=1)
    assert (cache.next_expiry(), len(cache)) == (102, 2)
    assert [cache.remaining("m", now) for now in (100, 103, 104, 110)] == [4, 1, 0, 0]
    assert cache.get("n", now=102) is None and len(cache) == 1
    assert cache.touch("m", now=103) is True and cache.next_expiry() == 107
    assert cache.touch("m", now=107) is False
    assert cache.get("m", now=106) == "x" and cache.get("m", now=107, default=0) == 0


def test_expiring_purge_limits():
    cache = ExpiringCache()
    for key, now in [("z", 1), ("y", 2), ("x", 0)]:
        cache.put(key, key, now)
    assert cache.purge(9) == []
    assert cache.purge(11) == ["x", "z"]
    assert cache.remaining("y", 9) == 3 and cache.remaining("z", 1) == 0
    assert cache.touch("z", 1) is False and cache.get("q", 5, "d") == "d"
    assert cache.purge(12) == ["y"] and cache.next_expiry() is None


def test_stats_values():
    assert Stats(1, 7).hit_rate() == 12.5 and Stats(0, 3).hit_rate() == 0.0
    assert Stats(1, 2).hit_rate() == 33.3 and Stats(0, 0).hit_rate() == 0.0
    total = Stats(3, 4).merge(Stats(10, 20))
    assert (total.hits, total.misses, total.calls) == (13, 24, 37)


def test_keys_of_calls():
    assert make_key((), {"y": 1, "x": 2}) == make_key((), {"x": 2, "y": 1})
    assert make_key((2,), {}) == make_key((2.0,), {})
    assert make_key((2,), {}, typed=True) != make_key((2.0,), {}, typed=True)
    assert make_key((), {"k": 2}, typed=True) != make_key((), {"k": 2.0}, typed=True)
    assert make_key((), {}) == ()


def test_memoized_function():
    calls = []

    @memoize(capacity=2)
    def area(width, height=1):
        """Area."""
        calls.append((width, height))
        return width * height

    assert [area(3), area(4, height=5), area(3), area(6), area(4, height=5)] == [3, 20, 3, 6, 20]
    assert calls == [(3, 1), (4, 5), (6, 1), (4, 5)]
    assert area.stats == Stats(1, 4) and area.stats.hit_rate() == 20.0
    assert area.__name__ == "area" and len(area.cache) == 2
    assert memoize()(len).cache.capacity == 3


def test_memoize_none_and_types():
    calls = []
    record = memoize(typed=True)(lambda n: calls.append(n))
    assert [record(1), record(1), record(1.0)] == [None, None, None]
    assert len(calls) == 2
    loose = memoize()(lambda n: n)
    loose(1), loose(1.0)
    assert loose.stats == Stats(1, 1)


def test_simulations():
    assert simulate([], 3) == Stats(0, 0)
    assert simulate([1, 1, 1], 1) == Stats(2, 1)
    requests = [1, 2, 3, 2, 1, 4, 1, 2]
    hits = [simulate(requests, n).hits for n in range(1, 6)]
    assert hits == [0, 2, 4, 4, 4]
    assert [smallest_capacity(requests, n) for n in (0, 1, 2, 3, 4, 5)] == [1, 2, 2, 3, 3, None]
    assert smallest_capacity(requests, 4, limit=2) is None
    assert smallest_capacity(list(range(8)) * 2, 8) == 8
    assert smallest_capacity(list(range(9)) * 2, 9) is None
