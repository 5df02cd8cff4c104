"""The ``none`` jail: nothing but the sweep at the end, for debugging."""

from referee.sandbox.jail import Confinement, Launch


def confine(launch: Launch) -> Confinement:
    """Return how a start is carried out: as it is."""
    home = str(launch.scratch.home)
    environment = {**launch.environment, "HOME": home, "TMPDIR": home}
    return Confinement(
        command=launch.command, environment=environment, folder=launch.folder, limits=None, places=(home,)
    )


def refused() -> str:
    """Return an empty text: it works everywhere."""
    return ""


def lacks() -> list[str]:
    """Return what it does not enforce, each as one phrase."""
    return ["anything at all: not even a limit"]
