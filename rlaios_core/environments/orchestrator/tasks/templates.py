"""Scenario templates by split: which jobs in which order, and the words for what they work on."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from rlaios_core.schema import Split


@dataclass(frozen=True)
class Template:
    """One scenario: `steps` are kinds of jobs, in order; nouns name its files, tables and collections."""

    name: str
    steps: tuple[str, ...]
    nouns: tuple[str, ...]


TEMPLATES: Mapping[Split, tuple[Template, ...]] = {
    Split.TRAIN: (
        Template("nightly digest", ("render", "publish", "push"), ("sales", "returns", "visits")),
        Template("ledger upgrade", ("migrate", "load", "push"), ("accounts", "journals", "balances")),
        Template("catalogue import", ("fetch", "load"), ("products", "prices", "stock")),
        Template("library release", ("unittest", "package", "push"), ("parser", "codec", "router")),
        Template("page mirror", ("fetch", "publish"), ("pages", "notes", "guides")),
        Template("bulletin", ("assemble", "push"), ("news", "alerts", "tips")),
        Template("weekly rollup", ("load", "render", "push"), ("hours", "trips", "orders")),
        Template("starter kit", ("unittest", "assemble", "publish", "push"), ("themes", "icons", "layouts")),
    ),
    Split.HELD_OUT: (
        Template("invoice posting", ("load", "push"), ("invoices", "credits", "fees")),
        Template("firmware rollout", ("unittest", "package", "publish", "push"), ("sensor", "modem", "pump")),
        Template("archive compaction", ("migrate", "render", "push"), ("letters", "scans", "permits")),
        Template("timetable page", ("fetch", "render", "publish"), ("trains", "ferries", "buses")),
    ),
    Split.FINAL: (
        Template(
            "payroll statement", ("migrate", "render", "publish", "push"), ("wages", "bonuses", "leave")
        ),
        Template("map tiles", ("assemble", "package", "push"), ("rivers", "roads", "contours")),
        Template("glossary sync", ("fetch", "render", "push"), ("terms", "acronyms", "symbols")),
        Template("plugin registry", ("unittest", "publish", "push"), ("importer", "exporter", "filter")),
    ),
}


def draw(split: Split, rng: random.Random) -> Template:
    """Any template of the split."""
    return rng.choice(TEMPLATES[split])
