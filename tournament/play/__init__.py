"""Matches in which a person plays: never rated, never stored."""
