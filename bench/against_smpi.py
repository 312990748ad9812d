#!/usr/bin/env python3
"""How much longer an event simulator takes than a prediction: SMPI and postage on one dissemination, in turn.

SMPI simulates bench/dissemination.c, postage plays the same schedule message by message (timeline) and sums up its
rounds with contention (rounds). Each side's time is processor time, user and system; SMPI's is that of a run with
some disseminations less that of a run with none, so that its start and end do not count. Writes JSON.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PER_NODE = 16

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" bw="1.25GBps" lat="5us"/>
</platform>
"""


def processor_time(command, folder):
    """Seconds of the processor that a command took, its children's included, and its peak memory in bytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1024 * after.ru_maxrss


def simulate(folder, ranks, repetitions):
    return processor_time(["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts",
                           "--cfg=smpi/simulate-computation:no", "--log=root.thres:error", "./dissemination",
                           str(repetitions)], folder)


def predict(program, name, ranks):
    """Seconds of processor time of one prediction."""
    found = subprocess.run([program, f"--benchmark_filter={name}/barrier_dissemination/{ranks}$",
                            "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    (run,) = json.loads(found)["benchmarks"]
    return run["cpu_time"] * 1e-3, run["messages"]


def spread(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values), "runs": len(values)}


def compare(folder, program, ranks, runs, repetitions):
    nodes = -(-ranks // PER_NODE)
    (folder / "platform.xml").write_text(PLATFORM.format(last=nodes - 1))
    (folder / "hosts").write_text("".join(f"node-{rank // PER_NODE}\n" for rank in range(ranks)))
    simulated, played, summed = [], [], []
    for _ in range(runs):
        empty, _ = simulate(folder, ranks, 0)
        full, memory = simulate(folder, ranks, repetitions)
        simulated.append((full - empty) / repetitions)
        seconds, messages = predict(program, "play_timeline", ranks)
        played.append(seconds)
        summed.append(predict(program, "sum_up_rounds", ranks)[0])
    return {
        "ranks": ranks,
        "messages": messages,
        "smpi_seconds": spread(simulated),
        "smpi_peak_bytes": memory,
        "timeline_seconds": spread(played),
        "rounds_seconds": spread(summed),
        "timeline_ratio": spread([a / b for a, b in zip(simulated, played)]),
        "rounds_ratio": spread([a / b for a, b in zip(simulated, summed)]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="bench_predict, as built")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1024, 4096], choices=[1024, 4096, 65536])
    parser.add_argument("--runs", type=int, default=3, help="times that both sides run in turn")
    parser.add_argument("--repetitions", type=int, default=2, help="disseminations in one simulation")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["smpicc", "-O2", "-o", folder / "dissemination", HERE / "dissemination.c"], check=True)
        results = [compare(folder, program, ranks, options.runs, options.repetitions) for ranks in options.ranks]
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
