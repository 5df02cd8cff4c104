"""Which system calls a jailed bot may make, as a program that the kernel runs before each of them.

What CPython, Node, Go, Rust and Java use is allowed. Refused is what reaches beyond the bot's own processes and files:
mounts, namespaces, tracing, keys, modules, clocks, the kernel's less trodden paths, and every socket but Unix ones. A
refused call fails with an error, so that a library that only probes goes on; a program for another architecture, whose
numbers mean other calls, is killed.

The program is classic BPF over ``struct seccomp_data``: the call's number at 0, the architecture at 4, arguments at 16.
Call numbers are those of ``asm/unistd_64.h`` (x86_64) and ``asm-generic/unistd.h`` (aarch64).
"""

import errno
import platform
import socket
import struct
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from referee.sandbox.entry import PID_WORD

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_KILL, _REFUSE, _NOTIFY, _ALLOW = 0x8000_0000, 0x0005_0000, 0x7FC0_0000, 0x7FFF_0000
_X32 = 0x4000_0000
"""Numbers from here on mean calls of the x32 interface on x86_64."""

AUDIT_ARCHITECTURES = MappingProxyType({"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7})

Numbers = tuple[int | None, int | None]
"""A call's numbers on x86_64 and aarch64; None where it is not."""

FORBIDDEN: MappingProxyType[str, Numbers] = MappingProxyType(
    {
        # Mounts and namespaces.
        "mount": (165, 40),
        "umount2": (166, 39),
        "pivot_root": (155, 41),
        "chroot": (161, 51),
        "open_tree": (428, 428),
        "move_mount": (429, 429),
        "fsopen": (430, 430),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fspick": (433, 433),
        "mount_setattr": (442, 442),
        "statmount": (457, 457),
        "listmount": (458, 458),
        "open_tree_attr": (467, 467),
        "unshare": (272, 97),
        "setns": (308, 268),
        # Other processes.
        "ptrace": (101, 117),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "pidfd_getfd": (438, 438),
        "kcmp": (312, 272),
        "migrate_pages": (256, 238),
        "move_pages": (279, 239),
        "ioprio_set": (251, 30),
        # Keys of the kernel.
        "add_key": (248, 217),
        "request_key": (249, 218),
        "keyctl": (250, 219),
        # Memory that no process's size shows, and what processes of one machine share without a file.
        "memfd_create": (319, 279),
        "memfd_secret": (447, 447),
        "shmget": (29, 194),
        "shmat": (30, 196),
        "shmctl": (31, 195),
        "semget": (64, 190),
        "semop": (65, 193),
        "semctl": (66, 191),
        "semtimedop": (220, 192),
        "msgget": (68, 186),
        "msgsnd": (69, 189),
        "msgrcv": (70, 188),
        "msgctl": (71, 187),
        "mq_open": (240, 180),
        "mq_unlink": (241, 181),
        # Paths that were a way out before.
        "bpf": (321, 280),
        "perf_event_open": (298, 241),
        "userfaultfd": (323, 282),
        "io_uring_setup": (425, 425),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "vmsplice": (278, 75),
        "name_to_handle_at": (303, 264),
        "open_by_handle_at": (304, 265),
        "fanotify_init": (300, 262),
        "modify_ldt": (154, None),
        "personality": (135, 92),
        "uselib": (134, None),
        # The machine itself.
        "init_module": (175, 105),
        "finit_module": (313, 273),
        "delete_module": (176, 106),
        "kexec_load": (246, 104),
        "kexec_file_load": (320, 294),
        "reboot": (169, 142),
        "swapon": (167, 224),
        "swapoff": (168, 225),
        "acct": (163, 89),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "syslog": (103, 116),
        "sethostname": (170, 161),
        "setdomainname": (171, 162),
        "settimeofday": (164, 170),
        "clock_settime": (227, 112),
        "clock_adjtime": (305, 266),
        "adjtimex": (159, 171),
        "iopl": (172, None),
        "ioperm": (173, None),
        "lookup_dcookie": (212, 18),
        "vhangup": (153, 58),
    }
)
"""Refused in every jail with a filter, by name: the numbers on x86_64 and aarch64."""

OWNERS: MappingProxyType[str, Numbers] = MappingProxyType(
    {
        "chmod": (90, None),
        "fchmod": (91, 52),
        "fchmodat": (268, 53),
        "fchmodat2": (452, 452),
        "chown": (92, None),
        "fchown": (93, 55),
        "lchown": (94, None),
        "fchownat": (260, 54),
        "setxattr": (188, 5),
        "lsetxattr": (189, 6),
        "fsetxattr": (190, 7),
        "setxattrat": (463, 463),
        "removexattr": (197, 14),
        "lremovexattr": (198, 15),
        "fremovexattr": (199, 16),
        "removexattrat": (466, 466),
        "file_setattr": (469, 469),
        "utime": (132, None),
        "utimes": (235, None),
        "futimesat": (261, None),
        "utimensat": (280, 88),
        "truncate": (76, 45),
        "inotify_add_watch": (254, 27),
    }
)
"""What the owner of a file may do to it whatever Landlock says: refused where a bot shares files' owner or view."""

SIGNALS: MappingProxyType[str, Numbers] = MappingProxyType(
    {
        "kill": (62, 129),
        "tgkill": (234, 131),
        "tkill": (200, 130),
        "rt_sigqueueinfo": (129, 138),
        "rt_tgsigqueueinfo": (297, 240),
    }
)
"""Calls whose first argument is the process that they signal."""

_PID_CALLS: dict[str, Numbers] = {
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
"""Calls that change the process of the first argument; 0 is the caller."""

_CLONE, _CLONE3, _SOCKET, _SOCKETPAIR, _CONNECT = (56, 220), (435, 435), (41, 198), (53, 199), (42, 203)
_IOCTL, _FCNTL, _SETPRIORITY, _PIDFD_SIGNAL, _PRLIMIT = (16, 29), (72, 25), (141, 140), (424, 424), (302, 261)
_NEW_NAMESPACES = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: writing into a terminal as if somebody had typed it."""
_SIGNAL_IOCTLS = (0x8901, 0x8902)
"""FIOSETOWN and SIOCSPGRP."""
_SIGNAL_FCNTLS = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: signals by way of a descriptor."""


class NoFilter(OSError):
    """No filter is known for this machine's architecture."""


def machine() -> str:
    """Return the architecture whose call numbers hold here. Raises :class:`NoFilter`."""
    name = platform.machine()
    if name not in AUDIT_ARCHITECTURES:
        raise NoFilter(f"no system call filter for {name}: known are {', '.join(AUDIT_ARCHITECTURES)}")
    return name


def program(
    *,
    arch: str | None = None,
    network: bool = False,
    shared_view: bool = False,
    own_signals: bool = False,
) -> bytes:
    """Return the filter, as an array of ``struct sock_filter``. Raises :class:`NoFilter`.

    ``network`` leaves sockets alone, as a build command that may use the network needs. ``shared_view`` is for a bot
    that sees the machine's files, processes and sockets: what Landlock does not cover is refused, and each ``connect``
    is handed to the warden, which connects the bot to its referee whatever address it gave. ``own_signals`` lets a
    process signal nobody but the process ``PID_WORD``, for kernels whose Landlock does not.
    """
    arch = arch or machine()
    which = 0 if arch == "x86_64" else 1
    code = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_EQUAL, AUDIT_ARCHITECTURES[arch], 1, 0),
        _op(_RETURN, _KILL),
        _op(_LOAD, _NUMBER),
    ]
    if arch == "x86_64":
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, _KILL)]
    refused = [*FORBIDDEN.values(), *(OWNERS.values() if shared_view else ())]
    code += _answer(refused, which, _REFUSE | errno.EPERM)
    # clone3 hides its flags behind a pointer: without it, the C library uses clone.
    code += _answer([_CLONE3], which, _REFUSE | errno.ENOSYS)
    code += _when(_CLONE, which, [_argument(0), _op(_ANY_BIT, _NEW_NAMESPACES, 0, 1), _refusal(errno.EPERM)])
    code += _when(_IOCTL, which, _refuse_values(1, _TERMINAL_INPUT + (_SIGNAL_IOCTLS if own_signals else ())))
    code += _when(_PRLIMIT, which, _only(0, 0, errno.EPERM))
    if shared_view:
        for numbers in _PID_CALLS.values():
            code += _when(numbers, which, _only(0, 0, errno.EPERM))
        code += _when(_SETPRIORITY, which, [*_only(0, 0, errno.EPERM), *_only(1, 0, errno.EPERM)])
    if own_signals:
        code += _when(_FCNTL, which, _refuse_values(1, _SIGNAL_FCNTLS))
        for numbers in SIGNALS.values():
            code += _when(numbers, which, _only(0, PID_WORD, errno.EPERM))
        code += _answer([_PIDFD_SIGNAL], which, _REFUSE | errno.EPERM)
    if not network:
        only_unix = _only(0, socket.AF_UNIX, errno.EAFNOSUPPORT)
        if shared_view:
            # A datagram socket reaches others without connect.
            kind = [_argument(1), _op(_AND, 0xF), _op(_EQUAL, socket.SOCK_STREAM, 1, 0), _refusal(errno.EPERM)]
            code += _when(_SOCKETPAIR, which, [*only_unix, *kind])
            code += _when(_SOCKET, which, [*only_unix, *kind])
            code += _answer([_CONNECT], which, _NOTIFY)
        else:
            code += _when(_SOCKET, which, only_unix)
    code.append(_op(_RETURN, _ALLOW))
    return b"".join(code)


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _argument(position: int) -> bytes:
    """Load the low half of an argument; every argument looked at here has 32 bits."""
    return _op(_LOAD, 16 + 8 * position)


def _refusal(error: int) -> bytes:
    return _op(_RETURN, _REFUSE | error)


def _answer(calls: Iterable[Numbers], which: int, verdict: int) -> list[bytes]:
    """Give one verdict on some calls. The call's number is loaded."""
    code = []
    for numbers in calls:
        if (number := numbers[which]) is not None:
            code += [_op(_EQUAL, number, 0, 1), _op(_RETURN, verdict)]
    return code


def _when(numbers: Numbers, which: int, body: Sequence[bytes]) -> list[bytes]:
    """Run a body for one call only, which is allowed at its end. The call's number is loaded."""
    number = numbers[which]
    if number is None:
        return []
    code = [*body, _op(_RETURN, _ALLOW)]
    return [_op(_EQUAL, number, 0, len(code)), *code]


def _only(position: int, value: int, error: int) -> list[bytes]:
    """Refuse every other value of an argument."""
    return [_argument(position), _op(_EQUAL, value, 1, 0), _refusal(error)]


def _refuse_values(position: int, values: Iterable[int]) -> list[bytes]:
    """Refuse some values of an argument."""
    code = [_argument(position)]
    for value in values:
        code += [_op(_EQUAL, value, 0, 1), _refusal(errno.EPERM)]
    return code
