"""Questions about the graph of a transition table."""

from collections import deque

from fsm.tables import states_of


def neighbours(table, state):
    return sorted(set(table.get(state, {}).values()))


def distances(table, start):
    """Fewest steps from start to each state that can be reached."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for following in neighbours(table, state):
            if following not in found:
                found[following] = found[state] + 1
                queue.append(following)
    return found


def unreachable(table, start):
    reached = distances(table, start)
    return [state for state in states_of(table) if state not in reached]


def dead_ends(table, finals):
    """States without a way out that are not final."""
    return [state for state in states_of(table) if not table.get(state) and state not in finals]


def shortest_word(table, start, goals):
    """Shortest symbol list that leads to a goal, smallest symbols first."""
    queue = deque([(start, [])])
    seen = {start}
    while queue:
        state, word = queue.popleft()
        if state in goals:
            return word
        for symbol, target in sorted(table.get(state, {}).items()):
            if target not in seen:
                seen.add(target)
                queue.append((target, word + [symbol]))
    return None


def has_cycle(table, start):
    """Whether a run from start can come back to a state."""
    def visit(state, path):
        if state in path:
            return True
        return any(visit(target, path | {state}) for target in neighbours(table, state))

    return visit(start, frozenset())


def count_words(table, start, finals, length):
    """Number of accepted words of the given length."""
    ways = {start: 1}
    for _ in range(length):
        following = {}
        for state, number in ways.items():
            for target in table.get(state, {}).values():
                following[target] = following.get(target, 0) + number
        ways = following
    return sum(number for state, number in ways.items() if state in finals)


def equivalent_groups(table, finals):
    """Partition of the states by behaviour, groups and members sorted."""
    states = states_of(table)
    label = {state: state in finals for state in states}
    for _ in states:
        label = refine(table, label)
    groups = {}
    for state in states:
        groups.setdefault(label[state], []).append(state)
    return sorted(groups.values())


def refine(table, label):
    """One step of splitting groups whose members lead to different groups."""
    keys = {}
    for state in label:
        row = table.get(state, {})
        moves = tuple(sorted((symbol, label[target]) for symbol, target in row.items()))
        keys[state] = (label[state], moves)
    order = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return {state: order[key] for state, key in keys.items()}
