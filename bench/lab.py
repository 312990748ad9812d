#!/usr/bin/env python3
"""Rates that a lab imposes against those that Hockney's model finds on it. As root:

    bench/lab.py build/release/bin/postage

On a machine that does other things as well, ranks need a real-time priority below the switch's: chrt -f 1 bench/lab.py ...
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
            subprocess.run([postage, "measure", "--lab", NAME, "--mpi", mpi, "--models", "hockney", "-o", output, *measuring],
                           check=True, stdout=subprocess.DEVNULL)
        finally:
            subprocess.run([postage, "lab", "down", "--name", NAME], check=True, stdout=subprocess.DEVNULL)
        return json.loads(output.read_text())


def hockney(platform, pair):
    """Parameters of a pair for small and for large messages: its own, or else its channel's."""
    groups = [group for model in platform["models"] for group in model["groups"]
              if model["model"] == "hockney" and "beta" in group["parameters"]]
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
        print(f"{title:<34} {imposed:>5} Mbit/s: {len(values):>3} pairs, rate {errors[0]:+.1f} to {errors[-1]:+.1f} % "
              f"(payload is {100 * (payload - 1):+.1f} %), alpha {alphas[0]:.0f} to {alphas[-1]:.0f} us", flush=True)


def main():
    postage = sys.argv[1]
    # Small messages, and those large enough that both libraries agree with the receiver first.
    many = ["--sizes", "1,64,1K,8K,16K,128K,256K,512K,1M,2M", "--budget", "60s"]
    few = ["--sizes", "1,1K,8K,128K,256K,512K", "--budget", "60s", "--least", "3"]
    labs = [("", [10], few), ("", [100], many), ("", [500], many), ("", [1000], many), ("--mtu 1500", [100], many),
            ("--mtu 1500", [500], many), ("--bridge", [100], many), ("--bridge", [500], many), ("--bridge", [1000], many),
            ("--latency 50us", [100, 100, 200, 500], many)]
    for mpi in ("openmpi", "mpich"):
        for up, rates, sizes in labs:
            hosts = rates if len(rates) > 1 else 4 * rates
            mtu = 1500 if "1500" in up else 9000
            report(f"{mpi}, 4 hosts {up}", measure(postage, mpi, hosts, up.split(), sizes), hosts, mtu)
        report(f"{mpi}, 16 hosts", measure(postage, mpi, 16 * [100], [], few), 16 * [100], 9000)


if __name__ == "__main__":
    main()
