"""Runs the tests' programs under an MPI, with the preload library where it is built."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["POSTAGE_BUILD_DIR"])
EXHAUSTIVE = bool(os.environ.get("POSTAGE_EXHAUSTIVE"))
FLAVOUR = sys.argv[1] if len(sys.argv) > 1 else "openmpi"
LIBRARY = BUILD / "bin" / f"libpostage-{FLAVOUR}.so"


def program(name):
    return BUILD / "bin" / f"test-preload-{name}-{FLAVOUR}"


def launcher(ranks, environment):
    """The words before a program that start it on so many ranks with these variables."""
    if FLAVOUR == "openmpi":
        words = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        # Its AVX kernels saturate overflowing sums of 16-bit integers in whole vectors and wrap in the elements that
        # remain, so that results depend on where calls are cut, ours and its own.
        words += ["--mca", "op", "^avx"]
        for name, value in environment.items():
            words += ["-x", f"{name}={value}"]
    else:
        words = ["mpirun.mpich"]
        for name, value in environment.items():
            words += ["-genv", name, value]
    return [*words, "-n", str(ranks)]


@dataclasses.dataclass
class Result:
    status: int
    out: str
    statistics: dict


def run(ranks, name, *arguments, environment=None, timeout=600, preload=None):
    """Runs a program; `preload` are the libraries, by default ours where it is built. With statistics where there are
    some."""
    libraries = [LIBRARY] if preload is None else preload
    with tempfile.TemporaryDirectory(prefix="postage-preload-") as folder:
        statistics = pathlib.Path(folder) / "statistics.json"
        variables = dict(environment or {})
        if LIBRARY.exists() and libraries:
            variables = {
                "LD_PRELOAD": ":".join(map(str, libraries)),
                "POSTAGE_STATS": "1",
                "POSTAGE_STATS_JSON": str(statistics),
                **variables,
            }
        done = subprocess.run(
            [*launcher(ranks, variables), str(program(name)), *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        measured = json.loads(statistics.read_text()) if statistics.exists() else {}
    return Result(done.returncode, done.stdout, measured)


def collectives_of(statistics):
    """Calls and those replaced, by collective."""
    return {row["name"]: (row["calls"], row["replaced"]) for row in statistics.get("collectives", [])}
