"""The default network: hashed elements, a small transformer over the context, a score per action.

Wide and deep (Cheng et al. 2016, "Wide & Deep Learning for Recommender Systems"): a linear part over
an action's own hashed features and its crosses with the context's tags learns from few examples, a
deep part generalises. Actions attend to the instruction and the context but not to one another, so
the cost grows linearly with the number of candidates.
"""

from typing import Any, NamedTuple

import torch
from pydantic import Field
from scipy.sparse import csr_matrix
from torch import nn
from torch.nn import functional

from rlaios_core.schema import Model
from rlaios_core.student.features import CROSS_BUCKETS, MATCH_FEATURES, MAX_CONTEXT, Batch
from rlaios_core.student.text import BUCKETS


class _HashedSum(torch.autograd.Function):
    """Sparse [R, C] times dense [C, W]: what an embedding bag does, at a tenth of its backward pass."""

    @staticmethod
    def forward(ctx: Any, rows: csr_matrix, table: torch.Tensor) -> torch.Tensor:
        ctx.rows = rows
        return torch.from_numpy(rows @ table.detach().numpy())

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[None, torch.Tensor]:
        return None, torch.from_numpy(ctx.rows.T @ gradient.contiguous().numpy())


def hashed_sum(rows: csr_matrix, table: torch.Tensor) -> torch.Tensor:
    """Weighted sums of the table's rows, one per row of hashed features."""
    result: torch.Tensor = _HashedSum.apply(rows, table)  # type: ignore[no-untyped-call]
    return result


class StudentSettings(Model):
    """Size of the default student."""

    width: int = Field(default=64, ge=8, le=1024, description="Width of every element.")
    heads: int = Field(default=4, ge=1, le=16)
    layers: int = Field(default=2, ge=1, le=12, description="Transformer layers over the context.")
    hidden: int = Field(default=96, ge=8, le=4096, description="Hidden units of the score per action.")


class Output(NamedTuple):
    """Scores [B, A] with -inf where there is no action, and values [B] in [-1, 1]."""

    logits: torch.Tensor
    values: torch.Tensor


class StudentNetwork(nn.Module):
    """Scores every admissible action of an observation, and its value."""

    def __init__(self, settings: StudentSettings) -> None:
        super().__init__()
        width = settings.width
        self.embedding = nn.Parameter(torch.empty(BUCKETS, width))
        self.wide = nn.Parameter(torch.zeros(BUCKETS, 1))
        self.crosses = nn.Parameter(torch.zeros(CROSS_BUCKETS, 1))
        self.age = nn.Embedding(MAX_CONTEXT + 1, width)
        layer = nn.TransformerEncoderLayer(
            width, settings.heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        self.context = nn.TransformerEncoder(layer, settings.layers, enable_nested_tensor=False)
        self.context_norm = nn.LayerNorm(width)
        self.attend = nn.MultiheadAttention(width, settings.heads, dropout=0.0, batch_first=True)
        self.score = nn.Sequential(
            nn.Linear(2 * width + MATCH_FEATURES, settings.hidden), nn.GELU(), nn.Linear(settings.hidden, 1)
        )
        self.value = nn.Sequential(
            nn.Linear(width, settings.hidden), nn.GELU(), nn.Linear(settings.hidden, 1)
        )
        self._initialise()

    def _initialise(self) -> None:
        nn.init.normal_(self.embedding, std=0.3)
        # Scores near zero at the start: the untrained student chooses evenly among verbs, and within each.
        for head in (self.score[-1], self.value[-1]):
            assert isinstance(head, nn.Linear)
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, batch: Batch) -> Output:
        """Scores and values of a batch of observations."""
        table: torch.Tensor = torch.cat([self.embedding, self.wide], dim=1)
        cross_table: torch.Tensor = self.crosses
        if batch.scales is not None:
            table, cross_table = table * batch.scales.texts, cross_table * batch.scales.crosses
        hashed = hashed_sum(batch.texts, table)
        texts, wide = hashed[:, :-1], hashed[:, -1]
        age = torch.arange(batch.element_ids.shape[1])
        elements = functional.embedding(batch.element_ids, texts) + self.age(age)[None]
        context = self.context_norm(self.context(elements, src_key_padding_mask=~batch.element_mask))
        # Everything but attention works on the N actions alone: half of a padded batch is padding.
        places = batch.action_mask.flatten().nonzero().squeeze(1)
        actions = texts.index_select(0, batch.action_ids)
        seen, _ = self.attend(
            actions.new_zeros(batch.action_mask.numel(), actions.shape[1])
            .index_copy(0, places, actions)
            .view(*batch.action_mask.shape, -1),
            context,
            context,
            key_padding_mask=~batch.element_mask,
            need_weights=False,
        )
        seen = seen.flatten(0, 1).index_select(0, places)
        deep = self.score(torch.cat([actions, seen, batch.match], dim=-1)).squeeze(-1)
        crosses = hashed_sum(batch.crosses, cross_table).squeeze(-1)
        # Less the log of the verb's crowd: untrained, every verb is as likely as another, so that one
        # `verify` among 200 patches is tried at all.
        scores = deep + wide.index_select(0, batch.action_ids) + crosses - batch.crowd
        logits = scores.new_full((batch.action_mask.numel(),), float("-inf"))
        logits = logits.index_copy(0, places, scores).view(batch.action_mask.shape)
        return Output(logits, torch.tanh(self.value(context[:, 0]).squeeze(-1)))
