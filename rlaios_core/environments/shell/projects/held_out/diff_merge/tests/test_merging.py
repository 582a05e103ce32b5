from merging import Conflict, add_lines, add_region, anchors, choose, count_conflicts, mark, marked_ranges, merge

CLASH = Conflict(["o"], ["b"], ["t"])


def test_anchors():
    assert anchors(list("abc"), list("xabc"), list("ac")) == [(0, 1, 0), (2, 3, 1), (3, 4, 2)]
    assert anchors([], ["a"], []) == [(0, 1, 0)]


def test_add_lines():
    chunks = []
    for lines in ([], ["a"], ["b", "c"], []):
        add_lines(chunks, lines)
    assert chunks == [["a", "b", "c"]]
    chunks = [CLASH]
    add_lines(chunks, ["a"])
    assert chunks == [CLASH, ["a"]]


def test_region_changed_by_one_side():
    chunks = []
    add_region(chunks, ["x"], ["b"], ["b"])
    add_region(chunks, ["b"], ["b"], ["y"])
    add_region(chunks, ["z"], ["b"], ["z"])
    assert chunks == [["x", "y", "z"]]


def test_region_with_conflict_is_narrowed():
    chunks = []
    add_region(chunks, ["h", "o", "e"], ["b"], ["h", "t", "t", "e"])
    assert chunks == [["h"], Conflict(["o"], ["b"], ["t", "t"]), ["e"]]


def test_merge_of_separate_changes():
    assert merge(list("abc"), list("XXbc"), list("abY")) == [["X", "X", "b", "Y"]]
    assert merge([], [], []) == []


def test_merge_with_conflict():
    assert merge(list("abc"), list("axc"), list("ayc")) == [["a"], Conflict(["x"], ["b"], ["y"]), ["c"]]


def test_count_and_choose():
    chunks = [["a"], CLASH, ["c"], CLASH]
    assert count_conflicts(chunks) == 2
    assert choose(chunks, "theirs") == ["a", "t", "c", "t"]
    assert choose(chunks[:2], "both") == ["a", "o", "t"]


def test_mark():
    assert mark([["a"], CLASH]) == ["a", "<<<<<<< ours", "o", "=======", "t", ">>>>>>> theirs"]
    assert mark([CLASH], "me", "you", show_base=True) == [
        "<<<<<<< me", "o", "|||||||", "b", "=======", "t", ">>>>>>> you"]


def test_marked_ranges():
    lines = ["<<<<<<< a", "=======", ">>>>>>> b", "x", ">>>>>>> b", "<<<<<<< a", ">>>>>>> b", "<<<<<<< a"]
    assert marked_ranges(lines) == [(0, 2), (5, 6)]
