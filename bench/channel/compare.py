#!/usr/bin/env python3
"""Runs the message benchmarks of paper 002 over the channel, over Open MPI with and without single copy, over MPICH, and at
the bare limits, in turn within one run, and prints medians, ratios to the best of the others, and their spread.

    bench/channel/compare.py BUILD_DIR [--rounds 9] [--experiments latency,bandwidth] [--json out.json] [--svg folder]

The machine's speed drifts from minute to minute, so a ratio is taken within each round; the table gives the median of the
ratios and, in brackets, their quartiles.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

SIZES = [8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304]
SKEWS = [1, 5, 10, 20, 40, 80]
OPENMPI = ["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "core", "--oversubscribe"]
NO_CMA = ["--mca", "btl_vader_single_copy_mechanism", "none"]
# The channel comes first: the others are what it is compared with.
OTHERS = ("openmpi", "openmpi-no-cma", "mpich")


def commands(bin_dir, ranks):
    """Name -> (command without the plan, further environment)."""
    n = ["-n", str(ranks)]
    crowded = ranks > len(os.sched_getaffinity(0))
    openmpi = OPENMPI + (["--mca", "mpi_yield_when_idle", "1", "--bind-to", "none"] if crowded else [])
    all_of_them = {
        "channel": ([str(bin_dir / "bench-messages-channel"), str(ranks)], {}),
        "channel-two-copies": ([str(bin_dir / "bench-messages-channel"), str(ranks)], {"POSTAGE_SINGLE_COPY": "0"}),
        "openmpi": (openmpi + n + [str(bin_dir / "bench-messages-openmpi")], {}),
        "openmpi-no-cma": (openmpi + NO_CMA + n + [str(bin_dir / "bench-messages-openmpi")], {}),
        "mpich": (["mpirun.mpich", *n, "-bind-to", "none" if crowded else "core", str(bin_dir / "bench-messages-mpich")], {}),
        "limits": ([str(bin_dir / "bench-messages-limits")], {}),
    }
    return {
        name: command
        for name, command in all_of_them.items()
        if shutil.which(command[0][0]) and (name.startswith(("channel", "limits")) or pathlib.Path(command[0][-1]).exists())
    }


def run(command, environment, plan, time_limit):
    """{(experiment, size): (value, unit)} of one start; empty where it fails or takes too long."""
    try:
        result = subprocess.run(
            command + plan, env={**os.environ, **environment}, capture_output=True, text=True, timeout=time_limit
        )
    except subprocess.TimeoutExpired:
        print(f"compare: {' '.join(command)} did not end within {time_limit} s", file=sys.stderr)
        return {}
    if result.returncode != 0:
        print(f"compare: {' '.join(command)} failed: {result.stderr.strip()[-300:]}", file=sys.stderr)
        return {}
    values = {}
    for line in result.stdout.splitlines():
        words = line.split()
        if len(words) == 4:
            values[words[0], int(words[1])] = (float(words[2]), words[3])
    return values


def measure(arguments):
    """One list of results, one a round, for each program."""
    programs = commands(pathlib.Path(arguments.build) / "bin", arguments.ranks)
    rounds = {name: [] for name in programs}
    skews = [e for e in arguments.experiments if e == "skew"]
    plain = [e for e in arguments.experiments if e != "skew"]
    sizes = ",".join(map(str, arguments.sizes))
    for number in range(arguments.rounds):
        for name, (command, environment) in programs.items():
            values = {}
            if name == "limits":
                values |= run(command, environment, [sizes], 300)
            else:
                if plain:
                    values |= run(command, environment, [",".join(plain), sizes, str(arguments.seconds)], 600)
                if skews:
                    values |= run(command, environment, ["skew", ",".join(map(str, SKEWS))], 300)
            rounds[name].append(values)
        print(f"compare: round {number + 1} of {arguments.rounds} done", file=sys.stderr)
    return rounds


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def time_ratio(unit, ours, theirs):
    """Our time over theirs: below 1 we are faster."""
    return theirs / ours if unit == "MB/s" else ours / theirs


def summarise(rounds):
    """One row for each experiment and size that the channel has."""
    keys = sorted({key for values in rounds["channel"] for key in values})
    rows = []
    for key in keys:
        unit = next(values[key][1] for values in rounds["channel"] if key in values)
        row = {"experiment": key[0], "bytes": key[1], "unit": unit, "medians": {}, "ratios": {}}
        for name, results in rounds.items():
            found = [values[key][0] for values in results if key in values]
            if found:
                row["medians"][name] = statistics.median(found)
        best = []
        for number, values in enumerate(rounds["channel"]):
            if key not in values:
                continue
            ratios = [
                time_ratio(unit, values[key][0], rounds[name][number][key][0])
                for name in OTHERS
                if name in rounds and key in rounds[name][number]
            ]
            if ratios:
                best.append(max(ratios))
        if best:
            low, high = quartiles(best)
            row["ratios"] = {"to_best": statistics.median(best), "lower_quartile": low, "upper_quartile": high}
        rows.append(row)
    return rows


def limits_of(rounds):
    found = {}
    for values in rounds.get("limits", []):
        for (what, size), (value, unit) in values.items():
            found.setdefault((what, size, unit), []).append(value)
    return [
        {"limit": what, "bytes": size, "unit": unit, "median": statistics.median(values)}
        for (what, size, unit), values in sorted(found.items())
    ]


def print_tables(rows, limits):
    names = [name for name in ("channel", "channel-two-copies", *OTHERS) if any(name in row["medians"] for row in rows)]
    for experiment in sorted({row["experiment"] for row in rows}):
        mine = [row for row in rows if row["experiment"] == experiment]
        print(f"\n{experiment}, {mine[0]['unit']}")
        print(f"{'size':>9} " + " ".join(f"{name:>18}" for name in names) + "   time over the best of the others")
        for row in mine:
            cells = " ".join(f"{row['medians'].get(name, float('nan')):>18.4g}" for name in names)
            ratio = row["ratios"]
            text = (
                f"{ratio['to_best']:.2f} [{ratio['lower_quartile']:.2f}, {ratio['upper_quartile']:.2f}]" if ratio else ""
            )
            print(f"{row['bytes']:>9} {cells}   {text}")
    if limits:
        print("\nlimits of the machine")
        for row in limits:
            print(f"{row['limit']:<16} {row['bytes']:>9} {row['median']:>12.4g} {row['unit']}")


COLOURS = {
    "channel": "#0b6e4f",
    "channel-two-copies": "#6fb98f",
    "openmpi": "#c8553d",
    "openmpi-no-cma": "#e8a598",
    "mpich": "#3d5a80",
}


def plot(rows, experiment):
    """One chart of all programs, both axes logarithmic, as SVG text."""
    import math

    mine = [row for row in rows if row["experiment"] == experiment]
    width, height, left, bottom, top, right = 720, 440, 70, 50, 40, 170
    xs = [math.log2(max(row["bytes"], 1)) for row in mine]
    values = [value for row in mine for name, value in row["medians"].items() if name in COLOURS]
    low, high = math.log10(min(values)), math.log10(max(values))
    low, high = low - 0.05 * (high - low + 0.1), high + 0.05 * (high - low + 0.1)

    def x_of(x):
        return left + (x - xs[0]) / max(xs[-1] - xs[0], 1) * (width - left - right)

    def y_of(value):
        return height - bottom - (math.log10(value) - low) / (high - low) * (height - bottom - top)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="20" font-size="14">{experiment}, {mine[0]["unit"]}, medians</text>',
    ]
    for row, x in zip(mine, xs):
        size = row["bytes"]
        label = f"{size >> 20}M" if size >= 1 << 20 else f"{size >> 10}K" if size >= 1024 else str(size)
        out.append(f'<line x1="{x_of(x):.1f}" y1="{top}" x2="{x_of(x):.1f}" y2="{height - bottom}" stroke="#eee"/>')
        out.append(f'<text x="{x_of(x):.1f}" y="{height - bottom + 18}" text-anchor="middle">{label}</text>')
    for power in range(math.floor(low), math.ceil(high) + 1):
        for factor in (1, 2, 5):
            value = factor * 10.0**power
            if low <= math.log10(value) <= high:
                y = y_of(value)
                out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#eee"/>')
                out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for number, (name, colour) in enumerate(COLOURS.items()):
        points = [(x_of(x), y_of(row["medians"][name])) for row, x in zip(mine, xs) if name in row["medians"]]
        if points:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            y = top + 18 * number
            out.append(f'<rect x="{width - right + 12}" y="{y}" width="12" height="12" fill="{colour}"/>')
            out.append(f'<text x="{width - right + 30}" y="{y + 10}">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder, configured with -DPOSTAGE_BUILD_BENCH=ON")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--ranks", type=int, default=2, help="2, or an even number for multi-pair bandwidth")
    parser.add_argument("--experiments", default="latency,latency-fresh,bandwidth,bandwidth-own-buffers,skew")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--seconds", type=float, default=0.03, help="per size and experiment in a round")
    parser.add_argument("--json", help="file for all values")
    parser.add_argument("--svg", help="folder for charts")
    arguments = parser.parse_args()
    arguments.experiments = arguments.experiments.split(",")
    arguments.sizes = [int(size) for size in arguments.sizes.split(",")]
    if arguments.ranks != 2:
        arguments.experiments = [e for e in arguments.experiments if e.startswith("bandwidth")]
    rounds = measure(arguments)
    rows = summarise(rounds)
    limits = limits_of(rounds)
    print_tables(rows, limits)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"rows": rows, "limits": limits}, indent=1) + "\n")
    if arguments.svg:
        folder = pathlib.Path(arguments.svg)
        folder.mkdir(parents=True, exist_ok=True)
        for experiment in sorted({row["experiment"] for row in rows}):
            (folder / f"{experiment}.svg").write_text(plot(rows, experiment))


main()
