"""Write the Python code of the protos into ``sdk/python/cardpit/v1``; ``--check`` only compares.

Exit codes: 0 done, 1 the committed code differs from what the protos give.
"""

import argparse
import filecmp
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

PROTO = Path(__file__).resolve().parent
TARGET = PROTO.parent / "sdk" / "python" / "cardpit" / "v1"


def generate(into: Path) -> list[Path]:
    """Write the generated modules and stubs below a folder and return them."""
    sources = sorted(PROTO.glob("cardpit/v1/*.proto"))
    services = [path for path in sources if "\nservice " in path.read_text()]
    scripts = Path(sys.executable).parent
    for paths, kinds in ((sources, ("python", "mypy")), (services, ("grpc_python", "mypy_grpc"))):
        command = [sys.executable, "-m", "grpc_tools.protoc"]
        command += [f"--proto_path={PROTO}", f"--proto_path={files('grpc_tools') / '_proto'}"]
        command += [f"--plugin={name}={scripts / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
        command += [f"--{kind}_out={'quiet:' if 'mypy' in kind else ''}{into}" for kind in kinds]
        subprocess.run([*command, *map(str, paths)], check=True)
    return sorted((into / "cardpit" / "v1").glob("*_pb2*.py*"))


def main() -> int:
    """Generate or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed code and write nothing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        made = generate(Path(folder))
        committed = sorted(TARGET.glob("*_pb2*.py*"))
        stale = {path.name for path in committed} ^ {path.name for path in made}
        stale |= {
            path.name
            for path in made
            if (TARGET / path.name).exists() and not filecmp.cmp(path, TARGET / path.name, shallow=False)
        }
        if check:
            if stale:
                print(f"not fresh in {TARGET}: {', '.join(sorted(stale))}; run `make proto`", file=sys.stderr)
            return 1 if stale else 0
        for path in committed:
            path.unlink()
        for path in made:
            shutil.copy(path, TARGET / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
