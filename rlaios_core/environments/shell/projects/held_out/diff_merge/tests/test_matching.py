from matching import (
    closest, common_prefix, common_suffix, lcs_table, matching_blocks, matching_pairs, similarity,
)


def test_common_prefix():
    assert common_prefix("abcd", "abxd") == 2
    assert common_prefix("abc", "ab") == 2
    assert common_prefix("a", "b") == 0


def test_common_suffix():
    assert [common_suffix("xbcd", "ybcd"), common_suffix("ab", "aab"), common_suffix("a", "b")] == [3, 2, 0]
    assert [common_suffix("aaa", "aaaa", 1), common_suffix("ab", "ab", 2)] == [2, 0]
    assert common_suffix("a", "", 3) == 0


def test_lcs_table():
    assert lcs_table("ab", "b") == [[1, 0], [1, 0], [0, 0]]
    assert lcs_table("abcbd", "bdcb")[0][0] == 3
    assert lcs_table("aab", "ab")[0] == [2, 1, 0]


def test_matching_pairs():
    assert matching_pairs("abcd", "xbd") == [(1, 1), (3, 2)]
    assert matching_pairs("ab", "") == []


def test_matching_pairs_first_of_equal_choices():
    assert matching_pairs("ab", "ba") == [(1, 0)]
    assert matching_pairs("aa", "a") == [(0, 0)]


def test_matching_blocks():
    assert matching_blocks("abcd", "abxcd") == [(0, 0, 2), (2, 3, 2)]
    assert matching_blocks("axb", "ab") == [(0, 0, 1), (2, 1, 1)]
    assert matching_blocks("", "a") == []


def test_similarity():
    assert similarity("abcd", "abxy") == 0.5
    assert similarity("", "") == 1.0
    assert similarity("", "a") == 0.0


def test_closest():
    assert closest("print(x)", ["print", "print(y)", "x"]) == "print(y)"
    assert closest("ab", ["ba", "ab", "ab "]) == "ab"


def test_closest_cutoff():
    assert closest("ab", ["ax", "ay"], cutoff=0.5) == "ax"
    assert closest("ab", ["ax"], cutoff=0.51) is None
    assert closest("abcde", ["abcxy"]) == "abcxy"
