"""What happens to the machine in mid-tournament: no result is lost or doubled, and the same command goes on."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from disturbances import CUP, Ending, begin, command, ending, output, played, prepare, wait_for

TESTS = Path(__file__).parent.parent
PRIVATE = ["unshare", "--mount", "--propagation", "private"]
"""What mounts is gone with the process that mounted it."""

GO_ON = "what was stored before is kept; go on with: tournament run --name cup"


def in_private(script: str, home: Path) -> None:
    """Run Python code that may mount something at ``home``, with the names of ``disturbances``."""
    if os.geteuid() or subprocess.run([*PRIVATE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("only root may mount, and not everywhere")
    head = (
        f"import json, os, subprocess, sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "from dataclasses import asdict\nfrom disturbances import *\nhome = Path(sys.argv[1])\n"
    )
    done = subprocess.run(
        [*PRIVATE, sys.executable, "-c", head + script, str(home)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_disk_that_fills_ends_the_run_and_it_goes_on_when_there_is_room(tmp_path: Path, undisturbed: Ending) -> None:
    expected = tmp_path / "expected.json"
    expected.write_text(json.dumps(asdict(undisturbed)))
    home = tmp_path / "home"
    home.mkdir()
    in_private(
        f"""
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", home], check=True)
prepare(home)
ballast = home / "ballast"
room = os.statvfs(home)
ballast.write_bytes(bytes(room.f_bavail * room.f_frsize - 250_000))
done = subprocess.run(command("--home", str(home), *CUP), capture_output=True, text=True)
assert done.returncode == 1, done.stderr
assert done.stderr.endswith("database or disk is full: {GO_ON}\\n"), done.stderr
ballast.unlink()
assert 0 < played(home) < 40, played(home)
output(home, *CUP)
assert asdict(ending(home)) == json.loads(Path({str(expected)!r}).read_text())
""",
        home,
    )


def test_a_file_that_may_not_grow_ends_the_run_and_it_goes_on_without_the_limit(
    tmp_path: Path, undisturbed: Ending
) -> None:
    prepare(tmp_path)
    words = ["prlimit", "--fsize=300000:", "--", *command("--home", str(tmp_path), *CUP)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.endswith(f"disk I/O error: {GO_ON}\n")
    assert 0 < played(tmp_path) < 40
    output(tmp_path, *CUP)
    assert ending(tmp_path) == undisturbed


READ_ONLY = """
words = command("--home", str(home), "ratings", "cup")
assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == output(home, "ratings", "cup")
done = subprocess.run(command("--home", str(home), *CUP), capture_output=True, text=True)
assert done.returncode == 2, done.stderr
assert done.stderr.startswith(f"tournament: home {home} cannot be written ("), done.stderr
assert done.stderr.count("\\n") == 1, done.stderr
words = command("--home", str(home), "void", "cup/landlord/0/0/0", "--why", "a test")
done = subprocess.run(words, capture_output=True, text=True)
assert done.returncode == 2, done.stderr
assert done.stderr.count("\\n") == 1, done.stderr
"""


def test_a_home_that_cannot_be_written_is_read_and_goes_on_when_it_can_be(tmp_path: Path, undisturbed: Ending) -> None:
    prepare(tmp_path)
    with begin(tmp_path, *CUP) as process:
        wait_for(tmp_path, 10, process)
        process.terminate()
    before = played(tmp_path)
    assert 10 <= before < 40
    if os.geteuid():
        folders = [tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())]
        for folder in folders:
            folder.chmod(0o500)
        exec(READ_ONLY, {**globals(), "home": tmp_path})
        for folder in folders:
            folder.chmod(0o700)
    else:
        mount = """
subprocess.run(["mount", "--bind", home, home], check=True)
subprocess.run(["mount", "-o", "remount,bind,ro", home], check=True)
"""
        in_private(mount + READ_ONLY, tmp_path)
    assert played(tmp_path) == before
    output(tmp_path, *CUP)
    assert ending(tmp_path) == undisturbed


JUMPING_CLOCK = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* A day back, the right time, a day ahead: in turns, and each for a while. */
static long jump(void) {
    static long calls;
    return (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) / 20 % 3 - 1) * 86400L;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += jump();
    return failed;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec read;
    int failed = clock_gettime(CLOCK_REALTIME, &read);
    now->tv_sec = read.tv_sec;
    now->tv_usec = read.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now) {
    struct timespec read;
    clock_gettime(CLOCK_REALTIME, &read);
    if (now) *now = read.tv_sec;
    return read.tv_sec;
}
"""


def test_a_wall_clock_that_jumps_by_days_changes_nothing(tmp_path: Path, undisturbed: Ending) -> None:
    if shutil.which("gcc") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("gcc is not installed")
    source, shim = tmp_path / "clock.c", tmp_path / "clock.so"
    source.write_text(JUMPING_CLOCK)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(shim), str(source)], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(shim)}
    look = "import time; print(len({time.time() // 86400 for _ in range(99)}))"
    seen = subprocess.run([sys.executable, "-c", look], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout == "3\n"
    home = tmp_path / "home"
    prepare(home)
    words = command("--home", str(home), *CUP)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert ending(home) == undisturbed


BREAKS_ITS_WORKER = """
import os, signal
from pathlib import Path
from cardpit import Bot

class Breaker(Bot):
    def act(self, turn):
        if turn.seat == 0 and Path({switch!r}).exists():
            process = os.getpid()
            while "referee.worker" not in Path(f"/proc/{{process}}/cmdline").read_text():
                process = int(Path(f"/proc/{{process}}/stat").read_text().rpartition(")")[2].split()[1])
            os.kill(process, signal.SIGKILL)
        return 0

if __name__ == "__main__":
    Breaker.run()
"""


def test_rooms_that_the_platform_fails_in_are_reported_at_the_end_and_all_else_is_played(tmp_path: Path) -> None:
    home, switch, path = tmp_path / "home", tmp_path / "switch", tmp_path / "breaker.py"
    switch.touch()
    path.write_text(BREAKS_ITS_WORKER.format(switch=str(switch)))
    prepare(home, path)
    # Without a jail a bot can do harm: here it stands for whatever may kill a worker.
    words = ("run", "--name", "cup", "--game", "landlord", "--boards", "2", "--jobs", "1", "--jail", "none", "--quiet")
    done = subprocess.run(command("--home", str(home), *words), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("the platform failed: its referee worker died: tried again") == 4
    assert done.stderr.count("the platform failed: its referee worker died: given up for this run") == 2
    (end,) = [line for line in done.stderr.splitlines() if line.startswith("tournament: ")]
    assert end.startswith("tournament: the platform could not play 4 matches: tournament logs cup says why")
    assert played(home) == 12 - 4
    assert "its referee worker died" in output(home, "logs", "cup")
    switch.unlink()
    output(home, "run", "--name", "cup", "--quiet")
    assert played(home) == 12
    output(home, "verify", "cup")
