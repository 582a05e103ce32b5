import pytest

from records import Record
from segment import Segment, merge_records, pick_run, split_records


def segment(keys, **options):
    return Segment([Record(key, seq, key.upper()) for seq, key in enumerate(keys, start=1)], **options)


def keys(records):
    return "".join(record.key for record in records)


def test_segment_is_sorted_without_repeats():
    assert keys(segment("cabc")) == "abc"
    assert len(segment("cabc")) == 3
    with pytest.raises(ValueError):
        Segment([])


def test_segment_ends_and_newest():
    part = segment("bdca")
    assert (part.first_key, part.last_key) == ("a", "d")
    assert part.newest == 4


def test_covers():
    part = segment("bd")
    assert [key for key in "abcde" if part.covers(key)] == ["b", "c", "d"]


def test_block_for_sparse_index():
    part = segment("abcdefg", every=3)
    assert [keys(part.block_for(key)) for key in "acdg"] == ["abc", "abc", "def", "g"]
    assert part.block_for("A") == []


def test_block_for_default_index():
    assert [keys(segment("abcdefghi").block_for(key)) for key in "dei"] == ["abcd", "efgh", "i"]


def test_find():
    part = segment("acegik", every=2)
    assert part.find("g") == Record("g", 4, "G")
    assert [part.find(key) for key in ("d", "B", "z")] == [None, None, None]


def test_scan_stops_before_the_end_key():
    part = segment("bdf")
    assert keys(part.scan("b", "f")) == "bd"
    assert keys(part.scan("c", "g")) == "df"
    assert part.scan("b", "b") == []


def test_scan_without_end():
    assert [keys(segment("bdf").scan(start)) for start in ("", "d", "g")] == ["bdf", "df", ""]


def test_merge_keeps_the_newest():
    old, new = [Record("a", 1, "x"), Record("b", 2, "x")], [Record("a", 3, "y"), Record("c", 4, None)]
    assert merge_records([new, old]) == [new[0], old[1], new[1]]
    assert merge_records([]) == []


def test_merge_can_drop_deleted():
    old, new = [Record("a", 1, "x"), Record("b", 2, "")], [Record("a", 3, None)]
    assert merge_records([old, new], drop_deleted=True) == [Record("b", 2, "")]


def test_split_records():
    assert split_records(list("abcd"), 2) == [["a", "b"], ["c", "d"]]
    assert split_records(list("abcdef"), 4) == [list("abcd"), ["e", "f"]]
    assert split_records(list("abcde"), 4) == [list("abcde")]


def test_split_few_records():
    assert [split_records(["a"], 4), split_records([], 4)] == [[["a"]], []]
    assert split_records(list("abcdefg"), 3) == [list("abc"), list("defg")]


def test_pick_run():
    assert pick_run([9, 2, 4, 3, 9]) == (1, 4)
    assert pick_run([1, 2, 8, 9]) == (0, 2)
    assert pick_run([4, 9, 4, 9]) is None


def test_pick_run_limits():
    assert [pick_run([]), pick_run([1]), pick_run([1, 1])] == [None, None, (0, 2)]
    assert [pick_run([1, 1], minimum=3), pick_run([1, 1, 1], minimum=3)] == [None, (0, 3)]
    assert [pick_run([1, 3]), pick_run([1, 3], ratio=3)] == [None, (0, 2)]
