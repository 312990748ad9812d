"""Draws who sends how much to whom, and where the time goes, of two allreduces.  traffic.py PICTURE"""

import sys

import matplotlib.pyplot as plt

import postage

LOGGP = {"model": "loggp", "params": "L=2us,o=0.5us,g=1us,G=0.1ns"}


def main():
    fig, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
    for (matrix, bars), algorithm in zip(axes.T, ("ring", "recursive-doubling")):
        schedule = postage.schedule("allreduce", algorithm, ranks=16, size="1M")
        image = matrix.imshow(schedule.traffic() / 1024)
        matrix.set(title=f"{algorithm}: {len(schedule)} messages", xlabel="to rank", ylabel="from rank")
        fig.colorbar(image, ax=matrix, label="KiB")

        [explained] = postage.explain("allreduce", "1M", algorithm=algorithm, ranks=16, **LOGGP)
        parts = explained.explanation.parts[:12]
        bars.barh([part.label[:28] for part in parts], [1e6 * part.seconds for part in parts])
        bars.invert_yaxis()
        bars.tick_params(axis="y", labelsize="x-small")
        bars.set(title=f"{1e6 * explained.seconds:.0f} us", xlabel="microseconds")
    fig.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
