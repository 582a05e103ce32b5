import pytest

from caches import LFUCache, LRUCache
from linked import KeyList, Node


def filled(capacity, keys):
    cache = LRUCache(capacity)
    for key in keys:
        cache.put(key, key.upper())
    return cache


def warm():
    cache = LFUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    return cache


def test_node_starts_alone():
    node = Node("k")
    assert (node.key, node.prev, node.next) == ("k", None, None)


def test_key_list():
    assert list(KeyList("abc")) == ["a", "b", "c"]
    assert list(KeyList()) == []
    keys = KeyList("abc")
    keys.push("a")
    assert list(keys) == ["b", "c", "a"]


def test_key_list_len_and_contains():
    keys = KeyList("ab")
    assert len(keys) == 2
    assert "b" in keys
    assert "x" not in keys


def test_key_list_remove_middle():
    keys = KeyList("abc")
    keys.remove("b")
    assert list(keys) == ["a", "c"]
    assert keys.newest(3) == ["c", "a"]


def test_key_list_remove():
    keys = KeyList("abc")
    keys.remove("a")
    keys.remove("c")
    assert (keys.front.key, keys.back.key) == ("b", "b")
    keys = KeyList("ab")
    keys.remove("a")
    assert keys.newest(2) == ["b"]
    keys = KeyList("a")
    keys.remove("a")
    assert (keys.front, keys.back, len(keys)) == (None, None, 0)


def test_pop_oldest():
    keys = KeyList("ab")
    assert keys.pop_oldest() == "a"
    assert list(keys) == ["b"]
    with pytest.raises(KeyError):
        KeyList().pop_oldest()


def test_newest():
    assert KeyList("abc").newest() == ["c"]
    assert KeyList("abc").newest(2) == ["c", "b"]
    assert KeyList("ab").newest(5) == ["b", "a"]


def test_lru_capacity_limits():
    assert LRUCache(1).capacity == 1
    with pytest.raises(ValueError):
        LRUCache(0)


def test_lru_get():
    cache = filled(2, "ab")
    assert cache.get("a") == "A"
    assert cache.get("x") is None
    assert cache.get("x", 7) == 7
    cache = filled(3, "abc")
    cache.get("a")
    assert cache.keys() == ["b", "c", "a"]


def test_lru_peek_does_not_mark():
    cache = filled(3, "abc")
    assert cache.peek("a") == "A"
    assert cache.peek("x", 0) == 0
    assert cache.keys() == ["a", "b", "c"]


def test_lru_put_within_capacity():
    cache = filled(3, "ab")
    assert cache.put("c", 1) is None
    assert len(cache) == 3


def test_lru_put_evicts_oldest():
    cache = filled(2, "ab")
    assert cache.put("c", 1) == "a"
    assert cache.keys() == ["b", "c"]
    assert cache.peek("a") is None


def test_lru_put_again_replaces():
    cache = filled(2, "ab")
    assert cache.put("a", "new") is None
    assert cache.peek("a") == "new"
    assert cache.keys() == ["b", "a"]


def test_lru_discard():
    cache = filled(3, "abc")
    assert cache.discard("b") is True
    assert cache.keys() == ["a", "c"]
    assert len(cache) == 2


def test_lru_discard_unknown_and_shrink():
    assert filled(2, "ab").discard("x") is False
    cache = filled(4, "abcd")
    assert cache.resize(2) == ["a", "b"]
    assert cache.capacity == 2


def test_lru_resize():
    cache = filled(2, "ab")
    assert cache.resize(0) == ["a"]
    assert cache.capacity == 1
    cache = filled(2, "ab")
    assert cache.resize(3) == []
    assert cache.put("c", 1) is None


def test_lfu_get():
    cache = warm()
    assert cache.get("a") == 1
    assert cache.uses("a") == 3
    cache = warm()
    assert cache.get("x", 9) == 9
    assert cache.get("x") is None


def test_lfu_uses():
    assert warm().uses("b") == 1
    assert warm().uses("x") == 0


def test_lfu_eviction():
    cache = warm()
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    cache = warm()
    cache.put("c", 3)
    assert cache.uses("b") == 0


def test_lfu_put_known_key_drops_nothing():
    cache = warm()
    cache.put("b", 5)
    assert (cache.get("a"), cache.get("b")) == (1, 5)
    assert cache.uses("b") == 3


def test_lfu_coldest():
    assert warm().coldest() == "b"
    assert LFUCache(1).coldest() is None
    cache = warm()
    cache.get("b")
    assert cache.coldest() == "a"


def test_lfu_hottest():
    cache = LFUCache(3)
    for key in ["a", "b", "b", "c", "c", "c"]:
        cache.put(key, 0)
    assert cache.hottest() == ["c", "b"]
    assert cache.hottest(1) == ["c"]
