"""The bots that come with Cardpit, loaded as they lie in ``bots/``."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from cardpit import Bot

BOTS = Path(__file__).parents[1] / "bots"


def load(name: str) -> type[Bot]:
    """Return the bot of a folder."""
    spec = spec_from_file_location(f"{name}_bot", BOTS / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    (bot,) = (value for value in vars(module).values() if isinstance(value, type) and value.__module__ == spec.name)
    assert issubclass(bot, Bot)
    return bot
