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
FOLDER = pathlib.Path(__file__).resolve().parent
POSTAGE = BUILD / "bin" / "postage"
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
    spawned: list
    """Statistics of ranks that the program started."""


def rule(collective, algorithm, nodes=(1, 1), ranks=(1, None), bytes=(0, None)):
    """Of a decision table."""
    choice = {"algorithm": algorithm, "library_name": "", "segment": 0, "parameters": {}}
    gain = {"share": 0, "interval": [0, 0], "source": "predicted", "pairs": 0, "sign_test": 1}
    spans = {"nodes": list(nodes), "ranks": list(ranks), "bytes": list(bytes)}
    times = {"predicted": 0, "predicted_interval": [0, 0], "default_seconds": 0}
    return {"collective": collective, **spans, "choice": choice, **times, "gain": gain}


def decisions(*rules):
    head = {"format": "postage-decisions", "version": 1, "target": "preload", "target_version": "0.0.0"}
    return {**head, "platform": "", "created": "", "rules": list(rules), "dropped": [], "cells": []}


def run(ranks, name, *arguments, **options):
    """Runs a program of the tests."""
    return run_command(ranks, program(name), *arguments, **options)


def run_command(ranks, *command, environment=None, timeout=600, preload=None):
    """Runs a command; `preload` are the libraries, by default ours where it is built. With statistics where there are
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
            [*launcher(ranks, variables), *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        measured = json.loads(statistics.read_text()) if statistics.exists() else {}
        spawned = [json.loads(file.read_text()) for file in sorted(pathlib.Path(folder).glob("*.spawned-*"))]
    return Result(done.returncode, done.stdout, measured, spawned)


def collectives_of(statistics):
    """Calls and those replaced, by collective."""
    return {row["name"]: (row["calls"], row["replaced"]) for row in statistics.get("collectives", [])}
