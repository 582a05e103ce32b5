import pytest

from records import Record, encode
from segment import Segment
from store import Store


def filled(pairs, **limits):
    store = Store(**limits)
    for key, value in pairs:
        store.put(key, value)
    return store


def lengths(store):
    return [len(segment) for segment in store.segments]


def test_put_and_get():
    store = Store()
    assert [store.put("a", "1"), store.put("b", "2"), store.put("a", "3")] == [1, 2, 3]
    assert [store.get("a"), store.get("b"), store.get("c")] == ["3", "2", None]
    assert [store.get("b", "-"), store.get("c", "-")] == ["2", "-"]


def test_limits_must_be_positive_and_keys_not_empty():
    with pytest.raises(ValueError):
        Store().put("", "x")
    assert (Store(1, 1).table_limit, Store().table_limit, Store().segment_size) == (1, 8, 16)
    for limits in ((0, 4), (4, 0)):
        with pytest.raises(ValueError):
            Store(*limits)


def test_delete():
    store = filled([("a", "1")])
    assert [store.delete("a"), store.delete("a"), store.delete("b")] == [True, False, False]
    assert store.get("a", "gone") == "gone"
    assert store.seq == 2


def test_put_if():
    store = filled([("a", "1")])
    assert [store.put_if("a", "2", "1"), store.put_if("a", "3", "1")] == [True, False]
    assert [store.put_if("b", "9", None), store.put_if("b", "8", None)] == [True, False]
    assert (store.get("a"), store.get("b")) == ("2", "9")


def test_full_table_is_flushed():
    store = filled([("a", "1"), ("b", "2"), ("b", "3")], table_limit=3)
    assert lengths(store) == []
    store.put("c", "4")
    assert (lengths(store), store.table, store.log) == ([3], {}, [])


def test_flush():
    store = filled([("b", "1"), ("a", "2")])
    store.flush()
    store.flush()
    assert [list(segment) for segment in store.segments] == [[Record("a", 2, "2"), Record("b", 1, "1")]]


def test_lookup_prefers_new_data():
    store = filled([("a", "1"), ("c", "1"), ("a", "2"), ("b", "2"), ("c", "3")], table_limit=2)
    assert [store.lookup(key).seq for key in "abc"] == [3, 4, 5]
    assert store.lookup("d") is None


def test_lookup_finds_deletions():
    store = filled([("a", "1"), ("b", "1")], table_limit=2)
    store.delete("a")
    assert store.lookup("a") == Record("a", 3, None)


def test_scan_range_and_limit():
    store = filled([("d", "1"), ("b", "2"), ("c", "3"), ("a", "4")])
    assert store.scan("b", "d") == [("b", "2"), ("c", "3")]
    assert store.scan(limit=1) == [("a", "4")]
    assert store.scan("c") == [("c", "3"), ("d", "1")]


def test_scan_joins_table_and_segments():
    store = filled([("a", "1"), ("b", "1"), ("a", "2"), ("c", "2"), ("d", "3")], table_limit=2)
    store.delete("b")
    store.put("a", "4")
    assert store.scan() == [("a", "4"), ("c", "2"), ("d", "3")]
    assert store.scan("c", "d") == [("c", "2")]


def test_with_prefix():
    store = filled([("in", "1"), ("inner", "2"), ("i", "3"), ("iz", "4"), ("begin", "5")])
    assert store.with_prefix("in") == ["in", "inner"]


def test_log_and_recovery():
    store = filled([("a", "1"), ("b", "2")])
    store.delete("a")
    again = Store.recover(store.log + ["9"])
    assert store.log[1] == encode(Record("b", 2, "2"))
    assert (again.scan(), again.seq, again.log) == ([("b", "2")], 3, store.log)


def test_recovery_with_segments_and_limits():
    old = [Segment([Record("a", 7, "x"), Record("b", 4, "y")]), Segment([Record("a", 6, "w")])]
    store = Store.recover([encode(Record("c", 5, "z"))], old, table_limit=1)
    assert store.seq == 7
    assert (lengths(store), Store.recover([]).seq) == ([2, 1, 1], 0)


def test_compact_oldest_run_drops_deletions():
    store = filled([("a", "1"), ("b", "1"), ("b", "2")], table_limit=2)
    store.delete("a")
    assert store.compact() is True
    assert [list(segment) for segment in store.segments] == [[Record("b", 3, "2")]]
    assert store.get("b") == "2"


def test_compact_later_run_keeps_deletions():
    store = Store()
    sizes = [("abcdef", "1"), ("g", "2"), ("a", None), ("hijkl", "4")]
    store.segments = [Segment([Record(key, int(n or 3), n) for key in text]) for text, n in sizes]
    assert store.compact() is True
    assert [[r.key for r in segment] for segment in store.segments] == [list("abcdef"), ["a", "g"], list("hijkl")]


def test_compact_without_gain():
    store = Store(segment_size=1)
    store.segments = [Segment([Record(key, 1, "x") for key in keys]) for keys in ("abc", "d", "e", "xyz")]
    assert (store.compact(), lengths(store)) == (False, [3, 1, 1, 3])
    store.segment_size = 8
    assert [store.compact(), store.compact(), store.compact()] == [True, True, False]
    assert lengths(store) == [8]


def test_compact_gains_by_dropping_old_versions():
    store = filled([("a", "1"), ("b", "1"), ("b", "2"), ("c", "2")], table_limit=2, segment_size=2)
    assert store.compact() is True
    assert lengths(store) == [2, 1]


def test_compact_all_and_stats():
    store = filled([(key, "1") for key in "abcdeab"], table_limit=3, segment_size=2)
    store.delete("c")
    assert store.stats() == {"segments": 2, "records": 8, "live": 4, "waste": 0.5}
    store.compact_all()
    assert lengths(store) == [2, 2]
    assert Store().stats()["waste"] == 0.0
