from merging import Conflict, add_lines, add_region, anchors, choose, count_conflicts, mark, marked_ranges, merge

BASE = ["one", "two", "three", "four", "five"]


def test_merging_unchanged_sides():
    other = ["zero", "one", "three", "FOUR", "five"]
    assert merge(BASE, BASE, other) == [other]
    assert merge(BASE, other, BASE) == [other]
    assert merge(BASE, other, other) == [other]


def test_merge_is_symmetric():
    ours, theirs = BASE[1:] + ["six"], ["one", "2", "three", "4", "five", "VI"]
    left, right = merge(BASE, ours, theirs), merge(BASE, theirs, ours)
    assert choose(left, "ours") == choose(right, "theirs")
    assert choose(left, "base") == choose(right, "base")
    assert count_conflicts(left) == 2


def test_conflict_contents():
    chunks = merge(BASE, BASE[:2] + ["x", "same"] + BASE[3:], BASE[:2] + ["y", "z", "same"] + BASE[3:])
    assert chunks == [["one", "two"], Conflict(["x"], ["three"], ["y", "z"]), ["same", "four", "five"]]
    assert choose(chunks, "both") == ["one", "two", "x", "y", "z", "same", "four", "five"]


def test_delete_against_change():
    chunks = merge(["a", "b"], ["a"], ["a", "B"])
    assert chunks == [["a"], Conflict([], ["b"], ["B"])]
    assert mark(chunks, show_base=True)[2:5] == ["|||||||", "b", "======="]


def test_marks_are_found_again():
    chunks = merge(list("abcde"), list("aXcYe"), list("aPcQe"))
    lines = mark(chunks, theirs="them")
    assert marked_ranges(lines) == [(1, 5), (7, 11)]
    assert lines[5] == ">>>>>>> them"
    assert marked_ranges(["======="]) == []


def test_pieces_of_a_merge():
    assert anchors(list("pq"), list("q"), list("qp")) == [(1, 0, 0), (2, 1, 2)]
    chunks = [["k"]]
    source = ["l"]
    add_lines(chunks, source)
    add_region(chunks, ["m", "m"], [], ["m"])
    assert chunks == [["k", "l", "m"], Conflict(["m"], [], [])]
    assert source == ["l"]
