"""The public Python API is one sorted list that changes on purpose only."""

import answerwatch

EXPECTED = ["Lexicon", "__version__", "clean", "open_workspace"]


def test_the_public_list_is_sorted_and_as_agreed() -> None:
    assert list(answerwatch.__all__) == sorted(EXPECTED)


def test_every_public_name_exists() -> None:
    missing = [name for name in answerwatch.__all__ if not hasattr(answerwatch, name)]

    assert not missing
