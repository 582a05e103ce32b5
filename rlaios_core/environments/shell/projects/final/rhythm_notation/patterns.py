"""Step patterns: lists of 0 (silent) and positive loudness, one entry for each step."""

from values import QUARTER

MARKS = ".xX"


def from_marks(text):
    """Read a drum line such as 'x..X..x.'; bars and blanks are ignored."""
    steps = []
    for mark in text:
        if mark in " |":
            continue
        if mark not in MARKS:
            raise ValueError(f"unknown mark: {mark!r}")
        steps.append(MARKS.index(mark))
    return steps


def to_marks(steps, group=0):
    """Write steps as marks, with a bar line between groups."""
    marks = "".join(MARKS[min(step, 2)] for step in steps)
    if group < 1:
        return marks
    return "|".join(marks[at:at + group] for at in range(0, len(marks), group))


def euclid(pulses, steps):
    """Spread pulses over steps as evenly as possible, beginning with a pulse."""
    if not 0 <= pulses <= steps:
        raise ValueError("there cannot be more pulses than steps")
    return [1 if (index * pulses) % steps < pulses else 0 for index in range(steps)]


def rotate(steps, count):
    """Move the pattern to the left; a negative count moves it to the right."""
    if not steps:
        return []
    count %= len(steps)
    return steps[count:] + steps[:count]


def onsets(steps):
    return [index for index, step in enumerate(steps) if step > 0]


def gaps(steps):
    """Steps from each onset to the next one, round the end of the pattern."""
    found = onsets(steps)
    if not found:
        return []
    following = found[1:] + [found[0] + len(steps)]
    return [after - before for before, after in zip(found, following)]


def layer(first, second):
    """Both patterns at once, the louder step wins; the shorter one is repeated."""
    size = max(len(first), len(second))
    if not first or not second:
        return list(first or second)
    return [max(first[i % len(first)], second[i % len(second)]) for i in range(size)]


def accent(steps, every):
    """Raise the loudness of sounding steps that lie on a multiple of `every`."""
    return [step + 1 if step > 0 and index % every == 0 else step for index, step in enumerate(steps)]


def is_syncopated(steps, beat):
    """True if a step between beats sounds while the beat after it is silent."""
    for index in onsets(steps):
        if index % beat == 0:
            continue
        following = (index // beat + 1) * beat % len(steps)
        if steps[following] == 0:
            return True
    return False


def to_notes(steps, step_ticks=QUARTER // 4, swing=0):
    """Notes of one step each; swing delays every second step by some ticks."""
    notes = []
    for index in onsets(steps):
        late = swing if index % 2 == 1 else 0
        notes.append((index * step_ticks + late, step_ticks - late))
    return notes
