"""Rows as dictionaries, typed columns and summaries."""

from reading import CsvError


def clean_header(names):
    """Lower-case names with underscores; repeats get a number."""
    cleaned = []
    for name in names:
        name = "_".join(name.lower().split()) or "column"
        base, number = name, 1
        while name in cleaned:
            number += 1
            name = base + "_" + str(number)
        cleaned.append(name)
    return cleaned


def to_records(rows):
    """The first row names the fields of the others."""
    rows = list(rows)
    if not rows:
        return []
    header = clean_header(rows[0])
    records = []
    for number, row in enumerate(rows[1:], start=2):
        if len(row) > len(header):
            raise CsvError("row %d is too long" % number)
        padding = [""] * (len(header) - len(row))
        records.append(dict(zip(header, row + padding)))
    return records


def convert(text):
    """int, then float, then None for blank text, else the text itself."""
    text = text.strip()
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def column(records, name, default=None):
    return [record.get(name, default) for record in records]


def column_type(texts):
    """'empty', 'int', 'float' or 'text' for all values of a column."""
    values = [convert(text) for text in texts]
    values = [value for value in values if value is not None]
    if not values:
        return "empty"
    if all(isinstance(value, int) for value in values):
        return "int"
    if any(isinstance(value, str) for value in values):
        return "text"
    return "float"


def summarize(texts):
    """(count, smallest, largest, mean) of the numbers in a column."""
    numbers = [value for value in map(convert, texts) if isinstance(value, (int, float))]
    if not numbers:
        return (0, None, None, None)
    mean = sum(numbers) / len(numbers)
    return (len(numbers), min(numbers), max(numbers), round(mean, 2))


def group_by(records, name):
    groups = {}
    for record in records:
        groups.setdefault(record[name], []).append(record)
    return groups


def top_values(texts, count=1):
    """Most frequent texts with their counts; earlier ones first on ties."""
    tally = {}
    for text in texts:
        tally[text] = tally.get(text, 0) + 1
    ranked = sorted(tally, key=tally.get, reverse=True)
    return [(text, tally[text]) for text in ranked[:count]]


def join_on(left, right, name):
    """Records of both lists with the same value, left order kept."""
    matches = group_by(right, name)
    joined = []
    for record in left:
        for other in matches.get(record[name], []):
            joined.append({**other, **record})
    return joined
