"""Breaking text into lines and paragraphs."""


def break_word(word, width):
    """Yield pieces of a word that are at most `width` characters long."""
    for start in range(0, len(word), width):
        yield word[start:start + width]


def wrap(text, width):
    """Fill lines greedily with words; words longer than a line are broken."""
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    line = ""
    for word in text.split():
        for piece in break_word(word, width):
            if not line:
                line = piece
            elif len(line) + 1 + len(piece) <= width:
                line += " " + piece
            else:
                lines.append(line)
                line = piece
    if line:
        lines.append(line)
    return lines


def paragraphs(text):
    """Yield blocks of lines that stand between blank lines."""
    block = []
    for line in text.splitlines():
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def reflow(text, width):
    """Wrap each paragraph anew and keep one blank line between them."""
    return "\n\n".join("\n".join(wrap(" ".join(block), width)) for block in paragraphs(text))


def indent(lines, depth, first=None):
    """Indent lines; `first` gives the first line an indent of its own."""
    if first is None:
        first = depth
    return [" " * (depth if i > 0 else first) + line for i, line in enumerate(lines)]


def dedent(lines):
    """Take away the indent that all non-blank lines share."""
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    common = min(depths, default=0)
    return [line[common:] for line in lines]


def bullets(items, width, mark="-"):
    """A list of wrapped items, hanging behind their marks."""
    result = []
    for item in items:
        margin = len(mark) + 1
        body = wrap(item, width - margin)
        for i, line in enumerate(body):
            prefix = mark + " " if i == 0 else " " * margin
            result.append(prefix + line)
    return result


def clip(text, width, marker=".."):
    """Shorten text to a width, showing by a marker that something is missing."""
    if len(text) <= width:
        return text
    keep = max(width - len(marker), 0)
    return text[:keep].rstrip() + marker[:width]
