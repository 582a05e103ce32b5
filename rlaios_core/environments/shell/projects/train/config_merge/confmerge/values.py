"""Turning text settings into typed values."""

TRUE_WORDS = {"true", "yes", "on"}
FALSE_WORDS = {"false", "no", "off"}
UNITS = {"k": 1000, "m": 1000000}


def parse_bool(text):
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError("not a boolean: %r" % text)


def parse_size(text):
    """'12' -> 12, '3k' -> 3000, '2M' -> 2000000."""
    text = text.strip().lower()
    if not text:
        raise ValueError("empty size")
    factor = UNITS.get(text[-1], 1)
    digits = text if factor == 1 else text[:-1]
    return int(digits) * factor


def is_integer(text):
    digits = text[1:] if text[:1] in ("-", "+") else text
    return digits.isdigit()


def parse_value(text):
    text = text.strip()
    if text.lower() in TRUE_WORDS | FALSE_WORDS:
        return parse_bool(text)
    if is_integer(text):
        return int(text)
    if text.startswith("[") and text.endswith("]"):
        return [parse_value(part) for part in text[1:-1].split(",") if part.strip()]
    return text


def from_environ(environ, prefix):
    """{'APP_DB__PORT': '80'} with prefix 'APP_' -> {'db.port': 80}."""
    flat = {}
    for name, text in environ.items():
        if not name.startswith(prefix):
            continue
        path = name[len(prefix):].lower().replace("__", ".")
        flat[path] = parse_value(text)
    return flat


def clamp_setting(value, low, high):
    if low > high:
        raise ValueError("low is above high")
    return min(max(value, low), high)
