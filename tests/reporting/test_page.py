import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rlaios_core.reporting import CampaignRecord, render_page
from tests.reporting.records import record


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "srcset", "href")]
        if tag not in ("meta", "img", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text() -> str:
    return render_page(record())


def test_the_page_holds_the_numbers(text: str) -> None:
    for number in ("63.1%", "53.1% to 73.1%", "alpha.t00002", "0.0123", "4 min 48 s", "6/10", "0.004"):
        assert number in text


def test_the_page_needs_nothing_outside_itself(text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert len(page.links) == 12, "six plots, each for light and dark"
    assert all(link.startswith("data:image/png;base64,") for link in page.links)
    assert not re.search(r"https?://|@import|url\(", text)
    assert len(text) < 1_500_000


def test_the_page_is_for_phones_and_for_the_dark(text: str) -> None:
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text


def test_a_campaign_that_did_nothing_yet_has_a_page() -> None:
    bare = record().summary.model_copy(update={"held_out": {}, "epochs": ()})
    text = render_page(CampaignRecord(summary=bare))
    assert Page(text).links == []
    assert "Campaign alpha" in text


def test_text_from_a_campaign_cannot_become_markup() -> None:
    full = CampaignRecord(summary=record().summary, moves=record().moves[:1])
    moves = (full.moves[0].model_copy(update={"reason": "<script>alert(1)</script>"}),)
    assert "<script>" not in render_page(replace(full, moves=moves))


def test_pictures_of_failed_episodes_are_inline_and_missing_ones_are_left_out(tmp_path: Path) -> None:
    picture = tmp_path / "failed.png"
    picture.write_bytes(b"\x89PNG picture")
    base = record()
    kept = {str(picture): "sign_in: failure", str(tmp_path / "gone.png"): "order: failure"}
    collections = (base.collections[0].model_copy(update={"artifacts": kept}), *base.collections[1:])
    text = render_page(replace(base, collections=collections))
    assert text.count("<figcaption>") == 1
    assert "sign_in: failure" in text
    assert str(tmp_path) not in text
