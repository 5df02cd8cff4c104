"""The normal distribution on whole arrays: the corrections that TrueSkill takes from a win and from a tie.

numpy has no error function, so the scaled complement ``erfcx(x) = exp(x**2) erfc(x)`` is taken from one polynomial.
It is the Chebyshev expansion of ``(1 + 2x) erfcx(x)`` in ``(x - 3) / (x + 3)``, after M. M. Shepherd and
J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", Mathematics of
Computation 36 (1981); its relative error is below 1e-12.
"""

import math

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
"""Floats, one for each board."""

_PIVOT = 3.0
_DEGREE = 18
_SQRT_HALF = math.sqrt(0.5)
_SQRT_TWO_OVER_PI = math.sqrt(2 / math.pi)
_LARGEST_W = 1 - 1e-9
"""A truncation never makes a difference exactly known."""


def _scaled_complement(x: float) -> float:
    """Return ``exp(x**2) erfc(x)`` of one number that is not negative."""
    if x < 4:
        return math.exp(x * x) * math.erfc(x)
    fraction = x
    for term in range(60, 0, -1):
        fraction = x + term / 2 / fraction
    return 1 / (math.sqrt(math.pi) * fraction)


def _coefficients() -> tuple[float, ...]:
    """Return the polynomial's coefficients, highest power first."""

    def smooth(points: Array) -> Array:
        places = _PIVOT * (1 + points) / (1 - points)
        return np.array([(1 + 2 * x) * _scaled_complement(x) for x in places.tolist()])

    series = np.polynomial.Chebyshev.interpolate(smooth, _DEGREE)
    return tuple(float(c) for c in reversed(series.convert(kind=np.polynomial.Polynomial).coef))


_COEFFICIENTS = _coefficients()


def erfcx(x: Array) -> Array:
    """Return ``exp(x**2) erfc(x)`` of numbers that are not negative."""
    point = (x - _PIVOT) / (x + _PIVOT)
    value = np.full_like(point, _COEFFICIENTS[0])
    for coefficient in _COEFFICIENTS[1:]:
        value *= point
        value += coefficient
    value /= 1 + 2 * x
    return value


def win(difference: Array, margin: Array) -> tuple[Array, Array]:
    """Return v and w of a win, where a normal difference turned out above the margin.

    Both arguments are in standard deviations of the difference. The mean of the truncated normal is ``difference + v``,
    its variance ``1 - w``. Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: a Bayesian skill rating system",
    2006, section 3.
    """
    x = difference - margin
    size = np.abs(x)
    scaled = erfcx(size * _SQRT_HALF)
    density = np.exp(-0.5 * size * size)
    denominator = np.where(x < 0, scaled, (2 - density * scaled))
    v = _SQRT_TWO_OVER_PI * np.where(x < 0, 1.0, density) / denominator
    w = v * (v + x)
    return v, np.clip(w, 0.0, _LARGEST_W)


def draw(difference: Array, margin: Array) -> tuple[Array, Array]:
    """Return v and w of a tie, where a normal difference turned out within the margin on either side.

    As for :func:`win`. Everything is divided by the density at the nearer end, so that a tie that nobody could expect
    loses no digits.
    """
    size = np.abs(difference)
    near = margin - size
    far = -margin - size
    ratio = np.exp(-2 * margin * size)
    scaled = erfcx(np.abs(near) * _SQRT_HALF)
    # Twice the probability of the interval, divided by exp(-near**2 / 2).
    mass = np.where(near > 0, 2 * np.exp(0.5 * np.square(np.clip(near, 0.0, 8.0))) - scaled, scaled)
    mass = mass - ratio * erfcx(-far * _SQRT_HALF)
    v = _SQRT_TWO_OVER_PI * np.expm1(-2 * margin * size) / mass
    w = v * v + _SQRT_TWO_OVER_PI * (near - ratio * far) / mass
    return np.where(difference < 0, -v, v), np.clip(w, 0.0, _LARGEST_W)
