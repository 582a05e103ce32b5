"""Own flows: what a file may say, the dry run, and recording a draft."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from rlaios_core.cli.browser_commands import check, record
from rlaios_core.cli.errors import CliError
from rlaios_core.environments import EnvironmentFault, Play
from rlaios_core.environments.browser.driver import BrowserWorker, Seat
from rlaios_core.environments.browser.environment import BrowserEnvironment
from rlaios_core.environments.browser.flows import FlowError, load_flow, load_flows
from rlaios_core.environments.browser.flows.checking import check_flow
from rlaios_core.environments.browser.flows.predicates import glob_matches
from rlaios_core.environments.browser.flows.recorder import Draft, listen, stored_state, write_flow
from rlaios_core.environments.browser.worlds.flows import FlowSource
from rlaios_core.schema import Split, StopReason
from tests.environments.browser.pages import Answer, PageServer

FORM = """<title>Newsletter</title><form method=post action=/done aria-label=Newsletter>
  <label>Email <input name=email></label><label>Password <input type=password name=pw></label>
  <button>Subscribe</button></form>"""


def flow_data(origin: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "newsletter",
        "enabled": True,
        "start": f"{origin}/",
        "origins": [origin],
        "task": "Subscribe the address.",
        "payload": {"email": "mara@post.example", "password": {"secret": "NEWS_PASSWORD"}},
        "success": {"all": [{"url": f"{origin}/done"}, {"visible": {"text": "thank you"}}]},
        "reference": [
            {"do": "fill", "on": 'textbox "Email"', "use": "email"},
            {"do": "fill", "on": 'textbox "Password"', "use": "password"},
            {"do": "click", "on": 'button "Subscribe"'},
        ],
        **more,
    }


def written(path: Path, data: object) -> Path:
    path.write_text(data if isinstance(data, str) else yaml.safe_dump(data))
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"origins": []}, "origins"),
        ({"origins": ["https://else.example"]}, "start"),
        ({"success": {}}, "success"),
        ({"success": {"all": [{"url": "x", "cookie": {"name": "a"}}]}}, "exactly one"),
        ({"sucess": {}}, "sucess"),
        ({"origins": ["file:///etc"]}, "origins"),
        ({"reference": [{"do": "fill", "on": "x", "use": "nothing"}]}, "nothing"),
        ({"steps": 0}, "steps"),
    ],
)
def test_what_is_wrong_with_a_flow_is_said_in_a_line(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    path = written(tmp_path / "f.yaml", {**flow_data("https://shop.example"), **change})
    with pytest.raises(FlowError) as caught:
        load_flow(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_yaml_or_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (
        written(tmp_path / "f.yaml", "a: [b"),
        written(tmp_path / "g.yaml", "- 1"),
        tmp_path / "no.yaml",
    ):
        with pytest.raises(FlowError, match=path.name):
            load_flow(path)


def test_flows_are_off_until_enabled(tmp_path: Path) -> None:
    written(tmp_path / "f.yaml", {**flow_data("https://shop.example"), "enabled": False})
    with pytest.raises(FlowError, match="no flow is enabled"):
        load_flows(tmp_path)
    written(tmp_path / "g.yaml", flow_data("https://shop.example"))
    assert [flow.name for flow in load_flows(tmp_path)] == ["newsletter"]


def test_addresses_are_matched_with_stars() -> None:
    assert glob_matches("https://a.example/*/done", "https://a.example/x/done")
    assert not glob_matches("https://a.example/*/done", "https://a.example/x/y/done")
    assert glob_matches("https://a.example/**", "https://a.example/x?y=1")
    assert not glob_matches("https://a.example/", "https://a.example.evil/")


@pytest.fixture
def shop(pages: PageServer, monkeypatch: pytest.MonkeyPatch) -> PageServer:
    monkeypatch.setenv("NEWS_PASSWORD", "open sesame")
    pages.routes["/"] = FORM
    pages.routes["/done"] = "<p role=status>Thank you, subscribed</p>"
    return pages


@pytest.mark.slow
def test_the_dry_run_follows_the_recorded_way_with_a_picture_per_step(
    shop: PageServer, tmp_path: Path
) -> None:
    flow = load_flow(written(tmp_path / "f.yaml", flow_data(shop.origin)))
    found = check_flow(flow, tmp_path / "screens")
    assert (found.success, found.problem, len(found.steps)) == (True, "", 3)
    assert sorted(path.name for path in (tmp_path / "screens").iterdir()) == ["01.png", "02.png", "03.png"]
    assert shop.asked[-1] == ("POST", "/done", {"email": "mara@post.example", "pw": "open sesame"})
    assert "sesame" not in repr(found)


@pytest.mark.slow
def test_the_dry_run_stops_before_what_needs_leave(shop: PageServer, tmp_path: Path) -> None:
    data = flow_data(shop.origin, sensitive=["subscribe"])
    found = check_flow(load_flow(written(tmp_path / "f.yaml", data)), tmp_path / "screens")
    assert not found.success
    assert "Subscribe" in found.problem
    assert any("Subscribe" in line for line in found.withheld)
    assert shop.count("POST", "/done") == 0


@pytest.mark.slow
def test_a_flow_is_played_and_judged_by_its_predicates(
    shop: PageServer, worker: BrowserWorker, tmp_path: Path
) -> None:
    shop.routes["/api"] = Answer(
        json.dumps({"orders": [{"state": "open"}]}), headers={"Content-Type": "x/json"}
    )
    http = {"http": {"url": f"{shop.origin}/api", "path": "orders.0.state", "equals": "open"}}
    data = flow_data(shop.origin, success={"all": [{"url": "**/done"}, http]})
    source = FlowSource([load_flow(written(tmp_path / "f.yaml", data))])
    environment = BrowserEnvironment([source], worker)
    task = environment.sample_task(Split.TRAIN, 0, 0)
    assert "sesame" not in task.model_dump_json()
    oracle = environment.baselines([])["oracle"]
    episode = environment.run_episode(task, oracle, Play("t", 0, "me", 1))
    assert (episode.success, episode.stop_reason, episode.synthetic) == (True, StopReason.STOPPED, False)
    assert "sesame" not in episode.model_dump_json()


@pytest.mark.slow
def test_a_forbidden_predicate_ends_the_episode(
    shop: PageServer, worker: BrowserWorker, tmp_path: Path
) -> None:
    data = flow_data(shop.origin, forbidden={"any": [{"url": "**/done"}]})
    environment = BrowserEnvironment([FlowSource([load_flow(written(tmp_path / "f.yaml", data))])], worker)
    task = environment.sample_task(Split.TRAIN, 0, 0)
    episode = environment.run_episode(task, environment.baselines([])["oracle"], Play("t", 0, "me", 1))
    assert (episode.safety_violation, episode.terminal_reward) == (True, -1.0)


@pytest.mark.slow
def test_an_order_can_be_placed_again_only_after_a_complaint(
    shop: PageServer, worker: BrowserWorker, tmp_path: Path
) -> None:
    answers = iter(("<p role=alert>Card declined</p>", "<p>Thank you</p>", "<p>Thank you again</p>"))
    shop.routes["/"] = "<form method=post action=/order><button>Place order</button></form>"
    shop.routes["/order"] = lambda *_: Answer(f"{next(answers)}<a href=/>Back</a>")
    order, back = {"do": "click", "on": 'button "Place order"'}, {"do": "click", "on": 'link "Back"'}
    data = flow_data(shop.origin, leave=True, payload={}, reference=[order, back, order, back, order])
    environment = BrowserEnvironment([FlowSource([load_flow(written(tmp_path / "f.yaml", data))])], worker)
    task = environment.sample_task(Split.TRAIN, 0, 0)
    episode = environment.run_episode(task, environment.baselines([])["oracle"], Play("t", 0, "me", 1))
    assert episode.stop_reason is StopReason.HANDED_OFF
    assert 'withheld button "Place order" was done already' in episode.trajectory[-1].observation.context
    assert shop.count("POST", "/order") == 2


@pytest.mark.slow
def test_a_stored_state_is_restored_and_an_expired_one_is_a_fault(
    shop: PageServer, worker: BrowserWorker, tmp_path: Path
) -> None:
    shop.routes["/"] = """<p id=p></p><script>
      p.textContent = (document.cookie || 'out') + ' ' + localStorage.a + ' ' + sessionStorage.b</script>"""
    state = {
        "cookies": [{"name": "sid", "value": "7", "url": shop.origin}],
        "origins": [{
            "origin": shop.origin,
            "localStorage": [{"name": "a", "value": "1"}], "sessionStorage": [{"name": "b", "value": "2"}],
        }],
    }  # fmt: skip
    (tmp_path / "state.json").write_text(json.dumps(state))
    more = {"state": "state.json", "reference": [], "payload": {}}
    played = []
    for shown in ("sid=7 1 2", "somebody else"):
        data = flow_data(shop.origin, authenticated={"all": [{"visible": {"text": shown}}]}, **more)
        source = FlowSource([load_flow(written(tmp_path / "f.yaml", data))])
        environment = BrowserEnvironment([source], worker)
        task = environment.sample_task(Split.TRAIN, 0, 0)
        try:
            episode = environment.run_episode(
                task, environment.baselines([])["oracle"], Play("t", 0, "me", 1)
            )
            played.append(str(episode.evidence["authentication"]))
        except EnvironmentFault as fault:
            played.append(fault.message)
    assert played[0] == "valid"
    assert "authentication has expired" in played[1]


@pytest.mark.slow
def test_a_draft_is_recorded_from_what_a_person_does(
    shop: PageServer, worker: BrowserWorker, tmp_path: Path
) -> None:
    draft = Draft(f"{shop.origin}/")
    with worker.seat(Seat(origins=(shop.origin,))) as page:
        worker.run(listen(page, draft), 20)
        worker.run(page.open(f"{shop.origin}/"), 20)

        async def person() -> dict[str, Any]:
            await page.page.get_by_label("Email").fill("mara@post.example")
            await page.page.get_by_label("Email").press("Tab")
            await page.page.get_by_label("Password").press_sequentially("open sesame")
            await page.page.get_by_role("button").click()
            await page.page.wait_for_url("**/done")
            return await stored_state(page)

        worker.run(person(), 30)
    data = draft.as_flow("draft")
    write_flow(tmp_path / "draft.yaml", data)
    assert "sesame" not in (tmp_path / "draft.yaml").read_text()
    flow = load_flow(tmp_path / "draft.yaml")
    assert not flow.enabled
    assert [(step.do, step.use) for step in flow.reference][-2:] == [("fill", "password"), ("click", "")]


@pytest.mark.slow
def test_the_check_command_tells_and_its_exit_code_says_whether_it_worked(
    shop: PageServer, tmp_path: Path
) -> None:
    path = written(tmp_path / "f.yaml", flow_data(shop.origin))
    arguments = [str(path), "--screens", str(tmp_path / "screens"), "--json", "--quiet"]
    good = CliRunner().invoke(check, arguments)
    assert good.exit_code == 0, good.output
    assert json.loads(good.stdout)["success"] is True
    shop.routes["/done"] = "<p>Something went wrong</p>"
    bad = CliRunner().invoke(check, arguments)
    assert bad.exit_code == 1
    assert json.loads(bad.stdout)["success"] is False


def test_recording_needs_a_display_and_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for address, says in (("https://shop.example/", "display"), ("shop", "address")):
        result = CliRunner().invoke(record, [address])
        assert isinstance(result.exception, CliError)
        assert says in str(result.exception)
