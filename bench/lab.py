#!/usr/bin/env python3
"""Rates that a lab imposes against those that Hockney's model and LMO find on it, as the table of docs/lab.md. As root:

    bench/lab.py build/release/bin/postage [--rates 50,100,200,200] [--mpi openmpi,mpich] [--budget 30s] [--up ...]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

NAME = "bench"
HEADERS = 14  # Ethernet's, counted by the switch
INSIDE = 52  # of IP and TCP with time stamps, in every frame
# Hockney's bandwidth shows in messages so large that both libraries agree with the receiver first; LMO sends smaller ones
# to two at once, whose roundtrips are then all that is left to measure.
SIZES = {"hockney": "1,64,1K,8K,128K,256K,512K,1M", "lmo": "1,8K"}


def measure(postage, model, mpi, rates, mtu, budget, up):
    """Measures a lab of hosts with these rates in Mbit/s; its platform file."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "platform.json"
        subprocess.run([postage, "lab", "up", "--name", NAME, "--hosts", str(len(rates)), "--mtu", str(mtu),
                        "--rates", ",".join(f"{rate}M" for rate in rates), *up], check=True, stdout=subprocess.DEVNULL)
        try:
            subprocess.run([postage, "measure", "--lab", NAME, "--mpi", mpi, "--models", model, "--sizes", SIZES[model],
                            "--budget", budget, "-o", output], check=True, stdout=subprocess.DEVNULL)
        finally:
            subprocess.run([postage, "lab", "down", "--name", NAME], check=True, stdout=subprocess.DEVNULL)
        return json.loads(output.read_text())


def groups_of(platform, model):
    return next(table["groups"] for table in platform["models"] if table["model"] == model)


def hockney(platform, pair):
    """Bytes per second of large messages between the pair, or else over their channel: value and interval."""
    groups = [group for group in groups_of(platform, "hockney") if "beta" in group["parameters"]]
    own = [g for g in groups if g["scope"].get("pair") == list(pair)] or [g for g in groups if "pair" not in g["scope"]]
    beta = own[-1]["parameters"]["beta"]
    return [1 / beta[end] if beta[end] and beta[end] > 0 else None for end in ("value", "upper", "lower")]


def lmo(platform, rank):
    """Bytes per second that LMO's t_i lets the rank send, value and interval: in a lab its cable's."""
    groups = groups_of(platform, "lmo")
    [time] = [g["parameters"]["t"] for g in groups if g["scope"].get("processor") == rank]
    return [1 / time[end] if time[end] and time[end] > 0 else None for end in ("value", "upper", "lower")]


def in_mbits(rate):
    return "?" if rate is None else f"{8e-6 * rate:.1f}"


def print_row(mpi, model, whose, truth, found):
    value, lower, upper = found
    error = "?" if value is None else f"{100 * (8e-6 * value / truth - 1):+.1f} %"
    print(f"| {mpi} | {model} | {whose} | {truth:.1f} | {in_mbits(value)} [{in_mbits(lower)}, {in_mbits(upper)}] | {error} |",
          flush=True)


def print_rows(mpi, model, platform, rates, mtu):
    payload = (mtu - INSIDE) / (mtu + HEADERS)
    if model == "lmo":
        for i, rate in enumerate(rates):
            print_row(mpi, "LMO", f"h{i}: {rate}", rate * payload, lmo(platform, i))
        return
    for i in range(len(rates)):
        for j in range(i + 1, len(rates)):
            slower = min(rates[i], rates[j])
            print_row(mpi, "Hockney", f"h{i}-h{j}: {rates[i]}, {rates[j]}", slower * payload, hockney(platform, (i, j)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("postage")
    parser.add_argument("--rates", default="50,100,200,200", help="of the hosts, in Mbit/s")
    parser.add_argument("--mpi", default="openmpi,mpich")
    parser.add_argument("--budget", default="30s", help="of each campaign")
    parser.add_argument("--mtu", type=int, default=9000)
    parser.add_argument("--up", default="", help="further options of postage lab up, like --bridge")
    options = parser.parse_args()
    rates = [int(rate) for rate in options.rates.split(",")]
    print("| MPI | model | hosts, Mbit/s | payload | estimated, Mbit/s | error |\n|---|---|---|---:|---|---:|")
    for mpi in options.mpi.split(","):
        for model in SIZES:
            platform = measure(options.postage, model, mpi, rates, options.mtu, options.budget, options.up.split())
            print_rows(mpi, model, platform, rates, options.mtu)


if __name__ == "__main__":
    main()
