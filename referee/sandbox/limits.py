"""How much of the machine one bot may have: every limit that a jail sets, in one place."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot process may use, together with all that it starts."""

    memory_size: int = 512 * MIB
    """Bytes of memory, all processes and their temporary files together."""
    processes: int = 64
    """Processes and threads at once."""
    cores: float = 2.0
    """CPU seconds in a second."""
    scratch_size: int = 64 * MIB
    """Bytes of temporary files."""
    shared_size: int = 16 * MIB
    """Bytes in ``/dev/shm``, where a jail has its own."""
    file_size: int = 64 * MIB
    """Bytes in one file."""
    open_files: int = 256
    """Descriptors that one process holds open."""

    @property
    def resources(self) -> dict[str, int]:
        """The part that ``setrlimit`` keeps, by the names that it has for them, without ``RLIMIT_``.

        Memory is limited for the whole family elsewhere; the limit of one process only bounds how far it gets before
        that is noticed. It counts private memory that can be written: a limit on addresses would keep Node and Java,
        which reserve far more than they use, from starting.
        """
        return {
            "CORE": 0,
            "NOFILE": self.open_files,
            "FSIZE": self.file_size,
            "DATA": 2 * self.memory_size,
            "MSGQUEUE": 0,
        }


BOT = Limits()
"""What a bot has while it plays."""

BUILD = Limits(
    memory_size=2048 * MIB,
    processes=256,
    cores=4.0,
    scratch_size=1024 * MIB,
    shared_size=64 * MIB,
    file_size=512 * MIB,
    open_files=4096,
)
"""What the build command of a bundle has: compilers need more than what they build."""
