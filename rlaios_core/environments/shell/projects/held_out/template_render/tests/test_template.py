import pytest

from tmpl import Template, render
from tmpl.pieces import Piece, TemplateError
from tmpl.template import Builder, For, If, Text, Value, compare, holds, render_all


def test_compare_equality():
    assert [compare(1, "==", 1), compare(1, "==", 2)] == [True, False]
    assert [compare(None, "!=", None), compare(None, "!=", 0)] == [False, True]


def test_compare_order():
    assert [compare(a, "<", 2) for a in (1, 2, 3)] == [True, False, False]
    assert [compare(a, ">", 2) for a in (1, 2, 3)] == [False, False, True]


def test_compare_order_with_missing_values():
    assert [compare(None, "<", 2), compare(2, ">", None)] == [False, False]
    with pytest.raises(TemplateError):
        compare(1, "<=", 2)


def test_holds_single_operand():
    assert [holds(name, {"a": [1], "b": ""}) for name in ("a", "b", "c")] == [True, False, False]
    assert holds("not b.size", {}) is True


def test_holds_comparison():
    assert holds("a.n == 3", {"a": {"n": 3}}) is True
    assert holds("not a < b", {"a": 1, "b": 2}) is False


def test_holds_and_or():
    context = {"t": 1, "f": 0}
    assert [holds("t and f", context), holds("t and t", context)] == [False, True]
    assert [holds("f or t", context), holds("f or f", context)] == [True, False]
    assert holds("t or t and f", context) is True


def test_simple_nodes():
    assert render_all([Text("n="), Value("n | default: 3")], {"n": 4}) == "n=4"
    assert Value("n").render({}) == ""


def test_if_node_takes_the_first_true_branch():
    node = If("a")
    node.branches[0][1].append(Text("A"))
    node.branches.append(("b", [Text("B")]))
    assert [node.render({"a": 1, "b": 1}), node.render({"b": 1}), node.render({})] == ["A", "B", ""]


def test_for_node_loop_values():
    node = For("x", "items")
    node.body = [Value("loop.index"), If("loop.first"), Value("x")]
    node.body[1].branches = [("loop.first", [Text("<")]), ("loop.last", [Text(">")])]
    assert node.render({"items": "abc"}) == "1<a2b3>c"


def test_for_node_without_items():
    node = For("x", "items")
    node.otherwise = [Text("none")]
    assert [node.render({"items": []}), node.render({})] == ["none", "none"]


def test_builder_nests_blocks():
    builder = Builder()
    for kind, body in [("block", "for  x in y"), ("text", "a"), ("block", "end"), ("value", "b")]:
        builder.add(Piece(kind, body, 1))
    loop, value = builder.finish()
    assert (loop.name, loop.expression, loop.body[0].text) == ("x", "y", "a")
    assert value.expression == "b"


@pytest.mark.parametrize("body", ["for x", "for 2x in y", "for x in ", "else", "elif a", "end", "loop"])
def test_builder_rejects_block(body):
    with pytest.raises(TemplateError, match="on line 8$"):
        Builder().add(Piece("block", body, 8))


def test_open_blocks_must_end():
    with pytest.raises(TemplateError, match="^2 "):
        Template("{% if a %}{% for b in c %}")


def test_render_branches():
    template = Template("{% if n > 9 %}many{% elif n %}few{% else %}no{% end %}!")
    assert [template.render(n=n) for n in (10, 9, 0)] == ["many!", "few!", "no!"]


def test_render_nested_loops():
    source = "{% for row in rows %}\n{% for c in row %}{{ c }}{% end %};\n{% else %}\nempty\n{% end %}\n"
    assert render(source, rows=[[1, 2], [], [3]]) == "12;\n;\n3;\n"
    assert render(source, rows=[]) == "empty\n"
