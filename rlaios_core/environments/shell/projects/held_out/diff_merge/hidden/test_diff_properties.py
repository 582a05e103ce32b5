import pytest

from edits import Edit, apply_edits, cluster, count_changes, edits_between, invert, map_line, tag_for
from matching import closest, common_prefix, common_suffix, lcs_table, matching_blocks, matching_pairs, similarity
from patches import (
    PatchError, apply_patch, format_range, hunk_body, make_patch, new_lines, old_lines, parse_range,
    reverse_patch, split_hunks,
)

PAIRS = [("", "xy"), ("xy", ""), ("kitten", "sitting"), ("abcabba", "cbabac"), ("aaaa", "aa"),
         ("the quick fox", "the quack ox!"), ("0123456789abc", "0x23456789abcd")]


def test_ends_in_common():
    assert [common_prefix(a, b) for a, b in PAIRS] == [0, 0, 0, 0, 2, 6, 1]
    assert [common_suffix(a, b) for a, b in PAIRS] == [0, 0, 0, 0, 2, 0, 0]
    assert common_suffix("xyzzy", "fyzzy", 2) == 3


def test_table_and_pairs_agree():
    for a, b in PAIRS:
        pairs = matching_pairs(a, b)
        assert len(pairs) == lcs_table(a, b)[0][0] == sum(block[2] for block in matching_blocks(a, b))
        assert all(a[i] == b[j] for i, j in pairs)
        assert pairs == sorted(set(pairs))
    assert lcs_table("kitten", "sitting")[0][0] == 4


def test_blocks_of_moved_text():
    assert matching_blocks("pqrst", "stpqr") == [(0, 2, 3)]
    assert matching_blocks("kitten", "sitting") == [(1, 1, 3), (5, 5, 1)]


def test_similarity_and_closest():
    assert similarity("kitten", "sitting") == pytest.approx(8 / 13)
    assert [similarity([], []), similarity(["a"], [])] == [1.0, 0.0]
    assert closest("colour", ["cold", "color", "collar"]) == "color"
    assert closest("colour", []) is None
    assert closest("xyz", ["abc"], cutoff=0) is None


def test_edits_cover_both_texts():
    for a, b in PAIRS:
        edits = edits_between(list(a), list(b))
        assert apply_edits(edits, list(a), list(b)) == list(b)
        assert apply_edits(invert(edits), list(b), list(a)) == list(a)
        added, removed = count_changes(edits)
        assert added - removed == len(b) - len(a)
    assert [tag_for(0, 1), tag_for(5, 0), tag_for(3, 2)] == ["insert", "delete", "replace"]


def test_map_lines_of_a_shorter_text():
    edits = edits_between(list("abcdef"), list("bcxf"))
    assert [map_line(edits, n) for n in range(6)] == [0, 0, 1, 2, 2, 3]
    with pytest.raises(IndexError):
        map_line(edits, 6)


def test_clusters_of_three_changes():
    edits = [Edit("delete", s, s + 2, s, s) for s in (0, 6, 13)]
    assert [len(group) for group in cluster(edits, 2)] == [2, 1]
    assert [len(group) for group in cluster(edits, 3)] == [3]
    assert hunk_body(edits[:2], list("ABCDEFGHI"), [], 1) == [
        "-A", "-B", " C", " D", " E", " F", "-G", "-H", " I"]


def test_ranges_round_trip():
    for start in (0, 1, 12):
        for length in (0, 1, 2, 10):
            first, _, size = format_range(start, length).partition(",")
            assert parse_range(first, size or None) == (start, length)


def test_patches_apply_both_ways():
    for a, b in PAIRS:
        for context in (0, 1, 3):
            patch = make_patch(list(a), list(b), context)
            assert apply_patch(list(a), patch) == list(b)
            assert apply_patch(list(b), reverse_patch(patch)) == list(a)


def test_patch_text_and_hunks():
    patch = make_patch(list("0123456789abc"), list("0x23456789abcd"), context=1)
    assert patch == ["@@ -1,3 +1,3 @@", " 0", "-1", "+x", " 2", "@@ -13 +13,2 @@", " c", "+d"]
    assert [hunk[:2] for hunk in split_hunks(patch)] == [(0, 0), (12, 12)]
    assert old_lines(patch[1:5]) == ["0", "1", "2"] and new_lines(patch[6:]) == ["c", "d"]


def test_bad_patches():
    for patch in (["@@ -3 +3 @@", " a"], ["@@ -1,2 +1,2 @@", " a", "-c", "+d"], [" a"], ["@@ 1 @@"], ["@@ -1,2 +1 @@", " a"], ["@@ -1 +1 @@", " a", "?"]):
        with pytest.raises(PatchError):
            apply_patch(["a", "b"], patch)
