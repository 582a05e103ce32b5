import pytest

from records import CorruptLog, Record, checksum, decode, encode, latest, quote, replay, unquote
from segment import Segment, merge_records, pick_run, split_records

NUMBERS = [Record(f"k{n:02d}", n + 1, str(n)) for n in range(11)]


def test_quoting_is_undone():
    for text in ("", "100%", "a|b|c", "%0A", "%25", "line\nline\n|%7C%", "plain"):
        assert unquote(quote(text)) == text
        assert not set(quote(text)) & {"|", "\n"}
    assert quote("||%") == "%7C%7C%25"


def test_checksum_depends_on_order():
    assert [checksum("ba"), checksum("z"), checksum("zz")] == [3232, 122, 4026]
    assert all(0 <= checksum("w" * n) < 10000 for n in range(30))


def test_log_lines_round_trip():
    records = [Record("x|y", 8, "%"), Record("x", 1234567, None), Record("\n", 9, ""), Record("q", 10, "P|D")]
    lines = [encode(record) for record in records]
    assert [decode(line) for line in lines] == records
    assert {line[4] for line in lines} == {"|"}
    assert replay(lines[:3] + ["0000|"]) == records[:3]
    with pytest.raises(CorruptLog):
        replay(lines[:1] + [lines[1][1:]] + lines[2:])
    assert replay([]) == []


def test_decode_rejects_extra_fields():
    body = "1|P|a|b|c"
    with pytest.raises(CorruptLog):
        decode(f"{checksum(body):04d}|{body}")


def test_latest_prefers_sequence_over_order():
    records = [Record("m", 5, "five"), Record("m", 9, None), Record("m", 7, "seven"), Record("b", 1, "one")]
    assert latest(records) == latest(records[::-1]) == [Record("b", 1, "one"), Record("m", 9, None)]


def test_every_record_is_found_with_any_index():
    for every in (1, 2, 3, 5, 11, 12):
        part = Segment(NUMBERS[::-1], every)
        assert [part.find(record.key) for record in NUMBERS] == NUMBERS
        assert [part.find(key) for key in ("", "k00x", "k045", "k11")] == [None] * 4
        assert max(len(part.block_for(record.key)) for record in NUMBERS) == min(every, 11)


def test_segment_properties():
    part = Segment([Record("m", 4, "a"), Record("f", 9, "b"), Record("m", 2, "c"), Record("t", 1, None)])
    assert (len(part), part.first_key, part.last_key, part.newest) == (3, "f", "t", 9)
    assert [part.covers(key) for key in ("e", "f", "fa", "t", "ta")] == [False, True, True, True, False]
    assert [record.value for record in part] == ["b", "a", None]
    with pytest.raises(ValueError):
        Segment([])


def test_scans_split_a_segment():
    part = Segment(NUMBERS)
    for key in ("", "k00", "k05", "k055", "k10", "z"):
        assert part.scan("", key) + part.scan(key) == NUMBERS
    assert part.scan("k08", "k10") == NUMBERS[8:10]


def test_merge_order_does_not_matter():
    third = [Record("k02", 40, None), Record("k05", 41, "new"), Record("k99", 42, "end")]
    merged = merge_records([NUMBERS, third])
    assert merged == merge_records([third, NUMBERS])
    assert [record.seq for record in merged] == [1, 2, 40, 4, 5, 41, 7, 8, 9, 10, 11, 42]
    assert len(merge_records([NUMBERS, third], drop_deleted=True)) == 11


def test_split_sizes():
    sizes = {n: [len(part) for part in split_records(NUMBERS[:n], 4)] for n in (1, 4, 5, 6, 8, 9, 11)}
    assert sizes == {1: [1], 4: [4], 5: [5], 6: [4, 2], 8: [4, 4], 9: [4, 5], 11: [4, 4, 3]}
    assert sum(split_records(NUMBERS, 5), []) == NUMBERS
    assert [len(part) for part in split_records(NUMBERS, 7)] == [7, 4]


def test_runs():
    assert pick_run([16, 8, 4, 2]) == (0, 2)
    assert pick_run([7, 3, 6, 5, 4, 20, 20]) == (1, 5)
    assert pick_run([5, 5, 30, 40, 50], minimum=3) == (2, 5)
    assert [pick_run([2, 5], ratio=2), pick_run([5, 2], ratio=3)] == [None, (0, 2)]
