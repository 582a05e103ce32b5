"""Access to nested dictionaries by dotted path."""


def split_path(path):
    """Split 'a.b.c' into its keys; blanks around a key are ignored."""
    keys = [part.strip() for part in path.split(".")]
    if "" in keys:
        raise ValueError("empty key in path: %r" % path)
    return keys


def get_path(config, path, default=None):
    node = config
    for key in split_path(path):
        if not isinstance(node, dict) or key not in node:
            return default
        node = node[key]
    return node


def set_path(config, path, value):
    """Return a copy of config with value stored at path."""
    keys = split_path(path)
    result = dict(config)
    node = result
    for key in keys[:-1]:
        child = node.get(key)
        node[key] = dict(child) if isinstance(child, dict) else {}
        node = node[key]
    node[keys[-1]] = value
    return result


def delete_path(config, path):
    """Return a copy of config without path; parents left empty go too."""
    keys = split_path(path)
    head, rest = keys[0], keys[1:]
    if head not in config:
        return dict(config)
    result = {key: value for key, value in config.items() if key != head}
    if rest:
        child = config[head]
        if not isinstance(child, dict):
            return dict(config)
        smaller = delete_path(child, ".".join(rest))
        if smaller:
            result[head] = smaller
    return result


def flatten(config, prefix=""):
    flat = {}
    for key, value in config.items():
        name = prefix + "." + key if prefix else key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, name))
        else:
            flat[name] = value
    return flat


def unflatten(flat):
    config = {}
    for path in sorted(flat):
        config = set_path(config, path, flat[path])
    return config


def depth(config):
    """Number of nested dictionary levels; a plain value has depth 0."""
    if not isinstance(config, dict):
        return 0
    return 1 + max((depth(value) for value in config.values()), default=0)
