"""What is said of a command line that cannot be read, for both programs."""

import click


def usage_text(error: click.UsageError) -> str:
    """Return a message of the command line's parser on one line, with where to read more."""
    message = " ".join(error.format_message().split())
    where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    return f"{message[:1].lower()}{message[1:].rstrip('.')}{where}"
