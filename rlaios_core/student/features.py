"""Observations to arrays: elements, match features, tag crosses; and their batches as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from rlaios_core.schema import Action, Observation
from rlaios_core.student.text import BUCKETS, TextFeatures, long_hash, stable_hash, text_features

CROSS_BUCKETS = 1 << 15
"""Rows of the table of crosses between an action's tags and the context's tags."""
MAX_CONTEXT = 28
"""Context lines kept, newest last; the instruction comes on top."""
MATCH_FEATURES = 8
"""Numbers per action that say how it matches the instruction and the context."""

_OWN_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_CONTEXT_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_NO_TAGS = np.array([stable_hash("#no_tags")], dtype=np.uint64)


@dataclass(frozen=True)
class ObservationFeatures:
    """One observation: `elements` are the instruction and the context lines, `actions` the action elements.

    `names` uint64 are the texts' names, elements first; `match` is float32 [actions, MATCH_FEATURES];
    `crosses` uint16, `cross_counts` of them per action (there are many, and an update holds the features of
    thousands of steps); `keys` uint64 per action names what it does, whatever is noted about it; `verbs`
    int64 per action numbers its verb; `crowd` float32 per action is the log of how many admissible actions
    share its verb.
    """

    elements: tuple[TextFeatures, ...]
    actions: tuple[TextFeatures, ...]
    names: NDArray[np.uint64]
    match: NDArray[np.float32]
    crosses: NDArray[np.uint16]
    cross_counts: NDArray[np.int64]
    keys: NDArray[np.uint64]
    verbs: NDArray[np.int64]
    crowd: NDArray[np.float32]


def action_key(action: Action) -> int:
    """A 64-bit name of what the action does."""
    return long_hash(f"{action.verb}\x1f{action.target}\x1f{action.argument}", "key")


def observation_features(observation: Observation) -> ObservationFeatures:
    """Everything the network reads of an observation."""
    lines = observation.context[-MAX_CONTEXT:]
    elements = tuple(text_features(text) for text in (observation.instruction, *lines))
    actions = tuple(text_features(f"#{a.verb} {a.text}") for a in observation.actions)
    crosses, counts = _crosses(elements, actions)
    verbs = np.unique([action.verb for action in observation.actions], return_inverse=True)[1]
    return ObservationFeatures(
        elements=elements,
        actions=actions,
        names=np.array([text.name for text in (*elements, *actions)], dtype=np.uint64),
        match=_match(elements, actions, observation.steps_left),
        crosses=crosses,
        cross_counts=counts,
        keys=np.array([action_key(a) for a in observation.actions], dtype=np.uint64),
        verbs=verbs,
        crowd=np.log(np.bincount(verbs)[verbs]).astype(np.float32),
    )


def _match(
    elements: Sequence[TextFeatures], actions: Sequence[TextFeatures], steps_left: int
) -> NDArray[np.float32]:
    """Shares of an action's words found in the instruction, the newest line, the rest and anywhere."""
    masks = np.stack([action.mask for action in actions])
    counts = np.array([max(1, action.word_count) for action in actions], dtype=np.float32)
    lines = np.stack([element.mask for element in elements])
    rest = np.bitwise_or.reduce(lines[1:-1], axis=0) if len(lines) > 2 else np.zeros_like(lines[0])
    everything = np.bitwise_or.reduce(lines, axis=0)
    shares = [
        np.bitwise_count(masks & line).sum(axis=1) / counts
        for line in (lines[0], lines[-1], rest, everything)
    ]
    size = np.full(len(actions), np.log1p(len(actions)) / 6.0)
    budget = np.full(len(actions), steps_left / 30.0)
    missing = np.bitwise_count(masks & ~everything).sum(axis=1) / 8.0
    return np.stack([*shares, size, budget, missing, np.log1p(counts) / 3.0], axis=1).astype(np.float32)


def _crosses(
    elements: Sequence[TextFeatures], actions: Sequence[TextFeatures]
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    context = np.unique(np.concatenate([element.tags for element in elements]))
    if not len(context):
        context = _NO_TAGS
    own = np.concatenate([action.tags for action in actions])
    with np.errstate(over="ignore"):
        mixed = np.add.outer(own * _OWN_FACTOR, context * _CONTEXT_FACTOR)
    # The high bits are the well mixed ones.
    buckets = ((mixed >> np.uint64(40)) % np.uint64(CROSS_BUCKETS)).astype(np.uint16).ravel()
    counts = np.array([len(action.tags) * len(context) for action in actions], dtype=np.int64)
    return buckets, counts


@dataclass(frozen=True)
class Batch:
    """B observations as tensors: U distinct texts, at most E elements and A actions each, N actions in all.

    `texts` is a sparse float32 [U, BUCKETS]; `element_ids` [B, E] and `action_ids` [N] index its rows; masks
    [B, E] and [B, A] are true where there is something. What is said of actions has a row for each true place
    of `action_mask`, row by row: `match` [N, MATCH_FEATURES], `crowd` [N], `crosses`, a sparse float32 [N,
    CROSS_BUCKETS]. `scales` are for the tables' rows, if any.
    """

    texts: csr_matrix
    element_ids: torch.Tensor
    element_mask: torch.Tensor
    action_ids: torch.Tensor
    action_mask: torch.Tensor
    match: torch.Tensor
    crowd: torch.Tensor
    crosses: csr_matrix
    scales: "FeatureScales | None"


class FeatureScales(NamedTuple):
    """What every hashed feature is multiplied with: float32 [BUCKETS, 1] and [CROSS_BUCKETS, 1]."""

    texts: torch.Tensor
    crosses: torch.Tensor


def feature_dropout(rate: float, rng: np.random.Generator) -> FeatureScales:
    """Scales that drop each hashed feature at that rate and make up for it in those kept.

    A feature is dropped from the whole batch, so that no action keeps what its rivals lost (dropout of
    inputs: Srivastava et al. 2014, "Dropout: a simple way to prevent neural networks from overfitting").
    """
    kept = [rng.random((size, 1)) >= rate for size in (BUCKETS, CROSS_BUCKETS)]
    texts, crosses = (torch.from_numpy(rows.astype(np.float32) / np.float32(1 - rate)) for rows in kept)
    return FeatureScales(texts, crosses)


def collate(observations: Sequence[ObservationFeatures], scales: FeatureScales | None = None) -> Batch:
    """One batch of observations; equal texts are embedded once."""
    texts, ids = _distinct(observations)
    width, height = max(len(o.elements) for o in observations), max(len(o.actions) for o in observations)
    element_ids = np.zeros((len(observations), width), dtype=np.int64)
    action_ids: list[NDArray[np.int64]] = []
    start = 0
    for row, observation in enumerate(observations):
        lines, end = start + len(observation.elements), start + len(observation.names)
        # Newest line first after the instruction: its place says how old a line is.
        element_ids[row, 0] = ids[start]
        element_ids[row, 1 : lines - start] = ids[start + 1 : lines][::-1]
        action_ids.append(ids[lines:end])
        start = end
    buckets = np.concatenate([text.buckets for text in texts])
    weights = np.concatenate([text.weights for text in texts])
    # As narrow as a sparse matrix may be, which would copy anything wider.
    crosses = np.concatenate([o.crosses for o in observations], dtype=np.int32)
    text_sizes = np.array([len(text.buckets) for text in texts])
    cross_sizes = np.concatenate([o.cross_counts for o in observations])
    return Batch(
        texts=_sparse(weights, buckets, text_sizes, BUCKETS),
        element_ids=torch.from_numpy(element_ids),
        element_mask=_filled([len(o.elements) for o in observations], width),
        action_ids=torch.from_numpy(np.concatenate(action_ids)),
        action_mask=_filled([len(o.actions) for o in observations], height),
        match=torch.from_numpy(np.concatenate([o.match for o in observations])),
        crowd=torch.from_numpy(np.concatenate([o.crowd for o in observations])),
        crosses=_sparse(np.ones(len(crosses), dtype=np.float32), crosses, cross_sizes, CROSS_BUCKETS),
        scales=scales,
    )


def _distinct(observations: Sequence[ObservationFeatures]) -> tuple[list[TextFeatures], NDArray[np.int64]]:
    """The distinct texts in the order of their first use, and for every text its place among them."""
    texts = [text for o in observations for text in (*o.elements, *o.actions)]
    names = np.concatenate([o.names for o in observations])
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    # By first use, not by name: sums then run in the same order however texts are called.
    order = np.argsort(first)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return [texts[at] for at in first[order]], places[inverse]


def _sparse(
    weights: NDArray[np.float32], buckets: NDArray[np.int32], counts: NDArray[np.int64], columns: int
) -> csr_matrix:
    """Rows of hashed features, `counts` of them in each."""
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return csr_matrix((weights, buckets, starts), shape=(len(counts), columns))


def _filled(lengths: Sequence[int], width: int) -> torch.Tensor:
    return torch.arange(width)[None, :] < torch.tensor(lengths)[:, None]
