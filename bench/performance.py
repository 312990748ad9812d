#!/usr/bin/env python3
"""Writes the tables of docs/performance.md anew from one run of the benchmarks.

  bench_rounds --benchmark_min_time=0.02 --benchmark_format=json > rounds.json
  bench_predict --benchmark_format=json > predict.json
  bench/against_smpi.py BENCH_PREDICT > smpi.json
  bench/performance.py --rounds rounds.json --predict predict.json --smpi smpi.json docs/performance.md

A table stands between <!-- table NAME --> and <!-- end NAME -->; those whose file is not given stay as they are.
"""

import argparse
import json
import pathlib
import re


def read_runs(path):
    return json.loads(pathlib.Path(path).read_text())["benchmarks"]


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def milliseconds(value):
    return f"{value:.3g}"


def worst_table(runs):
    """One row a model, one column a job: milliseconds of the slowest algorithm, and its name."""
    found = {}
    jobs = []
    memory = {}
    for run in runs:
        parts = run["name"].split("/")
        if parts[0] != "worst":
            continue
        model, job = parts[1], f"{int(parts[2]):,} {parts[3]}"
        if job not in jobs:
            jobs.append(job)
        found[model, job] = f"{milliseconds(run['worst_ms'])} {run['label']}"
        memory[model] = max(memory.get(model, 0), run["peak_bytes"])
    rows = [[model, *(found[model, job] for job in jobs), f"{memory[model] / 1e6:.2g} MB"] for model in memory]
    return table(["model", *jobs, "memory"], rows)


def algorithm_table(runs):
    """One row an algorithm, one column a job, under LogGP."""
    found = {}
    jobs = []
    for run in runs:
        parts = run["name"].split("/")
        if parts[0] != "sum_rounds":
            continue
        job, algorithm = f"{int(parts[1]):,} {parts[2]}", " ".join(parts[3:5])
        if job not in jobs:
            jobs.append(job)
        found.setdefault(algorithm, {})[job] = milliseconds(run["cpu_time"])
    return table(["algorithm", *jobs], [[name, *(at.get(job, "–") for job in jobs)] for name, at in found.items()])


def single_table(runs):
    rows = []
    for run in runs:
        kind, schedule, ranks = run["name"].split("/")[:3]
        evaluator = "timeline, LogGP" if kind == "play_timeline" else "rounds, tau-Lop"
        rows.append([schedule.replace("_", " ", 1), f"{int(ranks):,}", f"{int(run['messages']):,}", evaluator,
                     milliseconds(run["cpu_time"]) + " ms"])
    return table(["schedule", "P", "messages", "evaluator", "time"], rows)


def smpi_table(results):
    def ratio(spread):
        return f"{spread['median']:,.0f} ({spread['least']:,.0f} to {spread['most']:,.0f})"

    def seconds(spread):
        value = spread["median"]
        return f"{value:.3g} s" if value >= 1 else f"{1e3 * value:.3g} ms"

    rows = [[f"{r['ranks']:,}", f"{int(r['messages']):,}", seconds(r["smpi_seconds"]), seconds(r["timeline_seconds"]),
             seconds(r["rounds_seconds"]), ratio(r["timeline_ratio"]), ratio(r["rounds_ratio"])] for r in results]
    return table(["P", "messages", "SMPI", "timeline", "rounds", "SMPI / timeline", "SMPI / rounds"], rows)


def replace(page, name, text):
    marks = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if not marks.search(page):
        raise SystemExit(f"the page has no table {name}")
    return marks.sub(lambda found: found[1] + text + "\n" + found[2], page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--rounds", help="what bench_rounds printed")
    parser.add_argument("--predict", help="what bench_predict printed")
    parser.add_argument("--smpi", help="what against_smpi.py printed")
    options = parser.parse_args()
    page = options.page.read_text()
    if options.rounds:
        runs = read_runs(options.rounds)
        page = replace(page, "worst", worst_table(runs))
        page = replace(page, "algorithms", algorithm_table(runs))
    if options.predict:
        page = replace(page, "single", single_table(read_runs(options.predict)))
    if options.smpi:
        page = replace(page, "smpi", smpi_table(json.loads(pathlib.Path(options.smpi).read_text())))
    options.page.write_text(page)


if __name__ == "__main__":
    main()
