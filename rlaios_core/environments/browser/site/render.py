"""Pages to HTML: eight layout templates, ids that say nothing, everything escaped."""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from rlaios_core.environments.browser.site.blocks import (
    Bar,
    Block,
    Button,
    Field,
    FieldKind,
    Form,
    Frame,
    Modal,
    Note,
    Page,
    Row,
    Table,
    Tabs,
    option_key,
)
from rlaios_core.environments.browser.site.spec import SiteSpec
from rlaios_core.environments.browser.site.words import rng_of


@lru_cache(maxsize=2)
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")


class Renderer:
    """Draws the pages of one task in its layout. `ident` gives a key's id, which is also its field name."""

    def __init__(self, spec: SiteSpec) -> None:
        self._spec = spec
        rng = rng_of(spec.seed, "style")
        self._heading = rng.choice(("h1", "h2"))
        self._button = rng.choice(("button", "button", "input", "role"))
        self._submit_first = rng.random() < 0.7
        self._nav_last = rng.random() < 0.4
        self._autocomplete = rng.random() < 0.5
        self._typed = rng.random() < 0.7

    def ident(self, key: str) -> str:
        """The id of a control; it depends on the task and tells nothing."""
        return f"{'abcdefgh'[self._spec.seed % 8]}{zlib.crc32(f'{self._spec.seed}:{key}'.encode()):08x}"

    def document(self, page: Page, navigation: Sequence[Button], overlays: Sequence[Block]) -> str:
        """The whole HTML document."""
        nav = (
            f"<nav aria-label='Site'>{''.join(self._link(b) for b in navigation)}</nav>" if navigation else ""
        )
        body = "".join(self.block(block) for block in (*page.blocks, *overlays))
        flags = " ".join(f"data-{mechanic.value}" for mechanic in self._spec.mechanics)
        title = f"<{self._heading}>{escape(page.title)}</{self._heading}>" if not page.bare else ""
        main = f"<main>{title}{body}</main>"
        inner = main + nav if self._nav_last else nav + main
        return (
            f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{escape(page.title)}</title>"
            f"<style>{_asset('site.css')}</style></head>"
            f"<body class='layout{self._spec.layout}' {flags}>{inner}<script>{_asset('site.js')}</script>"
            "</body></html>"
        )

    def block(self, block: Block) -> str:
        """One block as HTML."""
        match block:
            case Note():
                return self._note(block)
            case Form():
                return self._form(block)
            case Table():
                return self._table(block)
            case Bar():
                return f"<div class=bar>{''.join(self._press(b) for b in block.buttons)}</div>"
            case Tabs():
                return self._tabs(block)
            case Modal():
                return self._modal(block)
            case Frame():
                return self._frame(block)

    def _note(self, note: Note) -> str:
        text = escape(note.text)
        match note.kind:
            case "heading":
                return f"<h3>{text}</h3>"
            case "alert" | "status":
                return f"<div role={note.kind} class={note.kind}>{text}</div>"
            case _:
                return f"<p>{text}</p>"

    def _form(self, form: Form) -> str:
        ident = self.ident(form.key)
        fields = "".join(self._field(field) for field in form.fields)
        if self._spec.layout == 1:
            fields = f"<table class=fields>{fields}</table>"
        elif self._spec.layout == 5:
            fields = f"<dl>{fields}</dl>"
        elif self._spec.layout == 2:
            fields = f"<fieldset><legend>{escape(form.title)}</legend>{fields}</fieldset>"
        buttons = list(form.buttons) if self._submit_first else list(reversed(form.buttons))
        save_bar = " class=savebar hidden" if form.save_bar else " class=bar"
        return (
            f"<form id={ident} method=post action='{escape(form.action)}' aria-label='{escape(form.title)}' "
            f"novalidate>{fields}<div{save_bar}>{''.join(self._press(b) for b in buttons)}</div></form>"
        )

    def _field(self, field: Field) -> str:
        ident = self.ident(field.key)
        error = f"<span class=error id={ident}e>{escape(field.error)}</span>" if field.error else ""
        extra = f" aria-invalid=true aria-describedby={ident}e" if field.error else ""
        if field.required and field.kind is not FieldKind.CHECKBOX:
            extra += " required"
        if field.kind is FieldKind.CHECKBOX:
            return self._checkbox(field, ident, error)
        if field.kind is FieldKind.RADIO:
            return self._radio(field, ident, error)
        control, label = self._control(field, ident, extra)
        return self._placed(label, ident, control, error, combobox=field.kind is FieldKind.COMBOBOX)

    def _placed(self, label: str, ident: str, control: str, error: str, *, combobox: bool) -> str:
        """Label and control as the layout has them."""
        text = escape(label)
        target = "" if combobox else f" for={ident}"
        match self._spec.layout:
            case 1:
                return f"<tr><td id={ident}l>{text}</td><td>{control}{error}</td></tr>"
            case 3:
                return f"<div class=field>{control}{error}</div>"
            case 4:
                return f"<div class=field>{control}<label id={ident}l{target}>{text}</label>{error}</div>"
            case 5:
                return f"<dt id={ident}l>{text}</dt><dd>{control}{error}</dd>"
            case 6:
                return f"<div class=card><span id={ident}l>{text}</span>{control}{error}</div>"
            case 7 if not combobox:
                return f"<label class=row><span id={ident}l>{text}</span> {control}</label>{error}"
            case _:
                return f"<div class=field><label id={ident}l{target}>{text}</label>{control}{error}</div>"

    def _control(self, field: Field, ident: str, extra: str) -> tuple[str, str]:
        """The control's HTML, and the label to put beside it."""
        named = f"id={ident} name={ident}{extra}"
        if self._spec.layout in (6,) or field.kind is FieldKind.COMBOBOX:
            named += f" aria-labelledby='{ident}l'"
        elif self._spec.layout == 3:
            named += f" aria-label='{escape(field.label)}'"
            if field.kind not in (FieldKind.SELECT, FieldKind.AREA):
                named += f" placeholder='{escape(field.label)}'"
        if field.kind is FieldKind.SELECT:
            options = "".join(
                f"<option{' selected' if option == field.value else ''}>{escape(option)}</option>"
                for option in ("–", *field.options)
            )
            return f"<select {named}>{options}</select>", field.label
        if field.kind is FieldKind.AREA:
            return f"<textarea {named} rows=2>{escape(field.value)}</textarea>", field.label
        if field.kind is FieldKind.COMBOBOX:
            return self._combobox(field, ident, extra), field.label
        kind = field.kind.value
        if not self._typed and field.kind in (FieldKind.EMAIL, FieldKind.TEL, FieldKind.NUMBER):
            kind = "text"
        auto = {"email": "email", "tel": "tel", "password": "current-password"}.get(field.kind.value, "")
        named += f" autocomplete={auto}" if auto and self._autocomplete else ""
        return f"<input type={kind} {named} value='{escape(field.value)}'>", field.label

    def _combobox(self, field: Field, ident: str, extra: str) -> str:
        options = "".join(
            f"<li role=option id={self.ident(option_key(field.key, i))}>{escape(option)}</li>"
            for i, option in enumerate(field.options)
        )
        # In the layout without visible labels the name must be given otherwise.
        name = (
            f"aria-label='{escape(field.label)}'" if self._spec.layout == 3 else f"aria-labelledby={ident}l"
        )
        return (
            f"<div class=combobox><button type=button role=combobox id={ident} aria-haspopup=listbox "
            f"aria-expanded=false {name}{extra}>{escape(field.value) or '–'}</button>"
            f"<ul role=listbox hidden>{options}</ul>"
            f"<input type=hidden name={ident} value='{escape(field.value)}'></div>"
        )

    def _checkbox(self, field: Field, ident: str, error: str) -> str:
        checked = " checked" if field.value == "yes" else ""
        box = f"<input type=checkbox id={ident} name={ident} value=yes{checked}>"
        html = f"<label class=check>{box} {escape(field.label)}</label>{error}"
        return f"<tr><td colspan=2>{html}</td></tr>" if self._spec.layout == 1 else f"<div>{html}</div>"

    def _radio(self, field: Field, ident: str, error: str) -> str:
        boxes = "".join(
            f"<label><input type=radio name={ident} id={self.ident(option_key(field.key, i))} "
            f"value='{escape(option)}'{' checked' if option == field.value else ''}> {escape(option)}</label>"
            for i, option in enumerate(field.options)
        )
        html = f"<fieldset class=radio><legend>{escape(field.label)}</legend>{boxes}{error}</fieldset>"
        if self._spec.layout == 1:
            return f"<tr><td colspan=2>{html}</td></tr>"
        return f"<dd>{html}</dd>" if self._spec.layout == 5 else html

    def _press(self, button: Button) -> str:
        ident = self.ident(button.key)
        label = escape(button.label)
        ask = f" data-confirm='{escape(button.confirm)}'" if button.confirm else ""
        match button.kind:
            case "link":
                return self._link(button)
            case "opens" | "closes" | "toggles":
                target = (
                    f" data-{button.kind}={self.ident(button.href)}"
                    if button.href
                    else f" data-{button.kind}"
                )
                popup = " aria-haspopup=menu aria-expanded=false" if button.kind == "toggles" else ""
                seen = f" data-seen={button.href}" if button.kind == "closes" and button.href else ""
                return f"<button type=button id={ident}{target}{popup}{seen}>{label}</button>"
            case "popup":
                return f"<button type=button id={ident} data-popup='{escape(button.href)}'>{label}</button>"
            case "menuitem":
                return f"<button role=menuitem name=do value={ident} id={ident}{ask}>{label}</button>"
        if self._button == "input":
            return f"<input type=submit name=do.{ident} id={ident} value='{label}'{ask}>"
        if self._button == "role" and not ask:
            return f"<a role=button tabindex=0 id={ident} data-submit class=button>{label}</a>"
        return f"<button name=do value={ident} id={ident}{ask}>{label}</button>"

    def _link(self, button: Button) -> str:
        download = " download" if button.download else ""
        start = f"<a id={self.ident(button.key)} href='{escape(button.href)}'{download}>"
        return f"{start}{escape(button.label)}</a> "

    def _table(self, table: Table) -> str:
        head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
        rows = [self._row(row) for row in table.rows]
        if table.virtual:
            items = "".join(f"<template>{row}</template>" for row in rows)
            return (
                f"<section aria-label='{escape(table.title)}'><div class=virtual data-virtual>"
                f"<table><tbody></tbody></table>{items}</div></section>"
            )
        return (
            f"<section aria-label='{escape(table.title)}'><table><thead><tr>{head}<th></th></tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table></section>"
        )

    def _row(self, row: Row) -> str:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row.cells)
        buttons = "".join(self._press(button) for button in row.buttons)
        if row.action:
            buttons = f"<form method=post action='{escape(row.action)}'>{buttons}</form>"
        if row.menu:
            menu = self.ident(f"{row.key}.menu")
            opener = Button(f"{row.key}.opener", row.menu, "toggles", f"{row.key}.menu")
            buttons = f"{self._press(opener)}<div role=menu id={menu} hidden>{buttons}</div>"
        return f"<tr>{cells}<td>{buttons}</td></tr>"

    def _tabs(self, tabs: Tabs) -> str:
        heads, panels = [], []
        for i, (title, panel) in enumerate(zip(tabs.titles, tabs.panels, strict=True)):
            tab, body = self.ident(f"{tabs.key}.{i}"), self.ident(f"{tabs.key}.{i}.panel")
            heads.append(
                f"<button type=button role=tab id={tab} aria-selected={'true' if i == 0 else 'false'} "
                f"data-tab={body}>{escape(title)}</button>"
            )
            panels.append(
                f"<div role=tabpanel id={body} aria-labelledby={tab}{' hidden' if i else ''}>"
                f"{self.block(panel)}</div>"
            )
        return f"<div class=tabs><div role=tablist>{''.join(heads)}</div>{''.join(panels)}</div>"

    def _modal(self, modal: Modal) -> str:
        hidden = "" if modal.shown else " hidden"
        body = "".join(self.block(block) for block in modal.body)
        if modal.strip:
            return (
                f"<div class=cookiebar id={self.ident(modal.key)}{hidden} role=region "
                f"aria-label='{escape(modal.title)}'><span>{escape(modal.title)}</span> {body}</div>"
            )
        return (
            f"<div class=modal id={self.ident(modal.key)}{hidden}><div role=dialog aria-modal=true "
            f"aria-label='{escape(modal.title)}'><p>{escape(modal.title)}</p>{body}</div></div>"
        )

    def _frame(self, frame: Frame) -> str:
        if frame.shadow:
            return f"<div data-shadow='{escape(frame.path)}' id={self.ident(frame.key)}></div>"
        return (
            f"<iframe id={self.ident(frame.key)} title='{escape(frame.title)}' src='{escape(frame.path)}' "
            "width=600 height=260></iframe>"
        )
