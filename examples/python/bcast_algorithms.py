"""Draws which broadcast is fastest at which size.  bcast_algorithms.py PICTURE [PLATFORM]

Without a platform file, for a cluster of 8 nodes of 8 cores with parameters by hand.
"""

import sys

import matplotlib.pyplot as plt

import postage

BY_HAND = {
    "model": "loggp",
    "params": "[shared-cache] L=0.3us,o=0.2us,g=0.3us,G=0.1ns [inter-node] L=2us,o=0.5us,g=1us,G=0.08ns",
    "levels": "shared-cache:8,inter-node",
    "nodes": 8,
    "per_node": 8,
}


def main():
    picture, *rest = sys.argv[1:]
    job = {"platform": rest[0]} if rest else BY_HAND
    rows = postage.predict("bcast", "64:4M:x4", segment="16K", **job)
    fig, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for algorithm in sorted(set(rows.column("algorithm"))):
        mine = postage.Rows(row for row in rows if row.algorithm == algorithm)
        axes.loglog(mine.column("bytes"), 1e6 * mine.column("seconds"), marker=".", label=algorithm)
    axes.set(xlabel="message size in bytes", ylabel="predicted time in microseconds", title=f"bcast among {rows[0].ranks} ranks")
    axes.legend(fontsize="small", ncols=2)
    fig.savefig(picture)


if __name__ == "__main__":
    main()
