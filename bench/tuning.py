#!/usr/bin/env python3
"""What `postage tune` gains where it measured nothing, and how long it takes: the tables of docs/tuning.md.

  bench/tuning.py build/release/bin/postage simulated [--seeds 1024,1033] [--selectors ompi,mpich,mvapich2,impi]
  bench/tuning.py build/release/bin/postage real [--mpi openmpi,mpich] [--ranks 2]
  bench/tuning.py build/release/bin/postage lab [--hosts 4] [--mpi openmpi,mpich]     (as root)

Each prints its table, or puts it into the page that --into names, between the comments that enclose it there. Simulated
times repeat exactly: only the columns of minutes differ from run to run; they are the first selector's, whose times
of each algorithm the others take over. On real cores and on a lab the library is tuned, and
then run under the files that were written and without them, in jobs that take turns. --sizes are held-out ones.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from median_interval import median_interval  # noqa: E402

# Beside the sizes that are tuned at, 8:2M:x4, and those in the middle between two of them.
HELD_OUT = "88,344,1352,5336,21304,85200,340800,1363152"
ALGORITHMS = {"bcast": "binomial", "reduce": "binomial", "allreduce": "recursive-doubling", "gather": "linear",
              "scatter": "linear", "allgather": "ring", "alltoall": "linear", "reduce_scatter": "ring"}  # fmt: skip
LARGEST = 4 << 20  # of all ranks' blocks together on a lab
CONFIDENCE = 0.99  # of one point: of 80 points with 95 % two would be surely slower by chance


def call(command, **more):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stderr


def minutes(command):
    """Of the clock, and of processors: what others run on the same ones does not add to these."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    call(command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return (time.monotonic() - start) / 60, own / 60


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def times_in(folder):
    [state] = (folder / "state").glob("smpi-*.json")
    return len(json.loads(state.read_text())["times"])


def keep_choices(source, selector, target):
    """Times of algorithms that are forced are the same whatever SMPI would decide itself: they are taken over."""
    (target / "state").mkdir(parents=True)
    for path in (source / "state").glob("*.json"):
        kept = json.loads(path.read_text())
        kept["times"] = [one for one in kept["times"] if one["choice"]]
        kept["job"] = re.sub(r"beside \w+", f"beside {selector}", kept["job"])
        (target / "state" / path.name).write_text(json.dumps(kept))


# Simulated clusters ------------------------------------------------------------------------------------------------


def tune_simulated(options, seed, selector, platform, folder, *more):
    """Tunes, then times what was not measured; a row of the table."""
    tuned = folder / "-".join((seed, selector, *more))
    command = [options.postage, "tune", "--virtual", f"seed:{seed}", "--selector", selector, "--platform", platform,
               "--collectives", options.collectives, "-o", tuned, *more]  # fmt: skip
    took, used = minutes(command)
    found = {"minutes": took, "used": used, "timed": times_in(tuned)}
    if not more:
        (tuned / "decisions-smpi.json").unlink()
        beside = folder / f"{seed}-{selector}.json"
        call([*command, "--held-out", beside])
        found["rows"] = json.loads(beside.read_text())
    return found


def text_of(rows):
    ratios = [row["tuned"] / row["default"] for row in rows]
    speedups = [1 / ratio for ratio in ratios]
    regrets = [100 * (row["tuned"] / row["best"] - 1) for row in rows]
    ruled = sum(row["has_rule"] for row in rows)
    return (f"{len(rows)} | {ruled} | {max(ratios):.3f} | {statistics.median(speedups):.2f}x | "
            f"{quantile(speedups, 0.95):.2f}x | {statistics.median(regrets):.2f} % | {quantile(regrets, 0.95):.2f} % | "
            f"{max(regrets):.2f} %")  # fmt: skip


def simulated(options, folder):
    lines = ["| platform | SMPI's decisions | ranks | points | with a rule | tuned/default at most | speed-up: median | 95 % | "
             "regret: median | 95 % | worst | times measured | minutes | of processors |",
             "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    selectors = options.selectors.split(",")
    for seed in options.seeds.split(","):
        platform = folder / f"{seed}.json"
        measured, measured_by = minutes([options.postage, "measure", "--virtual", f"seed:{seed}", "--models", "flow", "-o",
                                         platform])  # fmt: skip
        for selector in selectors:
            is_first = selector == selectors[0]
            if not is_first:
                keep_choices(folder / f"{seed}-{selectors[0]}", selector, folder / f"{seed}-{selector}")
            found = tune_simulated(options, seed, selector, platform, folder)
            ranks = ", ".join(map(str, sorted({row["ranks"] for row in found["rows"]})))
            took = f"{measured + found['minutes']:.1f} | {measured_by + found['used']:.1f}" if is_first else "- | -"
            lines.append(f"| seed:{seed} | {selector} | {ranks} | {text_of(found['rows'])} | {found['timed']} | {took} |")
            print(lines[-1], file=sys.stderr, flush=True)
        if options.exhaustive:
            found = tune_simulated(options, seed, selectors[0], platform, folder, "--exhaustive")
            lines += ["", f"Exhaustive tuning of the same table (seed:{seed}, `--exhaustive`) measures {found['timed']} times in "
                      f"{found['minutes']:.1f} minutes, {found['used']:.1f} of processors."]  # fmt: skip
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


# Real libraries ----------------------------------------------------------------------------------------------------


def middle_of(rule):
    """A size in the middle of a rule's: of all of them for a rule without a first and a last one."""
    first, last = rule["bytes"][0], rule["bytes"][1] or LARGEST // 4
    return min(last, max(first, 8 * round(math.sqrt(max(first, 8) * last) / 8)))


def points_of(ranks, collectives, table):
    """The held-out sizes, and the middle of each rule."""
    lines = []
    for collective in collectives:
        rules = [rule for rule in table["rules"] if rule_at({"rules": [rule]}, collective, ranks, None, middle_of(rule))]
        for size in sorted({*map(int, HELD_OUT.split(",")), *map(middle_of, rules)}):
            if size * ranks <= LARGEST and collective in ALGORITHMS:
                lines.append(f"{ranks} {collective}:{ALGORITHMS[collective]}:{size}")
    return lines


def job(options, mpi, ranks, launcher, points, budget, tuned, folder):
    """Medians of the points in one job, with the tuned files or without."""
    program = pathlib.Path(options.postage).resolve().parent / f"postage-choices-{mpi}"
    output = folder / "times"
    command = [*launcher, program, points, output, budget]
    script = f". {tuned}/env.sh && exec \"$@\"" if tuned else 'exec "$@"'
    call(["sh", "-c", script, "sh", *command], env={k: v for k, v in os.environ.items() if k != "POSTAGE_TUNED"})
    return [statistics.median(map(float, line.split())) for line in output.read_text().splitlines()]


def rule_at(table, collective, ranks, nodes, size):
    """Whether the decisions have a rule there."""

    def within(span, value):
        return span[0] <= value and (span[1] is None or value <= span[1])

    return any(rule["collective"] == collective and within(rule["ranks"], ranks) and (nodes is None or within(rule["nodes"], nodes))
               and within(rule["bytes"], size) for rule in table["rules"])  # fmt: skip


def compare(options, mpi, ranks, nodes, launcher, tuned, folder):
    """Jobs with the files and without in turn: rows of ratios."""
    table = json.loads((tuned / f"decisions-{mpi}.json").read_text())
    points = folder / f"points-{mpi}"
    lines = points_of(ranks, options.collectives.split(","), table)
    points.write_text("\n".join(lines) + "\n")
    standard, with_files = [], []
    for round_ in range(options.rounds):
        for tuned_now in ((False, True) if round_ % 2 == 0 else (True, False)):
            times = job(options, mpi, ranks, launcher, points, options.job, tuned if tuned_now and not options.chance else None, folder)
            (with_files if tuned_now else standard).append(times)
    rows = []
    for i, line in enumerate(lines):
        _, call_ = line.split()
        collective, _, size = call_.split(":")
        ratios = [b[i] / a[i] for a, b in zip(standard, with_files)]
        rows.append({"point": f"{collective} {size}", "ratio": statistics.median(ratios), "interval": median_interval(ratios, CONFIDENCE),
                     "rule": rule_at(table, collective, ranks, nodes, int(size))})  # fmt: skip
    return rows


def summary_of(rows):
    ruled = [row for row in rows if row["rule"]]
    others = [row for row in rows if not row["rule"]]
    worst = max(rows, key=lambda row: row["ratio"])
    slower = sum(row["interval"][0] > 1.02 for row in rows)
    faster = sum(row["interval"][1] < 0.98 for row in rows)
    gain = f"{statistics.median(1 / row['ratio'] for row in ruled):.2f}x" if ruled else "-"
    noise = f"{max(abs(1 - row['ratio']) for row in others):.3f}" if others else "-"
    return (f"{len(rows)} | {len(ruled)} | {gain} | {faster} | {slower} | {worst['ratio']:.3f} "
            f"[{worst['interval'][0]:.3f}, {worst['interval'][1]:.3f}] {worst['point']}{'' if worst['rule'] else ', no rule'} | {noise}")


HEAD = ["| MPI | ranks | points | with a rule | speed-up there | surely faster by 2 % | surely slower by 2 % | tuned/default at "
        "most, 99 % interval | spread without a rule | minutes to tune |",
        "|---|---|---:|---:|---:|---:|---:|---|---:|---:|"]  # fmt: skip


def real(options, folder):
    lines = list(HEAD)
    for mpi in options.mpi.split(","):
        tuned = options.tuned / f"real-{mpi}" if options.tuned else folder / mpi
        took = 0
        if not (tuned / "env.sh").exists():
            took, _ = minutes([options.postage, "tune", "--mpi", mpi, "-n", options.ranks, "--budget", options.budget,
                            "--tuning-budget", options.tuning_budget, "-o", tuned])  # fmt: skip
            (tuned / "minutes").write_text(f"{took}\n")
        took = float((tuned / "minutes").read_text())
        launcher = [f"mpirun.{mpi}", "-n", str(options.ranks), *(["--allow-run-as-root"] if mpi == "openmpi" and os.getuid() == 0 else [])]
        if options.only_tune:
            continue
        rows = compare(options, mpi, options.ranks, 1, launcher, tuned, folder)
        lines.append(f"| {mpi} | {options.ranks} | {summary_of(rows)} | {took:.1f} |")
    return lines


def lab(options, folder):
    name = "tuning"
    lines = list(HEAD)
    for mpi in options.mpi.split(","):
        tuned = options.tuned / f"lab-{mpi}" if options.tuned else folder / f"lab-{mpi}"
        call([options.postage, "lab", "up", "--name", name, "--hosts", options.hosts, "--rates", options.rate, "--latency",
              options.latency])  # fmt: skip
        try:
            if not (tuned / "env.sh").exists():
                took, _ = minutes([options.postage, "tune", "--lab", name, "--mpi", mpi, "--budget", options.budget,
                                "--sizes", "8:128K:x4", "--tuning-budget", options.tuning_budget, "--collectives", options.collectives, "-o", tuned])  # fmt: skip
                (tuned / "minutes").write_text(f"{took}\n")
            took = float((tuned / "minutes").read_text())
            launcher = [options.postage, "lab", "run", "--name", name, "--mpi", mpi, "-n", options.hosts, "--"]
            if options.only_tune:
                continue
            rows = compare(options, mpi, options.hosts, options.hosts, launcher, tuned, folder)
        finally:
            call([options.postage, "lab", "down", "--name", name])
        lines.append(f"| {mpi}, TCP at {options.rate} | {options.hosts} | {summary_of(rows)} | {took:.1f} |")
    return lines


def put_into(page, part, lines):
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    text = page.read_text()
    if begin not in text or end not in text:
        sys.exit(f"{page} has no '{begin}' and '{end}'")
    before, rest = text.split(begin, 1)
    page.write_text(before + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("postage")
    parser.add_argument("part", choices=["simulated", "real", "lab"])
    parser.add_argument("--seeds", default="1024,1033")
    parser.add_argument("--selectors", default="ompi,mpich,mvapich2,impi")
    parser.add_argument("--exhaustive", action="store_true", help="simulated: also say how long exhaustive tuning takes")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--ranks", type=int, default=2, help="real: a core each")
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--rate", default="100M")
    parser.add_argument("--latency", default="50us")
    parser.add_argument("--collectives", default=",".join(ALGORITHMS))
    parser.add_argument("--budget", default="20s", help="for measuring the platform")
    parser.add_argument("--tuning-budget", default="40s", help="for measuring the library's algorithms")
    parser.add_argument("--rounds", type=int, default=12, help="jobs with the tuned files, and as many without")
    parser.add_argument("--job", default="2s", help="for measuring in each job")
    parser.add_argument("--tuned", type=pathlib.Path, help="real, lab: folder that keeps what was tuned, and has it from before")
    parser.add_argument("--chance", action="store_true", help="real, lab: both sides without the files, for what chance alone says")
    parser.add_argument("--only-tune", action="store_true", help="compare nothing yet; for use with --tuned")
    parser.add_argument("--into", type=pathlib.Path, help="page to renew")
    options = parser.parse_args()
    options.postage = shutil.which(options.postage) or sys.exit(f"there is no program {options.postage}")
    with tempfile.TemporaryDirectory() as name:
        lines = {"simulated": simulated, "real": real, "lab": lab}[options.part](options, pathlib.Path(name))
    if options.into:
        put_into(options.into, options.part, lines)
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
