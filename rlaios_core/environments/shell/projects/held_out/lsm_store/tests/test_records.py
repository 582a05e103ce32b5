import pytest

from records import CorruptLog, Record, checksum, decode, encode, latest, quote, replay, unquote


def test_checksum():
    assert [checksum(""), checksum("a"), checksum("ab")] == [0, 97, 3203]
    assert checksum("abc") == 9590


def test_quote_and_unquote():
    assert quote("a|b\n50%") == "a%7Cb%0A50%25"
    assert quote("%7C") == "%257C"
    assert unquote("a%7Cb%0A50%25") == "a|b\n50%"
    assert unquote("%257C") == "%7C"


def test_encode():
    assert encode(Record("d", 1, "x|")) == "0698|1|P|d|x%7C"
    assert encode(Record("a|", 12, None)).endswith("|12|D|a%7C|")


def test_decode():
    for record in (Record("k\n", 3, "v%"), Record("k", 41, None), Record("k", 5, "")):
        assert decode(encode(record)) == record


def test_decode_rejects_changed_lines():
    line = encode(Record("key", 1, "value"))
    for bad in (line[:-1], line.replace("P", "D"), "0000" + line[4:], ""):
        with pytest.raises(CorruptLog):
            decode(bad)
    body = "1|P|key"
    with pytest.raises(CorruptLog):
        decode(f"{checksum(body):04d}|{body}")


def test_replay():
    records = [Record("a", 1, "x"), Record("b", 2, None)]
    lines = [encode(record) for record in records]
    assert replay(lines) == records
    assert replay(lines + ["12"]) == records


def test_replay_stops_at_an_early_broken_line():
    with pytest.raises(CorruptLog):
        replay(["broken", encode(Record("a", 1, "x"))])


def test_latest():
    records = [Record("b", 2, "new"), Record("b", 1, "old"), Record("a", 3, "x"), Record("a", 4, None)]
    assert latest(records) == [Record("a", 4, None), Record("b", 2, "new")]
    assert latest([]) == []
