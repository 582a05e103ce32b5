"""The base of every stored contract, and the identities derived from content."""

import hashlib
import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

SCHEMA_VERSION = 1
"""Version written into everything stored; raised when a reader of old data would misread new data."""


class Model(BaseModel):
    """A frozen record: unknown fields are refused, JSON is camelCase, NaN and infinity are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
        ser_json_inf_nan="null",
    )

    def to_json(self) -> dict[str, Any]:
        """The record as JSON-ready data with camelCase keys."""
        return self.model_dump(mode="json", by_alias=True)


class StoredModel(Model):
    """A record that is written to disk or to the database, and so carries its schema version."""

    schema_version: int = SCHEMA_VERSION

    @model_validator(mode="after")
    def _version_is_known(self) -> Self:
        # A record of another version must be migrated, not guessed at.
        if self.schema_version != SCHEMA_VERSION:
            raise ValueError(
                f"{type(self).__name__} has schema version {self.schema_version}, "
                f"this program reads version {SCHEMA_VERSION}"
            )
        return self


def canonical_json(data: object) -> str:
    """The one JSON text of `data`: sorted keys, no spaces, NaN refused."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(data: object, length: int = 16) -> str:
    """Hex digest (SHA-256, first `length` digits) of JSON-ready data: equal content, equal hash."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:length]


def derive_seed(*position: str | int) -> int:
    """A 63-bit seed that depends only on its position, such as (campaign, epoch, environment, index).

    Counter-based: no draw depends on how many draws were made before, so neither speed nor order
    of execution can change it.
    """
    return int.from_bytes(hashlib.sha256(canonical_json(list(position)).encode()).digest()[:8], "big") >> 1
