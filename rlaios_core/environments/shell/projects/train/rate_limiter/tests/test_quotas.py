import pytest

from quotas import Quota, backoff, backoff_schedule, parse_rule, strictest


def test_parse_rule():
    assert parse_rule("10/s") == (10, 1)
    assert parse_rule("100 / 5M ") == (100, 300)
    assert parse_rule("1/1d") == (1, 86400)
    assert parse_rule("7/h") == (7, 3600)


def test_parse_rule_without_slash_or_unit():
    with pytest.raises(ValueError, match="no slash in rule: 10$"):
        parse_rule("10")
    for text in ("10/", "10/5w"):
        with pytest.raises(ValueError, match="unknown period in rule: 10/"):
            parse_rule(text)


def test_parse_rule_that_allows_nothing():
    for text in ("0/s", "5/0m"):
        with pytest.raises(ValueError, match="nothing: " + text):
            parse_rule(text)


def test_strictest():
    assert strictest([(10, 1), (100, 60), (5000, 3600)]) == (5000, 3600)
    assert strictest([(1, 2), (5, 4)]) == (1, 2)
    assert strictest([(1, 2), (3, 6), (2, 4)]) == (3, 6)


def test_backoff_doubles():
    assert [backoff(n) for n in (1, 2, 3, 6, 7)] == [1, 2, 4, 32, 60]


def test_backoff_options_and_first_attempt():
    assert backoff(3, base=5, factor=3, ceiling=100) == 45
    with pytest.raises(ValueError):
        backoff(0)


def test_backoff_schedule():
    assert backoff_schedule(4) == [1, 3, 7, 15]
    assert backoff_schedule(4, base=3, ceiling=10) == [3, 9, 19, 29]
    assert backoff_schedule(0) == []
    assert backoff_schedule(7)[-1] == 123


def test_quota_used():
    quota = Quota(5)
    quota.days = {"a": {2: 4}}
    assert [quota.used(c, d) for c, d in (("a", 2), ("a", 3), ("b", 2))] == [4, 0, 0]


def test_quota_allowance_carries_over():
    quota = Quota(10, carry=3)
    quota.days = {"a": {1: 8, 2: 4, 3: 12}}
    assert [quota.allowance("a", d) for d in (1, 2, 3, 4)] == [13, 12, 13, 10]
    assert Quota(7).allowance("a", 1) == 7


def test_quota_spend_up_to_limit():
    quota = Quota(5)
    assert [quota.spend("a", 1, n) for n in (3, 2, 1)] == [True, True, False]
    assert quota.days == {"a": {1: 5}}


def test_quota_spend_one_by_default():
    quota = Quota(2)
    assert [quota.spend("a", 1) for _ in range(3)] == [True, True, False]


def test_quota_top_clients():
    quota = Quota(9)
    quota.days = {"d": {1: 1}, "c": {1: 4}, "b": {1: 2}, "a": {1: 4}, "e": {2: 9}}
    assert quota.top_clients(1) == ["a", "c", "b"]
    assert quota.top_clients(1, 9) == ["a", "c", "b", "d"]


def test_quota_near_limit():
    quota = Quota(10)
    quota.days = {"b": {1: 8}, "a": {1: 9}, "c": {1: 7}}
    assert quota.near_limit(1) == ["a", "b"]
    assert quota.near_limit(1, 0.9) == ["a"]
