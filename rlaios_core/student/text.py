"""Text to hashed features: no vocabulary to ship, the same bytes give the same features everywhere.

A text is split at blanks. A piece `name:0.4` is a number called `name` (Vowpal Wabbit's notation), a
piece `name:word` a category, a piece `#word` a tag; tags count as categories too and are crossed
with the tags of other elements. Everything else is read as words, operators and character trigrams.
"""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

BUCKETS = 1 << 13
"""Rows of the hashed embedding table."""
MASK_WORDS = 8
"""64-bit words of a text's Bloom mask, by which shared words are counted."""
FEATURE_VERSION = 1
"""Raised whenever the same text would give other features: old weights then no longer fit."""

_NOTE = re.compile(r"^([a-z_][a-z0-9_]*):([^\s:]+(?::[^\s:]+)*)$")
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]{1,2}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TRIGRAM_WEIGHT = 0.25
_WORD_SCALE = 0.5
_MAX_PIECES = 160


@dataclass(frozen=True)
class TextFeatures:
    """One text's features.

    `buckets` (int32) index the embedding table with `weights` (float32); `tags` (uint64) are hashes of
    its tags; `mask` (uint64, `MASK_WORDS`) is a Bloom mask of its words, `word_count` how many bits it has.
    `name` is a 64-bit hash of the text itself: equal texts are embedded once.
    """

    buckets: NDArray[np.int32]
    weights: NDArray[np.float32]
    tags: NDArray[np.uint64]
    mask: NDArray[np.uint64]
    word_count: int
    name: int


def stable_hash(text: str) -> int:
    """A 32-bit hash that is the same in every process."""
    return zlib.crc32(text.encode())


def long_hash(text: str, mark: str) -> int:
    """A 64-bit hash that is the same in every process; `mark` keeps different uses apart."""
    return (stable_hash(text) << 32) | stable_hash(f"{mark} {text}")


@lru_cache(maxsize=60_000)
def text_features(text: str) -> TextFeatures:
    """The features of one element; cached, as the same elements come back at every step."""
    notes: dict[int, float] = {}
    words: dict[int, float] = {}
    tags: list[int] = []
    mask = 0
    for piece in text.split()[:_MAX_PIECES]:
        note = _NOTE.match(piece)
        if piece.startswith("#") and len(piece) > 1:
            tags.append(stable_hash(piece))
            notes[stable_hash(piece) % BUCKETS] = 1.0
        elif note:
            for name, value in _note_features(note.group(1), note.group(2)):
                notes[stable_hash(name) % BUCKETS] = value
        else:
            for word, weight in _word_features(piece):
                bucket = stable_hash(word) % BUCKETS
                words[bucket] = words.get(bucket, 0.0) + weight
                if weight == 1.0:
                    mask |= 1 << (stable_hash("mask " + word) % (64 * MASK_WORDS))
    # Words are normalised by their amount, notes are not: a number means the same in long and short texts.
    norm = max(1.0, sum(weight * weight for weight in words.values())) ** 0.5
    buckets = [*notes, *words]
    weights = [*notes.values(), *(_WORD_SCALE * weight / norm for weight in words.values())]
    return TextFeatures(
        buckets=np.array(buckets, dtype=np.int32),
        weights=np.array(weights, dtype=np.float32),
        tags=np.array(sorted(set(tags)), dtype=np.uint64),
        mask=np.array([(mask >> (64 * i)) & 0xFFFFFFFFFFFFFFFF for i in range(MASK_WORDS)], dtype=np.uint64),
        word_count=mask.bit_count(),
        name=long_hash(text, "text"),
    )


def _note_features(name: str, value: str) -> Iterator[tuple[str, float]]:
    try:
        number = float(value)
    except ValueError:
        yield f"{name}:{value}", 1.0
        return
    if not -1e6 < number < 1e6:  # also refuses NaN
        return
    # The number itself, and a coarse step of it, so that a linear reader can see a threshold.
    if number:
        yield f"{name}:", max(-2.0, min(2.0, number))
    yield f"{name}:~{round(max(-2.0, min(2.0, number)) * 5)}", 1.0


def _word_features(piece: str) -> Iterator[tuple[str, float]]:
    for part in _WORD.findall(_CAMEL.sub(" ", piece)):
        word = part.lower()
        yield word, 1.0
        if len(word) > 3:
            framed = f"<{word}>"
            for i in range(len(framed) - 2):
                yield framed[i : i + 3], _TRIGRAM_WEIGHT
