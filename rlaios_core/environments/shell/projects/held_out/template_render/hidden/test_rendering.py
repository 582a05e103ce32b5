import pytest

from tmpl import Template, render
from tmpl.pieces import Piece, TemplateError
from tmpl.template import Builder, For, If, Text, Value, compare, holds, render_all


def test_comparisons_are_strict():
    assert [compare("b", s, "b") for s in ("==", "!=", "<", ">")] == [True, False, False, False]
    assert [compare(None, ">", 0), compare(0, "<", None), compare(None, "==", None)] == [False, False, True]


def test_conditions():
    context = {"n": 5, "name": "Bo", "off": 0}
    results = [holds(c, context) for c in (
        'name == "Bo" and n > 4', "n < 5 or off", "not off and not n", "off or n != 4 and name", "n > off")]
    assert results == [True, False, False, True, True]
    with pytest.raises(TemplateError):
        holds("n = 5", context)
    with pytest.raises(TemplateError):
        holds("", context)


def test_nodes_together():
    loop = For("k", "keys")
    loop.body = [Value("k | upper"), If("not loop.last")]
    loop.body[1].branches[0][1].append(Text(", "))
    loop.otherwise = [Text("-")]
    assert render_all([Text("["), loop, Text("]")], {"keys": ["a", "b", "c"]}) == "[A, B, C]"
    assert loop.render({"keys": None}) == "-"
    assert render("{% for k in ks %}{{ k }}{% else %}none{% end %}", ks="") == "none"


def test_builder_branches():
    builder = Builder()
    for body in ("if  a", "elif b", "for x in y | sort", "end", "else", "end"):
        builder.add(Piece("block", body, 3))
    (node,) = builder.finish()
    assert [condition for condition, _ in node.branches] == ["a", "b", "true"]
    assert [len(body) for _, body in node.branches] == [0, 1, 0]
    assert node.branches[1][1][0].expression == "y | sort"


def test_errors_carry_the_line():
    for source in ("a\n\n{% stop %}", "{% if a %}\n{{ b }}\nx{% end %}{% else %}", "\n\n{% for in x %}",
                   "{% for a in b %}\n{{ a }}{{\n a }} {% elif c %}"):
        with pytest.raises(TemplateError, match="line 3"):
            Template(source)
    with pytest.raises(TemplateError, match="^1 "):
        Template("{% if a %}")


def test_loop_variable_does_not_leak():
    assert render("{% for x in xs %}{{ x }}{% end %}{{ x }}{{ loop.index }}", xs=[1, 2], x="old") == "12old"


def test_inner_loop_hides_the_outer_loop():
    source = "{% for a in t %}{% for b in a %}{{ loop.index }}{% end %}:{{ loop.index }} {% end %}"
    assert render(source, t=["xy", "", "z"]) == "12:1 :2 1:3 "


def test_a_template_can_be_rendered_again():
    template = Template('{# hi #}{{ n }} item{{ n | form: "s", "", "s" }}{% if n == 0 %}!{% end %}')
    assert [template.render(n=n) for n in (1, 0, 2)] == ["1 item", "0 items!", "2 items"]
    assert render("") == ""
