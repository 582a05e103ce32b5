import pytest

from edits import Edit
from patches import (
    PatchError, apply_patch, format_range, hunk_body, make_patch, new_lines, old_lines, parse_range,
    reverse_patch, split_hunks,
)


def test_ranges_in_headers():
    assert [format_range(4, n) for n in (0, 1, 2)] == ["4,0", "5", "5,2"]
    assert [parse_range("4", "0"), parse_range("5", None), parse_range("5", "2")] == [(4, 0), (4, 1), (4, 2)]


def test_hunk_body():
    a, b = list("abcdef"), list("abXYef")
    group = [Edit("replace", 2, 4, 2, 4)]
    assert hunk_body(group, a, b, 1) == [" b", "-c", "-d", "+X", "+Y", " e"]
    assert hunk_body(group, a, b, 3)[0] == " a"


def test_hunk_body_with_two_changes():
    group = [Edit("delete", 0, 1, 0, 0), Edit("insert", 3, 3, 2, 3)]
    assert hunk_body(group, list("abcd"), list("bcXd"), 0) == ["-a", " b", " c", "+X"]


def test_old_and_new_lines():
    body = [" a", "-b", "+c", " d"]
    assert old_lines(body) == ["a", "b", "d"]
    assert new_lines(body) == ["a", "c", "d"]


def test_make_patch_with_default_context():
    patch = make_patch(list("abcdefghi"), list("abcdXfghi"))
    assert patch[0] == "@@ -2,7 +2,7 @@"
    assert patch[1:] == [" b", " c", " d", "-e", "+X", " f", " g", " h"]


def test_make_patch_near_the_start():
    assert make_patch(["b"], ["a", "b"], context=2) == ["@@ -1 +1,2 @@", "+a", " b"]
    assert make_patch(list("abc"), list("XbcY"), 1) == ["@@ -1,3 +1,4 @@", "-a", "+X", " b", " c", "+Y"]
    assert make_patch(["a"], ["a"]) == []


def test_make_patch_shifts_later_hunks():
    patch = make_patch(list("abcdef"), list("Zabcdf"), context=0)
    assert patch == ["@@ -0,0 +1 @@", "+Z", "@@ -5 +5,0 @@", "-e"]


def test_split_hunks():
    patch = ["@@ -2 +2,2 @@", "-b", "+x", "+y", "@@ -7 +7,0 @@", "-g"]
    assert split_hunks(patch) == [(1, 1, ["-b", "+x", "+y"]), (6, 7, ["-g"])]


@pytest.mark.parametrize("patch", [["-a"], ["@@ -1 +1 @@", "-a", "*b"], ["@@ -1 +1 @@", ""],
                                   ["@@ -1,2 +1 @@", " a"], ["@@ -1 +1,2 @@", " a"]])
def test_split_hunks_rejects(patch):
    with pytest.raises(PatchError):
        split_hunks(patch)


def test_apply_patch():
    patch = ["@@ -2,2 +2 @@", " b", "-c", "@@ -5,0 +5 @@", "+x"]
    assert apply_patch(list("abcdef"), patch) == ["a", "b", "d", "e", "x", "f"]
    assert apply_patch(["a"], []) == ["a"]
    assert apply_patch(["a"], ["@@ -1 +1 @@", "-a", "+b"]) == ["b"]


def test_apply_patch_in_the_wrong_place():
    with pytest.raises(PatchError, match="line 2"):
        apply_patch(["a", "c"], ["@@ -2 +2 @@", "-b", "+x"])
    with pytest.raises(PatchError):
        apply_patch(["a"], ["@@ -1 +1 @@", " a", "@@ -1 +1 @@", " a"])


def test_reverse_patch():
    assert reverse_patch(["@@ -1,2 +1 @@", " a", "-b"]) == ["@@ -1 +1,2 @@", " a", "+b"]
    assert reverse_patch(["+-x"]) == ["--x"]
