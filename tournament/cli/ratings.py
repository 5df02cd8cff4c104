"""``tournament ratings``."""
