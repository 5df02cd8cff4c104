"""Student's t distribution and the normal one, by the standard library alone."""

import math
from statistics import NormalDist

_SMALLEST = 1e-300
_EPSILON = 1e-15
_NORMAL = NormalDist()


def normal_probability(z: float) -> float:
    """Return the probability that a standard normal number is at most z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(probability: float) -> float:
    """Return the z that a standard normal number exceeds with ``1 - probability``."""
    return _NORMAL.inv_cdf(probability)


def student_probability(t: float, freedom: float) -> float:
    """Return the probability that Student's t with so many degrees of freedom is at most t."""
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    tail = 0.5 * _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
    return 1 - tail if t > 0 else tail


def student_quantile(probability: float, freedom: float) -> float:
    """Return the t that Student's t exceeds with ``1 - probability``, by bisection; probabilities are 0 to 1."""
    if not 0 < probability < 1:
        return math.copysign(math.inf, probability - 0.5)
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while student_probability(high, freedom) < probability:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if student_probability(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function of 0 <= x <= 1.

    Source: the continued fraction of W. H. Press et al., "Numerical recipes", 6.4, evaluated by Lentz's method.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(b, a, 1 - x) / b
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c = 1.0
    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _EPSILON:
            break
    return value


def _away_from_zero(x: float) -> float:
    return x if abs(x) > _SMALLEST else _SMALLEST
