"""Transition tables: {state: {symbol: state}}."""


def parse_table(text):
    """Read lines such as 'idle start -> busy'; '#' begins a comment."""
    table = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        left, _, target = line.partition("->")
        words = left.split()
        if len(words) != 2 or not target:
            raise ValueError("bad rule in line %d" % number)
        source, symbol = words
        row = table.setdefault(source, {})
        if symbol in row:
            raise ValueError("double rule in line %d" % number)
        row[symbol] = target.strip()
    return table


def states_of(table):
    names = set(table)
    for row in table.values():
        names.update(row.values())
    return sorted(names)


def symbols_of(table):
    return sorted({symbol for row in table.values() for symbol in row})


def run_table(table, start, symbols):
    """State after all symbols, or None where a rule is missing."""
    state = start
    for symbol in symbols:
        state = table.get(state, {}).get(symbol)
        if state is None:
            return None
    return state


def accepts(table, start, finals, symbols):
    return run_table(table, start, symbols) in finals


def longest_match(table, start, finals, text):
    """Length of the longest accepted beginning of text, or -1."""
    best = 0 if start in finals else -1
    state = start
    for index, symbol in enumerate(text):
        state = table.get(state, {}).get(symbol)
        if state is None:
            break
        if state in finals:
            best = index + 1
    return best


def complete(table, sink="sink"):
    """Copy with every missing rule leading to the sink state."""
    symbols = symbols_of(table)
    full = {}
    for state in states_of(table) + [sink]:
        row = table.get(state, {})
        full[state] = {symbol: row.get(symbol, sink) for symbol in symbols}
    return full
