"""Quantiles agree with published tables and with each other."""

import pytest

from answerwatch.errors import UsageError
from answerwatch.figures.quantiles import normal_quantile, t_quantile

# Made with SciPy's stats.t.ppf, which answerwatch does not depend on.
KNOWN = [
    (0.95, 1, 12.706204736174694),
    (0.95, 2, 4.302652729749462),
    (0.95, 3, 3.1824463052837078),
    (0.95, 10, 2.228138851986274),
    (0.95, 11, 2.200985160091639),
    (0.95, 39, 2.022690920036761),
    (0.95, 119, 1.9800998764569397),
    (0.95, 400, 1.9659123432294627),
    (0.95, 1000, 1.9623390808264083),
    (0.95, 5000, 1.9604385517065073),
    (0.90, 1, 6.313751514675037),
    (0.90, 5, 2.0150483733330233),
    (0.99, 1, 63.656741162871526),
    (0.99, 2, 9.924843200918287),
    (0.99, 30, 2.7499956535672254),
    (0.99, 1000, 2.580754698065951),
]


@pytest.mark.parametrize(("confidence", "df", "expected"), KNOWN)
def test_t_quantiles_are_those_of_the_tables(confidence: float, df: int, expected: float) -> None:
    assert t_quantile(confidence, df) == pytest.approx(expected, abs=1e-6)


def test_the_normal_quantile_is_that_of_the_tables() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054, abs=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.9999])
def test_t_falls_steadily_towards_the_normal_quantile_also_where_the_method_changes(confidence: float) -> None:
    values = [t_quantile(confidence, df) for df in (1, 2, 3, 10, 399, 400, 401, 402, 10_000)]

    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(normal_quantile(confidence), rel=1e-3)
    assert values[-1] > normal_quantile(confidence)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_a_confidence_that_is_no_share_is_refused(confidence: float) -> None:
    with pytest.raises(UsageError, match=r"between 0 and 1"):
        t_quantile(confidence, 5)


def test_no_degree_of_freedom_is_refused() -> None:
    with pytest.raises(UsageError, match="degree of freedom"):
        t_quantile(0.95, 0)
