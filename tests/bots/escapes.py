"""Attempts to get out of a jail, each tried in a process of its own; a line is printed for each.

An attempt is refused if it ends with an OSError, and has got out if it ends without an error. ``T`` holds what it
aims at, ``control`` says who can do it without a jail: "anyone", "root", or "" where that depends on the machine. None
of them does any harm if it works. Code may use ``call``, which makes a system call of libc, and ``raw``, by number.
"""

import ctypes
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import sys
import tempfile
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
X86 = platform.machine() == "x86_64"

ESCAPES = (
    # The other bot, the store, the machine's files.
    ("read the other bundle", "anyone", "open(T['secret']).read()"),
    ("list the other bundle", "anyone", "os.listdir(os.path.dirname(T['secret']))"),
    ("list the folder of all bundles", "anyone", "os.listdir(os.path.dirname(os.path.dirname(T['secret'])))"),
    ("read the other bundle by a link", "anyone", "os.symlink(T['secret'], TEMP + '/l'); open(TEMP + '/l').read()"),
    ("link the other bundle into one's own home", "", "os.link(T['secret'], TEMP + '/h')"),
    ("read it through the referee's root", "anyone", "open(f\"/proc/{T['referee']}/root{T['secret']}\").read()"),
    ("read it through the referee's folder", "anyone", "os.listdir(f\"/proc/{T['referee']}/cwd/\")"),
    ("read it through the first process", "", "open('/proc/1/root' + T['secret']).read()"),
    ("read it by climbing out of the bundle", "anyone", "open('../' * 40 + T['secret'].lstrip('/')).read()"),
    ("read the store", "anyone", "open(T['store'], 'rb').read()"),
    ("write the store", "anyone", "open(T['store'], 'ab')"),
    ("truncate the store", "anyone", "os.truncate(T['store'], 5)"),
    ("close the store to its owner", "anyone", "os.chmod(T['store'], 0o600)"),
    ("give the store another time", "anyone", "os.utime(T['store'], (1, 1))"),
    ("replace the store", "anyone", "os.rename(T['store'], T['store'] + 'x'); os.rename(T['store'] + 'x', T['store'])"),
    ("watch the store", "anyone", "watch(T['store'])"),
    ("list the other's home", "anyone", "os.listdir(T['other_home'])"),
    ("write into the other's home", "anyone", "open(T['other_home'] + '/x', 'w')"),
    ("read what others keep in the temporary folder", "anyone", "open(T['temporary']).read()"),
    ("write into one's own bundle", "anyone", "open(T['own'] + '/planted.py', 'w')"),
    ("change one's own bundle", "anyone", "open(T['own'] + '/escapes.py', 'a')"),
    ("change the packages of the platform", "", "open(T['package'], 'a')"),
    ("list the users of the machine", "anyone", "open('/etc/passwd').read()"),
    ("list a home", "anyone", "os.listdir(T['user_home'])"),
    ("write in the root", "root", "open('/planted', 'w').close(); os.unlink('/planted')"),
    ("write among the programs", "root", "open('/usr/planted', 'w').close(); os.unlink('/usr/planted')"),
    ("open the kernel's log", "", "open('/dev/kmsg').read(1)"),
    ("open the machine's memory", "", "open('/dev/mem', 'rb')"),
    ("make a device", "root", "os.mknod(TEMP + '/d', 0o20600, os.makedev(1, 1))"),
    ("change a setting of the kernel", "root", "open('/proc/sys/kernel/core_pattern', 'r+')"),
    ("reach the control groups", "anyone", "os.listdir('/sys/fs/cgroup')"),
    ("leave one's control group", "", "leave_group()"),
    # Other processes.
    ("read the referee's environment", "anyone", "open(f\"/proc/{T['referee']}/environ\").read()"),
    ("find the referee's secret in any environment", "anyone", "find_environment(T['variable'])"),
    ("inherit the referee's environment", "", "known = os.environ.get('CARDPIT_TEST_SECRET'); ensure(known)"),
    ("read the referee's memory", "anyone", "open(f\"/proc/{T['referee']}/mem\", 'rb')"),
    ("read the referee's command", "anyone", "open(f\"/proc/{T['referee']}/cmdline\").read()"),
    ("list the referee's descriptors", "anyone", "os.listdir(f\"/proc/{T['referee']}/fd\")"),
    ("read the token of another", "anyone", "open(f\"/proc/{T['opponent']}/environ\").read()"),
    ("signal the referee", "anyone", "os.kill(T['referee'], 0)"),
    ("signal another bot", "anyone", "os.kill(T['opponent'], 0)"),
    ("signal a thread of the referee", "anyone", "raw((234, 131), T['referee'], T['referee'], 0)"),
    ("signal by a descriptor", "anyone", "signal.pidfd_send_signal(os.pidfd_open(T['opponent']), 0)"),
    ("queue a signal", "", "raw((129, 138), T['opponent'], 0, ctypes.create_string_buffer(128))"),
    ("signal through a pipe", "", "signal_by_pipe(T['opponent'])"),
    ("trace another bot", "root", "raw((101, 117), 0x4206, T['opponent'], 0, 0)"),
    ("read another's memory by a call", "root", "read_memory(T['opponent'])"),
    ("take a descriptor of the referee", "root", "raw((438, 438), os.pidfd_open(T['referee']), 0, 0)"),
    ("limit the referee", "anyone", "resource.prlimit(T['referee'], resource.RLIMIT_CORE)"),
    ("move the referee to other processors", "anyone", "move(T['opponent'])"),
    ("slow the other bot down", "anyone", "os.setpriority(os.PRIO_PROCESS, T['opponent'], 1)"),
    ("keep the other bot from its disk", "anyone", "raw((251, 30), 1, T['opponent'], 3 << 13)"),
    ("compare the referee's files", "", "raw((312, 272), T['referee'], T['opponent'], 1, 0, 0)"),
    ("find an inherited descriptor", "", "find_descriptor()"),
    # The network and other sockets.
    ("connect by TCP", "anyone", "socket.create_connection(('127.0.0.1', T['port']), 1)"),
    ("listen for TCP", "anyone", "socket.create_server(('127.0.0.1', 0))"),
    (
        "send by UDP",
        "anyone",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', T['port']))",
    ),
    ("open an IPv6 socket", "", "socket.socket(socket.AF_INET6)"),
    ("open a raw socket", "root", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
    ("ask the kernel about the network", "anyone", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    ("reach another bot's socket", "anyone", "greet(T['service'])"),
    ("reach an abstract socket", "anyone", "greet('\\0' + T['abstract'])"),
    ("send to a service", "anyone", "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', T['datagrams'])"),
    (
        "send to a service from a pair",
        "anyone",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', T['datagrams'])",
    ),
    # Keys and shared memory.
    ("add a key", "anyone", "raw((248, 217), b'user', b'cardpit-test', b'x', 1, -1)"),
    ("look for a key", "", "raw((249, 218), b'user', b'cardpit-test', 0, 0)"),
    ("join another ring of keys", "anyone", "raw((250, 219), 1, 0)"),
    ("make shared memory", "anyone", "raw((31, 195), raw((29, 194), 0, 4096, 0o1600), 0, 0)"),
    ("attach shared memory", "anyone", "raw((30, 196), T['memory'], 0, 0o10000)"),
    ("make a message queue", "", "raw((240, 180), b'cardpit-test', 0o102, 0o600, 0)"),
    ("hide memory in a file without a name", "anyone", "os.memfd_create('x')"),
    # Namespaces and mounts.
    ("make a user namespace", "", "raw((272, 97), 0x10000000)"),
    ("make a mount namespace", "root", "raw((272, 97), 0x00020000)"),
    ("make a network namespace", "root", "raw((272, 97), 0x40000000)"),
    ("clone into a user namespace", "", "clone(0x10000000)"),
    ("clone into a process namespace", "root", "clone(0x20000000)"),
    ("join the referee's namespace", "root", "os_setns(f\"/proc/{T['referee']}/ns/net\")"),
    ("mount a file system", "root", "mount_privately()"),
    ("mount with the new calls", "root", "raw((430, 430), b'tmpfs', 0)"),
    ("copy a mount", "root", "raw((428, 428), -100, b'/', 1)"),
    ("change the root", "root", "os.chroot('/')"),
    ("map other users", "", "os.write(os.open('/proc/self/uid_map', os.O_WRONLY), b'0 0 1')"),
    # Paths into the kernel, and rights.
    ("load a filter into the kernel", "", "raw((321, 280), 0, ctypes.create_string_buffer(b'\\1\\0\\0\\0' * 16), 64)"),
    ("measure other processes", "", "raw((298, 241), ctypes.create_string_buffer(128), T['referee'], -1, -1, 0)"),
    ("make a ring for calls", "", "raw((425, 425), 1, ctypes.create_string_buffer(120))"),
    ("handle page faults", "root", "raw((323, 282), 0)"),
    ("watch a whole file system", "root", "raw((300, 262), 0, 0)"),
    ("open a file by its handle", "", "handle(T['own'])"),
    ("read the kernel's messages", "", "raw((103, 116), 10, 0, 0)"),
    ("rename the machine", "root", "socket.sethostname(socket.gethostname())"),
    ("load a module", "", "raw((313, 273), 0, b'', 0)"),
    ("reach the hardware", "", "raw((173, -1), 0x80, 1, 1) if X86 else ensure(False)"),
    ("regain the rights of root", "root", "regain()"),
    ("become another user", "root", "os.setresuid(1234, 1234, 1234)"),
    ("raise a limit", "anyone", "raise_limit()"),
)


def main():
    targets = json.loads(Path("targets.json").read_text())
    names = set(sys.argv[1:])
    for name, _, code in ESCAPES:
        if not names or name in names:
            print(f"{name}\t{attempt(code, targets)}", flush=True)


def attempt(code, targets):
    """Run code in a child; return ``refused``, ``got out`` or ``broken`` with the reason."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(5)
        scope = {**globals(), "T": targets, "TEMP": tempfile.mkdtemp()}
        try:
            exec(code, scope)
            os.write(writing, b"got out")
        except OSError as error:
            os.write(writing, f"refused: {error}".encode())
        except BaseException as error:  # noqa: BLE001 - it belongs into the report
            os.write(writing, f"broken: {error!r}".encode())
        os._exit(0)
    os.close(writing)
    said = b""
    while part := os.read(reading, 4096):
        said += part
    os.close(reading)
    _, status = os.waitpid(child, 0)
    return said.decode().replace("\n", " ") or f"broken: status {status}"


def raw(numbers, *arguments):
    """Make a system call by its number. Raises OSError."""
    number = numbers[0 if X86 else 1]
    result = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def ensure(found):
    if not found:
        raise OSError("nothing is there")


def mount_privately():
    raw((272, 97), 0x00020000)
    raw((165, 40), b"none", b"/", 0, 0x44000, 0)
    raw((165, 40), b"tmpfs", b"/tmp", b"tmpfs", 0, 0)


def leave_group():
    for folder in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory"):
        try:
            Path(folder, "cgroup.procs").write_text(str(os.getpid()))
        except OSError:
            continue
        return
    raise OSError("no group can be entered")


def watch(path):
    descriptor = raw((294, 26), 0)
    raw((254, 27), descriptor, path.encode(), 0xFFF)


def clone(flags):
    child = raw((56, 220), flags | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def os_setns(path):
    raw((308, 268), os.open(path, os.O_RDONLY), 0)


def find_environment(value):
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if value.encode() in (entry / "environ").read_bytes():
                    return
            except OSError:
                continue
    raise OSError("no environment has it")


def find_descriptor():
    for number in range(3, 64):
        try:
            target = str(Path(f"/proc/self/fd/{number}").readlink())
        except OSError:
            continue
        if not target.startswith("pipe:") and "/proc/" not in target:
            return
    raise OSError("there is none")


def read_memory(pid):
    """A wrong address is found out only after the permission has been given."""
    here = ctypes.create_string_buffer(8)
    ours = (ctypes.c_uint64 * 2)(ctypes.addressof(here), 8)
    theirs = (ctypes.c_uint64 * 2)(0, 8)
    try:
        raw((310, 270), pid, ours, 1, theirs, 1, 0)
    except OSError as error:
        if error.errno != 14:
            raise


def move(pid):
    os.sched_setaffinity(pid, os.sched_getaffinity(pid))


def signal_by_pipe(pid):
    """The other process gets a signal whenever something can be read here."""
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, pid)
    fcntl.fcntl(reading, 10, signal.SIGUSR1)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")
    raise OSError("only the other knows whether it worked")


def greet(address):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(0.3)
        connection.connect(address)
        ensure(connection.recv(5) == b"hello")


def handle(path):
    buffer = ctypes.create_string_buffer((128).to_bytes(4, sys.byteorder), 136)
    raw((303, 264), -100, path.encode(), buffer, ctypes.create_string_buffer(4), 0)


def regain():
    """Some rights that root has even in containers."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    everything = (ctypes.c_uint32 * 6)(0xEB, 0xEB, 0, 0, 0, 0)
    raw((126, 91), header, everything)


def raise_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    try:
        resource.setrlimit(
            resource.RLIMIT_DATA, (2 * hard, 2 * hard) if hard != resource.RLIM_INFINITY else (hard, hard)
        )
    except ValueError as error:
        raise OSError(*error.args) from None


if __name__ == "__main__":
    main()
