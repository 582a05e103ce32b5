"""Small pieces of text: titles, slugs, lists in a sentence."""

SMALL_WORDS = {"a", "an", "and", "in", "of", "or", "the", "to"}


def title_case(text):
    """Capitals for all words but the small ones inside the title."""
    words = text.lower().split()
    last = len(words) - 1
    return " ".join(
        word if word in SMALL_WORDS and 0 < i < last else word.capitalize()
        for i, word in enumerate(words)
    )


def slug(text, max_length=20):
    """Lower case letters and digits, with single dashes for all the rest."""
    chars = [c if c.isalnum() else " " for c in text.lower()]
    joined = "-".join("".join(chars).split())
    return joined[:max_length].rstrip("-")


def sentence_list(items, word="and"):
    """'a, b and c'."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + f" {word} " + items[-1]


def plural(count, noun, many=None):
    """'1 box', '3 boxes'; the regular plural gets an s."""
    if abs(count) == 1:
        return f"{count} {noun}"
    return f"{count} {many or noun + 's'}"


def initials(name, limit=3):
    return "".join(part[0].upper() for part in name.split()[:limit])


def number_lines(lines, start=1):
    """Put right-aligned numbers before lines."""
    width = len(str(start + len(lines) - 1))
    return [f"{number:>{width}}: {line}" for number, line in enumerate(lines, start)]


def common_prefix(words):
    """The longest beginning that all words share."""
    if not words:
        return ""
    prefix = words[0]
    for word in words[1:]:
        size = min(len(prefix), len(word))
        differ = [i for i in range(size) if prefix[i] != word[i]]
        prefix = prefix[:differ[0] if differ else size]
    return prefix
