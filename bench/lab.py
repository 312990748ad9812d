#!/usr/bin/env python3
"""Rates that a lab imposes against those that Hockney's model finds on it. As root, when nothing else runs:

    bench/lab.py build/release/bin/postage
"""

import json
import pathlib
import subprocess
import sys
import tempfile

NAME = "bench"
HEADERS = 14  # Ethernet's, counted by the switch
INSIDE = 52  # of IP and TCP with time stamps, in every frame


def rates_of(hosts):
    return ",".join(f"{rate}M" for rate in hosts)


def measure(postage, mpi, hosts, up, measuring):
    """Measures a lab of hosts with these rates in Mbit/s; its platform file."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "platform.json"
        subprocess.run([postage, "lab", "up", "--name", NAME, "--hosts", str(len(hosts)), "--rates", rates_of(hosts), *up],
                       check=True, stdout=subprocess.DEVNULL)
        try:
            subprocess.run([postage, "measure", "--lab", NAME, "--mpi", mpi, "--train-sizes", "none", "-o", output, *measuring],
                           check=True, stdout=subprocess.DEVNULL)
        finally:
            subprocess.run([postage, "lab", "down", "--name", NAME], check=True, stdout=subprocess.DEVNULL)
        return json.loads(output.read_text())


def hockney(platform, pair):
    """Parameters of a pair for small and for large messages: its own, or else its channel's."""
    groups = next(model["groups"] for model in platform["models"] if model["model"] == "hockney")
    own = [g for g in groups if g["scope"].get("pair") == list(pair)] or [g for g in groups if "pair" not in g["scope"]]
    return [{symbol: estimate["value"] for symbol, estimate in g["parameters"].items()} for g in (own[0], own[-1])]


def report(title, platform, hosts, mtu):
    payload = (mtu - INSIDE) / (mtu + HEADERS)
    found = {}
    for i in range(len(hosts)):
        for j in range(i + 1, len(hosts)):
            small, large = hockney(platform, (i, j))
            imposed = min(hosts[i], hosts[j])
            rate = 8e-6 / large["beta"] if large["beta"] > 0 else float("inf")
            found.setdefault(imposed, []).append((rate, 1e6 * small["alpha"]))
    for imposed, values in sorted(found.items()):
        errors = sorted(100 * (rate / imposed - 1) for rate, _ in values)
        alphas = sorted(alpha for _, alpha in values)
        print(f"{title:<44} {imposed:>5} Mbit/s: {len(values):>3} pairs, rate {errors[0]:+.1f} to {errors[-1]:+.1f} % "
              f"(payload is {100 * (payload - 1):+.1f} %), alpha {alphas[0]:.0f} to {alphas[-1]:.0f} us", flush=True)


def main():
    postage = sys.argv[1]
    # Small messages, and those large enough that both libraries agree with the receiver first.
    many = ["--sizes", "1,64,1K,8K,16K,128K,256K,512K,1M,2M", "--budget", "30s"]
    few = ["--sizes", "1,1K,8K,128K,256K,512K", "--budget", "60s", "--least", "3"]
    for mpi in ("openmpi", "mpich"):
        for bridge in ([], ["--bridge"]):
            for mtu in (9000, 1500):
                for rate in (10, 100, 500, 1000):
                    title = f"2 hosts, {mpi}, MTU {mtu}{', bridge' if bridge else ''}"
                    sizes = many if rate > 10 else few
                    report(title, measure(postage, mpi, [rate] * 2, [*bridge, "--mtu", str(mtu)], sizes), [rate] * 2, mtu)
        mixed = [100, 100, 200, 500]
        report(f"4 hosts, {mpi}, cables of 50 us", measure(postage, mpi, mixed, ["--latency", "50us"], many), mixed, 9000)
        flat = [100] * 16
        report(f"16 hosts, {mpi}", measure(postage, mpi, flat, [], few), flat, 9000)


if __name__ == "__main__":
    main()
