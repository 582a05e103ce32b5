"""Combining configuration layers."""

LIST_MODES = ("replace", "append", "unique")


def merge_lists(base, extra, mode="replace"):
    if mode not in LIST_MODES:
        raise ValueError("unknown list mode: %s" % mode)
    if mode == "replace":
        return list(extra)
    if mode == "append":
        return base + extra
    merged = []
    for item in base + extra:
        if item not in merged:
            merged.append(item)
    return merged


def merge(base, override, list_mode="replace"):
    """Merge two layers; an override of None removes the key."""
    merged = dict(base)
    for key, value in override.items():
        if value is None:
            merged.pop(key, None)
            continue
        current = merged.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            merged[key] = merge(current, value, list_mode)
        elif isinstance(current, list) and isinstance(value, list):
            merged[key] = merge_lists(current, value, list_mode)
        else:
            merged[key] = value
    return merged


def merge_layers(layers, list_mode="replace"):
    """Later layers win; layers that are None are skipped."""
    result = {}
    for layer in layers:
        if layer is None:
            continue
        result = merge(result, layer, list_mode)
    return result


def origin_of(layers, key):
    """Index of the last layer that sets a top-level key, or -1."""
    for index in range(len(layers) - 1, -1, -1):
        if key in layers[index]:
            return index
    return -1


def pick(config, names):
    return {name: config[name] for name in names if name in config}
