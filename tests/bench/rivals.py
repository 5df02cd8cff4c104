"""Another referee that pip installs, with the same faulty bots: what does it do about them?"""

import json
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

KAGGLE = "kaggle-environments"
PACKAGES = (f"{KAGGLE}==1.33.2", "jsonschema", "requests", "numpy", "pydantic", "protobuf", "pyyaml", "tenacity")
"""Its core without the games that need a machine-learning library each: half a minute instead of many."""

INSTALL_TIME = 90.0
"""Seconds that either half may take."""

HANG = "import time\n\ndef act(observation):\n    time.sleep(1.0 if observation.step == 2 else 0)\n    return 0\n"
IMPORTS = "import time\n\ntime.sleep(2)\n\ndef act(observation):\n    return 0\n"
SCRIPT = """
import json, sys
from kaggle_environments import make

def play(path):
    match = make("rps", configuration={"episodeSteps": 5, "actTimeout": 0.3})
    match.reset(2)
    match.state[0].observation.remainingOverageTime = 0
    agents, longest = match._Environment__agent_runner([path, "rock"]), 0.0
    while not match.done:
        actions, logs = agents.act()
        longest = max(longest, logs[0].get("duration", 0))
        match.step(actions, logs)
    return longest, match.state[0].status

longest, _ = play(sys.argv[1])
_, verdict = play(sys.argv[2])
print(json.dumps([longest - 0.3, verdict]))
"""


@dataclass(frozen=True, slots=True)
class Theirs:
    """What became of the two bots."""

    late_time: float
    """Seconds from the deadline of a bot that hangs for a second until something was done about it."""
    import_verdict: str
    """The verdict on a bot that imports for two seconds."""


def kaggle_match() -> Theirs | None:
    """Play with kaggle-environments in an environment of its own; None where it cannot be installed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder, with_pip=True)
        python = str(folder / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            for options in (["--no-deps", PACKAGES[0]], PACKAGES[1:]):
                subprocess.run([*install, *options], capture_output=True, check=True, timeout=INSTALL_TIME)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return None
        (folder / "hang.py").write_text(HANG)
        (folder / "imports.py").write_text(IMPORTS)
        command = [python, "-c", SCRIPT, str(folder / "hang.py"), str(folder / "imports.py")]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        print(f"{KAGGLE} did not play: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    late_time, verdict = json.loads(done.stdout.splitlines()[-1])
    return Theirs(late_time, str(verdict).lower())
