"""What pages are made of, and what the reference does on them: plain data, no markup."""

from dataclasses import dataclass
from enum import StrEnum


class Op(StrEnum):
    """What the reference wants done with a control."""

    FILL = "fill"
    """Enter the payload entry called `value`."""
    SELECT = "select"
    """Choose the option called `value` of a native list."""
    CHECK = "check"
    """Make it checked (`value` "yes") or not ("no")."""
    CLICK = "click"
    """Press it."""
    SCROLL = "scroll"
    """Scroll down."""


@dataclass(frozen=True)
class Intent:
    """One wish of the reference. It is skipped while the control `unless` is on the page."""

    op: Op
    key: str = ""
    value: str = ""
    unless: str = ""


class FieldKind(StrEnum):
    """How a field is drawn."""

    TEXT = "text"
    EMAIL = "email"
    PASSWORD = "password"
    TEL = "tel"
    NUMBER = "number"
    SEARCH = "search"
    AREA = "area"
    SELECT = "select"
    RADIO = "radio"
    COMBOBOX = "combobox"
    CHECKBOX = "checkbox"


CHOICES = (FieldKind.SELECT, FieldKind.RADIO, FieldKind.COMBOBOX)


@dataclass(frozen=True)
class Field:
    """A field of a form: `entry` is the payload entry the goal wants in it, `want` the wanted choice."""

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    options: tuple[str, ...] = ()
    value: str = ""
    required: bool = True
    error: str = ""
    entry: str = ""
    want: str = ""

    def intents(self) -> list[Intent]:
        """What to do to make the field hold what is wanted."""
        if self.kind is FieldKind.CHECKBOX:
            return [Intent(Op.CHECK, self.key, self.want)] if self.want else []
        if self.kind is FieldKind.SELECT:
            return [Intent(Op.SELECT, self.key, self.want)] if self.want else []
        if self.kind is FieldKind.RADIO and self.want:
            return [Intent(Op.CHECK, option_key(self.key, self.options.index(self.want)), "yes")]
        if self.kind is FieldKind.COMBOBOX and self.want:
            option = option_key(self.key, self.options.index(self.want))
            return [
                Intent(Op.CLICK, self.key, self.want, unless=option),
                Intent(Op.CLICK, option, self.want),
            ]
        return [Intent(Op.FILL, self.key, self.entry)] if self.entry else []


def option_key(field: str, index: int) -> str:
    """The key of one option of a radio group or combobox."""
    return f"{field}.{index}"


@dataclass(frozen=True)
class Button:
    """Something to press. `kind`: submit, link (goes to `href`), opens (shows the dialog `href`), closes
    (the dialog it is in), toggles (the menu `href`). `confirm` asks with a native dialog first.
    """

    key: str
    label: str
    kind: str = "submit"
    href: str = ""
    confirm: str = ""
    download: bool = False


@dataclass(frozen=True)
class Form:
    """A form that posts to `action`."""

    key: str
    title: str
    action: str
    fields: tuple[Field, ...]
    buttons: tuple[Button, ...]
    save_bar: bool = False


@dataclass(frozen=True)
class Row:
    """One row of a table: cells, then what can be done with it; `menu` hides the buttons behind a menu."""

    key: str
    cells: tuple[str, ...]
    buttons: tuple[Button, ...]
    action: str = ""
    menu: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of like things. With `virtual` only rows in view exist."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    virtual: bool = False


@dataclass(frozen=True)
class Note:
    """A piece of text: `kind` is text, heading, alert or status."""

    text: str
    kind: str = "text"


@dataclass(frozen=True)
class Bar:
    """Buttons outside any form."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class Tabs:
    """Panels of which one is shown; `titles` are the tabs' labels, `panels` the blocks below each."""

    key: str
    titles: tuple[str, ...]
    panels: tuple["Block", ...]


@dataclass(frozen=True)
class Modal:
    """A dialog over the page; `shown` from the start or by a button. A `strip` lies along the bottom only."""

    key: str
    title: str
    body: tuple["Block", ...]
    shown: bool = False
    strip: bool = False


@dataclass(frozen=True)
class Frame:
    """Another page of the site within this one: in a frame, or in a shadow root when `shadow`."""

    key: str
    title: str
    path: str
    shadow: bool = False


Block = Note | Form | Table | Bar | Tabs | Modal | Frame


@dataclass(frozen=True)
class Page:
    """A page as it is now, and what the reference does on it, most wanted first."""

    title: str
    blocks: tuple[Block, ...]
    plan: tuple[Intent, ...] = ()
    status: int = 200
    bare: bool = False
    retry_after: int | None = None


def form_plan(form: Form, press: str) -> tuple[Intent, ...]:
    """Fill in everything wanted, then press a button."""
    return (*[intent for field in form.fields for intent in field.intents()], Intent(Op.CLICK, press))
