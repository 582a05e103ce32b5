"""Meters, positions and the division of notes into bars. A meter is a (beats, unit) pair."""

from values import QUARTER


def parse_meter(text):
    beats, _, unit = text.partition("/")
    meter = (int(beats), int(unit))
    if meter[0] < 1 or meter[1] not in (1, 2, 4, 8, 16):
        raise ValueError(f"bad meter: {text}")
    return meter


def bar_ticks(meter):
    beats, unit = meter
    return beats * 4 * QUARTER // unit


def beat_ticks(meter):
    """Length of the beat one counts: three eighths in compound meters such as 6/8."""
    beats, unit = meter
    plain = 4 * QUARTER // unit
    if unit >= 8 and beats > 3 and beats % 3 == 0:
        return 3 * plain
    return plain


def position(tick, meter):
    """Where a tick lies, as (bar, beat, rest): bars and beats are counted from 1."""
    bar, inside = divmod(tick, bar_ticks(meter))
    beat, rest = divmod(inside, beat_ticks(meter))
    return (bar + 1, beat + 1, rest)


def tick_of(place, meter):
    """The inverse of position."""
    bar, beat, rest = place
    if bar < 1 or beat < 1:
        raise ValueError("bars and beats count from 1")
    return (bar - 1) * bar_ticks(meter) + (beat - 1) * beat_ticks(meter) + rest


def is_downbeat(tick, meter):
    return tick % bar_ticks(meter) == 0


def split_at_bars(notes, meter):
    """Cut notes at bar lines, as (start, length, tie): tie is true for all pieces but the last."""
    size = bar_ticks(meter)
    pieces = []
    for start, length in notes:
        end = start + length
        while start < end:
            stop = min(end, (start // size + 1) * size)
            pieces.append((start, stop - start, stop < end))
            start = stop
    return pieces


def join_ties(pieces):
    """The inverse of split_at_bars."""
    notes = []
    open_note = None
    for start, length, tie in pieces:
        if open_note is not None:
            start, length = open_note[0], open_note[1] + length
        open_note = (start, length) if tie else None
        if not tie:
            notes.append((start, length))
    if open_note is not None:
        raise ValueError("the last note is tied to nothing")
    return notes


def quantize(notes, grid):
    """Move every start to the nearest grid line; a note halfway moves on to the later one."""
    return [((start + grid // 2) // grid * grid, length) for start, length in notes]


def legato(notes, end):
    """Make every note last until the next one begins, and the last one until the end."""
    starts = [start for start, _ in notes] + [end]
    return [(start, after - start) for start, after in zip(starts, starts[1:])]


def seconds(tick, tempos):
    """Time of a tick; tempos are (tick, beats per minute) pairs in order, the first one at 0."""
    if not tempos or tempos[0][0] != 0:
        raise ValueError("the first tempo must be at tick 0")
    total = 0.0
    for index, (start, bpm) in enumerate(tempos):
        stop = tempos[index + 1][0] if index + 1 < len(tempos) else tick
        if start >= tick:
            break
        total += (min(stop, tick) - start) * 60 / (bpm * QUARTER)
    return total
