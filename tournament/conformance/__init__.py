"""Conformance: numbered steps that tell whether a bot, in whatever language, keeps to the protocol."""
