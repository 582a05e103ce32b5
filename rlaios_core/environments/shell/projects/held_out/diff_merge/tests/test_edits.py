import pytest

from edits import Edit, apply_edits, cluster, count_changes, edits_between, invert, map_line, tag_for


def changes(*spans):
    return [Edit("replace", start, end, start, end) for start, end in spans]


def test_tag_for():
    assert [tag_for(1, 1), tag_for(2, 0), tag_for(0, 2)] == ["replace", "delete", "insert"]


def test_edits_between_equal_texts():
    assert edits_between(["a", "b"], ["a", "b"]) == [Edit("equal", 0, 2, 0, 2)]
    assert edits_between([], []) == []


def test_edits_for_a_replaced_line():
    assert edits_between(["a", "b", "c"], ["a", "x", "c"]) == [
        Edit("equal", 0, 1, 0, 1), Edit("replace", 1, 2, 1, 2), Edit("equal", 2, 3, 2, 3)]


def test_edits_at_both_ends():
    assert edits_between(["a", "b"], ["b", "c"]) == [
        Edit("delete", 0, 1, 0, 0), Edit("equal", 1, 2, 0, 1), Edit("insert", 2, 2, 1, 2)]


def test_invert():
    assert invert([Edit("insert", 2, 2, 3, 5), Edit("delete", 4, 6, 7, 7)]) == [
        Edit("delete", 3, 5, 2, 2), Edit("insert", 7, 7, 4, 6)]
    assert invert([Edit("equal", 0, 1, 2, 3)]) == [Edit("equal", 2, 3, 0, 1)]


def test_apply_edits_takes_unchanged_lines_from_the_old_text():
    edits = [Edit("equal", 0, 1, 0, 1), Edit("replace", 1, 3, 1, 3), Edit("equal", 3, 4, 3, 4)]
    assert apply_edits(edits, ["A", "b", "c", "D"], ["a", "x", "y", "d"]) == ["A", "x", "y", "D"]


def test_count_changes():
    edits = [Edit("equal", 0, 4, 0, 4), Edit("replace", 4, 5, 4, 7), Edit("delete", 6, 8, 8, 8)]
    assert count_changes(edits) == (3, 3)
    assert count_changes(edits[:2]) == (3, 1)


def test_map_line():
    edits = [Edit("replace", 0, 2, 0, 1), Edit("insert", 2, 2, 1, 3), Edit("equal", 2, 5, 3, 6)]
    assert [map_line(edits, number) for number in range(5)] == [0, 0, 3, 4, 5]
    for number in (-1, 5):
        with pytest.raises(IndexError):
            map_line(edits, number)


def test_cluster_by_distance():
    near, far = changes((0, 1), (3, 4)), changes((0, 1), (4, 5))
    assert cluster(near, 1) == [near]
    assert cluster(far, 1) == [[far[0]], [far[1]]]
    assert [len(group) for group in cluster(changes((0, 1), (5, 6), (8, 9)), 1)] == [1, 2]


def test_cluster_ignores_equal_lines():
    first, second = changes((0, 1), (2, 3))
    assert cluster([first, Edit("equal", 1, 2, 1, 2), second], 3) == [[first, second]]
    assert cluster([Edit("equal", 0, 9, 0, 9)], 3) == []
