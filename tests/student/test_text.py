import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rlaios_core.student.text import BUCKETS, stable_hash, text_features


def bucket(text: str) -> int:
    return stable_hash(text) % BUCKETS


def weight_of(text: str, feature: str) -> float:
    features = text_features(text)
    found = features.weights[features.buckets == bucket(feature)]
    return float(found[0]) if len(found) else 0.0


@given(st.text(max_size=200))
def test_any_text_gives_finite_features_within_the_table(text: str) -> None:
    features = text_features(text)
    assert np.isfinite(features.weights).all()
    assert ((features.buckets >= 0) & (features.buckets < BUCKETS)).all()
    assert len(features.buckets) == len(features.weights)


def test_a_number_keeps_its_value() -> None:
    assert weight_of("susp:0.25", "susp:") == 0.25
    assert weight_of("susp:-1", "susp:") == -1.0


def test_a_number_that_is_not_finite_is_left_out() -> None:
    assert weight_of("susp:nan", "susp:") == 0.0
    assert weight_of("susp:inf", "susp:") == 0.0


def test_a_category_is_one_feature() -> None:
    assert weight_of("kind:Name", "kind:Name") == 1.0


def test_tags_are_kept_apart_for_crossing() -> None:
    features = text_features("word #late #early")
    assert sorted(features.tags) == sorted([stable_hash("#late"), stable_hash("#early")])


def test_camel_case_and_underscores_share_their_parts() -> None:
    mask = text_features("lineCount").mask & text_features("line_count").mask
    assert np.bitwise_count(mask).sum() == 2


def test_a_number_weighs_the_same_in_a_long_text() -> None:
    assert weight_of("a:0.5 " + "word " * 50, "a:") == 0.5
