import pytest

from records import Record
from segment import Segment
from store import Store


def play(store):
    """A fixed series of writes, done at the same time in a plain dictionary."""
    model = {}
    for step in range(1, 41):
        key = f"k{step * 7 % 13:02d}"
        if step % 5 == 0:
            assert store.delete(key) == (key in model)
            model.pop(key, None)
        else:
            store.put(key, str(step))
            model[key] = str(step)
    return model


def test_store_behaves_like_a_dictionary():
    for table_limit in (1, 2, 5, 50):
        store = Store(table_limit)
        model = play(store)
        assert store.scan() == sorted(model.items())
        assert all(store.get(f"k{n:02d}") == model.get(f"k{n:02d}") for n in range(13))
        assert store.scan("k03", "k09") == [item for item in sorted(model.items()) if "k03" <= item[0] < "k09"]


def test_compaction_keeps_the_contents():
    store = Store(table_limit=3, segment_size=4)
    model = play(store)
    rounds = 0
    for _ in range(20):
        rounds += store.compact()
        assert store.scan() == sorted(model.items())
    assert 0 < rounds < 20
    store.compact_all()
    assert store.scan() == sorted(model.items())
    assert store.stats() == {"segments": len(store.segments), "records": len(model), "live": len(model), "waste": 0.0}
    assert all(2 <= len(segment) <= 5 for segment in store.segments)


def test_deleted_everything():
    store = Store(table_limit=2)
    for key in "ab":
        store.put(key, "x")
    for key in "ab":
        assert store.delete(key)
    assert [len(segment) for segment in store.segments] == [2, 2]
    assert store.compact() is True
    assert (store.segments, store.scan(), store.stats()["records"]) == ([], [], 0)
    assert store.compact() is False


def test_recovery_continues_the_sequence():
    store = Store(table_limit=4)
    model = play(store)
    again = Store.recover(store.log, store.segments, table_limit=4)
    assert again.scan() == sorted(model.items())
    assert again.table == store.table
    assert again.put("new", "1") == store.seq + 1


def test_limits_at_one():
    store = Store(table_limit=1, segment_size=1)
    store.put("b", "1")
    store.put("a", "2")
    assert ([segment.first_key for segment in store.segments], store.log) == (["b", "a"], [])
    with pytest.raises(ValueError):
        Store(table_limit=-1)
    with pytest.raises(ValueError):
        store.put("", "")
    assert store.seq == 2


def test_conditional_writes_see_deletions():
    store = Store()
    store.put("n", "")
    assert store.put_if("n", "1", None) is False
    assert store.get("n", "none") == ""
    assert store.delete("n") is True
    assert store.put_if("n", "2", "") is False
    assert store.put_if("n", "3", None) is True
    assert store.lookup("n") == Record("n", 3, "3")


def test_prefixes_and_limits():
    store = Store(table_limit=2)
    for key in ("user:2", "user", "user:1", "users", "use", "user:3"):
        store.put(key, key.upper())
    store.delete("user:1")
    assert store.with_prefix("user:") == ["user:2", "user:3"]
    assert store.with_prefix("") == [key for key, _ in store.scan()]
    assert store.scan("user", limit=2) == [("user", "USER"), ("user:2", "USER:2")]
    assert store.scan(limit=0) == []


def test_stats_before_and_after_a_flush():
    store = Store()
    store.segments = [Segment([Record("a", 1, "x"), Record("b", 2, "y")])]
    store.seq = 2
    store.put("b", "z")
    store.delete("a")
    assert store.stats() == {"segments": 1, "records": 4, "live": 1, "waste": 0.75}
    store.flush()
    store.flush()
    assert (store.stats()["segments"], store.stats()["records"]) == (2, 4)
