"""Pitches as numbers, 60 being the C in the middle ('c4')."""

NAMES = ["c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b"]
SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}


def number(name):
    """Pitch of a name such as 'c4', 'f#3' or 'bb-1'."""
    letter, rest = name[:1].lower(), name[1:]
    if letter not in NAMES:
        raise ValueError(f"unknown pitch: {name!r}")
    shift = 0
    while rest[:1] in ("#", "b"):
        shift += 1 if rest[0] == "#" else -1
        rest = rest[1:]
    return 12 * (int(rest) + 1) + NAMES.index(letter) + shift


def name_of(pitch):
    octave, step = divmod(pitch, 12)
    return f"{NAMES[step]}{octave - 1}"


def degree(tonic, scale, count):
    """Pitch of a scale degree, counted from 1; degrees above the scale go on an octave higher."""
    steps = SCALES[scale]
    octave, index = divmod(count - 1, len(steps))
    return tonic + 12 * octave + steps[index]


def in_scale(pitch, tonic, scale):
    return (pitch - tonic) % 12 in SCALES[scale]


def transpose(pitches, interval, low=0, high=127):
    """Move pitches; those that leave the range come back by octaves."""
    moved = []
    for pitch in pitches:
        pitch += interval
        while pitch > high:
            pitch -= 12
        while pitch < low:
            pitch += 12
        moved.append(pitch)
    return moved


def triad(tonic, scale, count):
    """Three pitches, each a third above the one before."""
    return [degree(tonic, scale, count + third) for third in (0, 2, 4)]


def invert(chord, times):
    """Move the lowest pitch an octave up, so many times."""
    chord = sorted(chord)
    for _ in range(times):
        chord = sorted(chord[1:] + [chord[0] + 12])
    return chord
