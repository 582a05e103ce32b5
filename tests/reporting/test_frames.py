import pytest
from rich.console import Console

from rlaios_core.reporting import frames, plots, stage_plots, summary_table
from rlaios_core.reporting.table import duration
from rlaios_core.reporting.theme import LIGHT
from tests.reporting.records import GATES, comparison, record


def test_arms_come_in_the_order_a_reader_compares_them() -> None:
    frame = frames.held_out_frame(record().summary.held_out)
    assert list(frame["arm"]) == ["untrained", "heuristic", "trained", "oracle"]
    assert list(frame.columns[:5]) == ["environment", "arm", "success", "low", "high"]


def test_epochs_say_their_success_and_seconds() -> None:
    frame = frames.epochs_frame(record().summary.epochs)
    assert list(frame["success"]) == [10 / 60, 20 / 60]
    assert list(frame["seconds"]) == [15.5, 15.5]


def test_updates_are_named_plainly() -> None:
    frame = frames.updates_frame(record().candidates)
    assert list(frame["approx_kl"]) == [0.0123, 0.0123]
    assert frames.snake("negativeKl") == "negative_kl"


def test_frames_of_nothing_keep_their_columns() -> None:
    assert "success" in frames.epochs_frame([]).columns
    assert "pointer" in frames.moves_frame([]).columns
    assert list(frames.gates_frame(GATES)["passed"]) == [True]


def test_every_plot_draws() -> None:
    full = record()
    for anchor, _, draw in plots.PLOTS:
        figure = draw(full, LIGHT)
        assert figure is not None, anchor
        assert plots.png(figure).startswith("data:image/png;base64,iVBOR")
    assert stage_plots.comparison(comparison(), LIGHT) is not None
    assert stage_plots.lanes(full.lanes[0], LIGHT) is not None


def test_the_table_shows_arms_and_pointers() -> None:
    console = Console(width=140, record=True)
    with console.capture() as shown:
        console.print(summary_table(record().summary))
    text = shown.get()
    for part in ("untrained", "63.1%", "53.1% to 73.1%", "@1", "c2", "4 min 48 s"):
        assert part in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (48, "48 s"), (288, "4 min 48 s"), (3725, "1 h 02 min")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
