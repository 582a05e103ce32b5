"""From text to rows."""


class CsvError(ValueError):
    pass


def split_records(text):
    """Yield the raw records; newlines inside quotes do not end a record."""
    start = 0
    quoted = False
    for index, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif char == "\n" and not quoted:
            yield text[start:index]
            start = index + 1
    if quoted:
        raise CsvError("quote is never closed")
    if start < len(text):
        yield text[start:]


def split_fields(record, delimiter=","):
    """Cut a record at the delimiters outside quotes."""
    fields = []
    start = 0
    quoted = False
    for index, char in enumerate(record):
        if char == '"':
            quoted = not quoted
        elif char == delimiter and not quoted:
            fields.append(record[start:index])
            start = index + 1
    fields.append(record[start:])
    return fields


def unquote_field(field):
    if not field.startswith('"'):
        if '"' in field:
            raise CsvError("stray quote in " + field)
        return field
    if len(field) < 2 or not field.endswith('"'):
        raise CsvError("text after closing quote in " + field)
    return field[1:-1].replace('""', '"')


def read_rows(text, delimiter=",", comment=None):
    """Yield the rows of a text, leaving out blank and comment lines."""
    for record in split_records(text.replace("\r\n", "\n")):
        if not record.strip():
            continue
        if comment is not None and record.startswith(comment):
            continue
        yield [unquote_field(field) for field in split_fields(record, delimiter)]


def sniff_delimiter(line, candidates=",;\t|"):
    """The candidate found most often outside quotes; the first one on ties."""
    return max(candidates, key=lambda mark: len(split_fields(line, mark)))
