"""From rows to text."""


def needs_quotes(value: str, delimiter: str = ",") -> bool:
    if value == "" or value != value.strip():
        return True
    return any(char in value for char in (delimiter, '"', "\n"))


def format_field(value, delimiter: str = ",") -> str:
    """None gives an empty field and an empty text gives a quoted one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    if not needs_quotes(text, delimiter):
        return text
    return '"' + text.replace('"', '""') + '"'


def write_row(values, delimiter: str = ",") -> str:
    return delimiter.join(format_field(value, delimiter) for value in values)


def write_records(records: list, names: list | None = None) -> str:
    """Text with a header line; names default to the first record's keys."""
    if not records and names is None:
        return ""
    header = names if names is not None else records[0]
    lines = [write_row(header)]
    for record in records:
        lines.append(write_row(record.get(name) for name in header))
    return "\n".join(lines) + "\n"


def column_widths(rows: list) -> list:
    """Greatest text length of each column; short rows are allowed."""
    widths = []
    for row in rows:
        for col, value in enumerate(row):
            if col == len(widths):
                widths.append(0)
            widths[col] = max(widths[col], len(value))
    return widths


def align_rows(rows: list, gap: int = 2) -> list:
    """Lines with columns padded to equal width, no blanks at line ends."""
    widths = column_widths(rows)
    blank = " " * gap
    lines = []
    for row in rows:
        cells = [value.ljust(width) for value, width in zip(row, widths)]
        lines.append(blank.join(cells).rstrip())
    return lines


def truncate(value: str, width: int, mark: str = "..") -> str:
    if len(value) <= width:
        return value
    if width <= len(mark):
        return value[:width]
    return value[:width - len(mark)] + mark
