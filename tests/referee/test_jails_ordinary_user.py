"""What the tests of jails show for root holds for an ordinary user too."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

USER = "65534"
HERE = Path(__file__).parent
TESTS = (
    "test_jails_escapes.py",
    "test_jails_limits.py",
    "test_jails_leftovers.py",
    "test_jails_build.py",
    "test_zygote.py",
)
CHOICE = "escapes or family or bomb or without_control_groups or (worker and 9) or sweep or build or new_token"


def open_script(command: list[str], temporary: Path) -> str:
    """Return what shows an ordinary user a Python that lies in a closed home, in a mount namespace of its own."""
    lines = ["set -e"]
    for closed in {path for prefix in (sys.prefix, sys.base_prefix) for path in Path(prefix).parents}:
        if closed != Path("/") and not closed.stat().st_mode & 0o001:
            shown = [Path(p) for p in (sys.prefix, sys.base_prefix) if Path(p).is_relative_to(closed)]
            for number, prefix in enumerate(shown):
                lines += [
                    f"mkdir {temporary}/{number}",
                    f"mount --bind {shlex.quote(str(prefix))} {temporary}/{number}",
                ]
            lines.append(f"mount -t tmpfs -o size=1m,mode=755 tmpfs {shlex.quote(str(closed))}")
            for number, prefix in enumerate(shown):
                lines += [
                    f"mkdir -p {shlex.quote(str(prefix))}",
                    f"mount --move {temporary}/{number} {shlex.quote(str(prefix))}",
                ]
    lines.append(f"exec setpriv --reuid {USER} --regid {USER} --clear-groups -- {shlex.join(command)}")
    return "\n".join(lines)


@pytest.mark.timeout(280)
def test_the_tests_of_jails_pass_for_an_ordinary_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    if os.geteuid() != 0:
        pytest.skip("this is run by an ordinary user already")
    private = ["unshare", "--mount", "--propagation", "private"]
    if subprocess.run([*private, "true"], capture_output=True, check=False).returncode:
        pytest.skip("root may not mount here")
    place = tmp_path_factory.mktemp("mounts")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        CHOICE,
        *(str(HERE / name) for name in TESTS),
    ]
    environment = {**os.environ, "HOME": "/nonexistent", "TMPDIR": "/tmp"}
    done = subprocess.run(
        [*private, "sh", "-c", open_script(command, place)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
