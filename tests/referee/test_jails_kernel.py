"""The tables and files by which jails talk to the kernel."""

import os
import re
import struct
from pathlib import Path

import pytest

from referee.sandbox import cgroups, seccomp, system, users
from referee.sandbox.cgroups import Cgroup, NoCgroups
from referee.sandbox.limits import MIB, Limits

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def run_filter(program: bytes, arch: str, number: int, *arguments: int) -> int:
    """Run a filter as the kernel does, and return its answer."""
    words = [number, seccomp.AUDIT_ARCHITECTURES[arch], 0, 0]
    words += [half for value in (*arguments, *[0] * (6 - len(arguments))) for half in (value & 0xFFFFFFFF, value >> 32)]
    code = list(struct.iter_unpack("<HBBI", program))
    at = value = 0
    while True:
        kind, if_true, if_false, operand = code[at]
        at += 1
        if kind == 0x20:
            value = words[operand // 4]
        elif kind == 0x54:
            value &= operand
        elif kind == 0x06:
            return int(operand)
        else:
            met = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[kind]
            at += if_true if met else if_false


ALLOWED, REFUSED, KILLED, ASKED = 0x7FFF0000, 0x00050001, 0x80000000, 0x7FC00000


@pytest.mark.parametrize("arch", HEADERS)
@pytest.mark.parametrize("shared_view", [False, True])
def test_the_filter_refuses_what_it_lists_on_either_architecture(arch: str, shared_view: bool) -> None:
    program = seccomp.program(arch=arch, shared_view=shared_view, own_signals=shared_view)
    column = list(HEADERS).index(arch)
    for numbers in (*seccomp.FORBIDDEN.values(), *(seccomp.OWNERS.values() if shared_view else ())):
        if (number := numbers[column]) is not None:
            assert run_filter(program, arch, number) == REFUSED
    read, clone, socket_call, connect = ((0, 56, 41, 42), (63, 220, 198, 203))[column]
    assert run_filter(program, arch, read) == ALLOWED
    assert run_filter(program, arch, clone, 0x3D0F00) == ALLOWED
    assert run_filter(program, arch, clone, 0x10000000) == REFUSED
    assert run_filter(program, arch, socket_call, 1, 1) == ALLOWED
    assert run_filter(program, arch, socket_call, 2, 1) == 0x00050061
    assert run_filter(program, arch, socket_call, 1, 2) == (REFUSED if shared_view else ALLOWED)
    assert run_filter(program, arch, connect, 3) == (ASKED if shared_view else ALLOWED)
    kill = seccomp.SIGNALS["kill"][column] or 0
    assert run_filter(program, arch, kill, 77) == (REFUSED if shared_view else ALLOWED)
    assert len(program) % 8 == 0
    assert len(program) // 8 < 4096


def test_a_program_of_another_architecture_is_killed() -> None:
    program = seccomp.program(arch="x86_64")
    assert run_filter(program, "aarch64", 0) == KILLED
    assert run_filter(program, "x86_64", 0x40000000) == KILLED


@pytest.mark.parametrize("arch", HEADERS)
def test_the_numbers_of_calls_are_those_of_the_kernel(arch: str) -> None:
    if not HEADERS[arch].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[arch].read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR3?2?6?4?_?(\w+) (\d+)", text)}
    column = list(HEADERS).index(arch)
    compared = 0
    for name, numbers in {**seccomp.FORBIDDEN, **seccomp.OWNERS, **seccomp.SIGNALS}.items():
        if name in known and numbers[column] is not None:
            assert numbers[column] == known[name], name
            compared += 1
    assert compared > 60


MOUNTS_V1 = """\
30 20 0:25 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
31 20 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
32 20 0:27 /docker/x /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
33 20 0:28 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
"""
OWN_V1 = "4:memory:/user/me\n3:cpu,cpuacct:/\n2:pids:/docker/x/deep\n"


def test_groups_of_version_1_lie_below_ones_own() -> None:
    tree = cgroups._tree(MOUNTS_V1, OWN_V1)
    root = Path("/sys/fs/cgroup")
    assert tree.layout == "v1"
    assert tree.bases == {
        "memory": root / "memory/user/me",
        "cpu": root / "cpu,cpuacct",
        "cpuacct": root / "cpu,cpuacct",
        "pids": root / "pids/deep",
    }


@pytest.fixture
def unified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the tree of version 2, for an ordinary user to whom a group was delegated."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    own = tmp_path / "user.slice" / "run.scope"
    own.mkdir(parents=True)
    (own / "cgroup.procs").write_text("4000000\n")
    (own / "cgroup.controllers").write_text("cpu memory pids\n")
    (own / "cgroup.subtree_control").write_text("cpu memory pids")
    return tmp_path


def test_a_delegated_group_of_version_2_is_emptied_and_used(unified: Path) -> None:
    tree = cgroups._tree(f"30 20 0:25 / {unified} rw - cgroup2 cgroup2 rw\n", "0::/user.slice/run.scope\n")
    own = unified / "user.slice" / "run.scope"
    assert (tree.layout, dict(tree.bases)) == ("v2", {"unified": own})
    assert (own / "platform" / "cgroup.procs").read_text() == "4000000"
    moved = cgroups._tree(f"30 20 0:25 / {unified} rw - cgroup2 cgroup2 rw\n", "0::/user.slice/run.scope/platform\n")
    assert dict(moved.bases) == {"unified": own}


def test_a_group_that_was_not_delegated_is_left_alone(unified: Path) -> None:
    mounts = f"30 20 0:25 / {unified} rw - cgroup2 cgroup2 rw\n"
    with pytest.raises(NoCgroups, match="not delegated"):
        cgroups._tree(mounts, "0::/user.slice\n")
    with pytest.raises(NoCgroups, match="no control groups are mounted"):
        cgroups._tree("", "0::/\n")


def test_limits_of_version_2_are_written_and_its_accounts_read(tmp_path: Path) -> None:
    for name in ("memory.max", "memory.swap.max", "pids.max", "cpu.max"):
        (tmp_path / name).touch()
    cgroups._limit({"unified": tmp_path}, Limits(memory_size=7 * MIB, processes=9, cores=1.5))
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"memory.max": "7340032", "memory.swap.max": "0", "pids.max": "9", "cpu.max": "150000 100000"}
    (tmp_path / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    group = Cgroup({"unified": tmp_path})
    assert group.cpu_time == 2.5
    assert group.ran_out_of_memory
    assert group.limits_processes
    (tmp_path / "memory.events").write_text("low 0\noom 0\noom_kill 1\n")
    assert not group.ran_out_of_memory


def test_a_container_without_many_users_gives_none_away() -> None:
    assert users._maps("0 0 4294967295\n")
    assert not users._maps("0 100000 65536\n")


def test_programs_in_a_home_do_not_show_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for folder in ("bin", "tools/go/bin", "tools/go/lib"):
        (tmp_path / folder).mkdir(parents=True)
    for program in ("bin/mine", "tools/go/bin/go"):
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    shown = system.readable("mine", str(tmp_path / "bin"))
    assert tmp_path / "bin" / "mine" in shown
    assert not any(tmp_path.is_relative_to(path) or path == tmp_path / "bin" for path in shown)
    shown = system.readable("go", str(tmp_path / "tools/go/bin"))
    assert {tmp_path / "tools/go/bin", tmp_path / "tools/go/lib"} <= set(shown)
    assert tmp_path / "tools/go" not in shown
