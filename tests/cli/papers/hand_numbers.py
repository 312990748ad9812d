"""The papers' equations and tables at odd parameters, roots and sizes: what their print gives, worked out here without any
code of ours, beside what the command's formulas and evaluators say. Times are in microseconds, sizes in bytes."""

from math import ceil, floor, log2

import runner


def on_curve(points, x):
    """A curve of (size, time): flat below its first point, on along its last piece beyond the last one."""
    (a, u), (b, v) = points[:2]
    for (a, u), (b, v) in zip(points, points[1:]):
        if x <= b:
            break
    return u + (v - u) * (max(x, points[0][0]) - a) / (b - a)


def on_surface(rows, x, second):
    return on_curve([(at, on_curve(points, x)) for at, points in sorted(rows.items())], second)


def curve_text(points):
    return ";".join(f"{size}:{time}us" for size, time in points)


def surface_text(rows):
    return ";".join(f"{size}/{at}:{time}us" for at, points in rows.items() for size, time in points)


class HandNumbers(runner.CliTest):
    def check(self, expected, *words):
        """Of a formula: its interval; of an algorithm the prediction's. `expected` is one time, or the two ends."""
        row = self.succeed("predict", *words, "--max-extrapolation", 1e6, "--json").json()[0]
        ends = expected if isinstance(expected, tuple) else (expected, expected)
        for key, time in zip(("lower", "upper"), ends):
            self.assertAlmostEqual(row[key] * 1e6, time, delta=1e-9 * time + 1e-12, msg=f"{key} of {words}")

    def both(self, expected, collective, formula, algorithm, *words):
        self.check(expected, collective, "--formula", formula, *words)
        self.check(expected, collective, algorithm, *words)


# Tu et al. 2009: o_mw, l_mw over the stride, o_net; within a node, and between nodes.
O_NODE, O_NET = [(0, 1), (16384, 7)], [(0, 2), (16384, 12)]
L_NODE = {8: [(0, 0.3), (16384, 11)], 512: [(0, 1), (16384, 13)]}
L_NET = {8: [(0, 1), (16384, 18)], 512: [(0, 2), (16384, 51)]}
NET = [(0, 20), (16384, 150)]
BETWEEN = f"o_mw={curve_text(O_NET)},l_mw={surface_text(L_NET)},o_net={curve_text(NET)}"
TWO_LEVELS = f"[shared-cache] o_mw={curve_text(O_NODE)},l_mw={surface_text(L_NODE)} [inter-node] {BETWEEN}"


class Tu(HandNumbers):
    def test_broadcasts(self):
        for nodes, per_node, stay in ((8, 8, 3), (3, 5, None), (4, 2, 1), (6, 3, None)):
            for size, stride in ((1024, 8), (4100, 100), (16384, 512), (900, 0)):
                ranks = nodes * per_node
                near = on_curve(O_NODE, size) + (on_surface(L_NODE, size, stride) if stride else 0)
                far = on_curve(O_NET, size) + (on_surface(L_NET, size, stride) if stride else 0)
                net = on_curve(NET, size)
                words = ["-P", ranks, "-m", size, *(["--stride", stride] if stride else [])]
                one = [*words, "--model", "log3p", "--params", BETWEEN]
                two = [*words, "--model", "2log23p", "--params", TWO_LEVELS, "--nodes", nodes, "--per-node", per_node]
                self.both(ranks * far / 2 + net, "bcast", "tu-linear-log3p", "linear", *one)
                sends = (per_node - 1) * near / 2 + (ranks - per_node) * far / 2 + net
                self.check(sends, "bcast", "--formula", "tu-linear-2log23p", *two)
                self.both(sends + far / 2, "bcast", "tu-linear-2log23p-complete", "linear", *two)
                if stay is not None:
                    steps = stay * near + (log2(ranks) - stay) * (far + net)
                    self.both(log2(ranks) * (far + net), "bcast", "tu-binomial-log3p", "binomial", *one)
                    self.both(steps, "bcast", "tu-binomial-2log23p", "binomial", *two)


# Rico-Gallego et al. 2015: L(m, tau) in memory and over the network.
L0 = {1: [(0, 0.3), (65536, 10)], 3: [(0, 0.4), (65536, 19)], 8: [(0, 0.7), (65536, 55)]}
L1 = {1: [(0, 10), (65536, 60)], 4: [(0, 20), (65536, 240)], 8: [(0, 30), (65536, 400)]}
MEMORY = f"o=0,L={surface_text(L0)},n=2"
CLUSTER = f"[shared-cache] {MEMORY} [inter-node] o=0,L={surface_text(L1)},n=1,n@shared-cache=2"
LOGGP = "L=3us,o_s=1.1us,o_r=0.9us,g=4us,G=1.7ns"


class RicoGallego(HandNumbers):
    def test_segmented_collectives(self):
        for ranks, segment, count in ((4, 1000, 8), (8, 512, 24), (16, 300, 16)):
            words = ["-P", ranks, "-m", segment * count // ranks, "--model"]
            tau = [*words, "taulop", "--params", f"{MEMORY},S={segment}"]
            loggp = [*words, "loggp", "--params", LOGGP, "--segment", segment]
            stages = range(1, round(log2(ranks)) + 1)
            scatter = sum(count / 2**i * on_surface(L0, segment, 2**i) for i in stages)
            self.check(scatter, "scatter", "--formula", "rico-gallego-eq1", *tau)
            allgather = 2 * count * (ranks - 1) / ranks * on_surface(L0, segment, ranks)
            self.both(allgather, "allgather", "rico-gallego-eq3", "recursive-doubling", *tau)
            # Message by message: k segments take 2 L(S, tau) + (k-1) L(S, 2 tau).
            exact = sum(2 * on_surface(L0, segment, 2 ** (i - 1))
                        + (count / 2**i - 1) * on_surface(L0, segment, 2**i) for i in stages)  # fmt: skip
            self.check(exact, "scatter", "binomial", *tau)
            table = log2(ranks) * (5 + segment * 0.0017) + (ranks - 1) / ranks * (count - 1) * (4 + segment * 0.0017)
            self.check(table, "scatter", "--formula", "rico-gallego-table1", *loggp)
            self.check(table, "allgather", "--formula", "rico-gallego-table2", *loggp)

    def test_rings(self):
        for nodes, q in ((4, 8), (3, 2), (2, 5)):
            size, steps = 7777, nodes * q - 1
            words = ["-m", size, "--nodes", nodes, "--per-node", q, "--model", "taulop", "--params", CLUSTER]
            middle = max(on_surface(L0, size, q - 1), on_surface(L1, size, 1))
            sequential = steps * (on_surface(L0, size, q) + middle + on_surface(L0, size, 1))
            self.both(sequential, "allgather", "rico-gallego-eq7-max", "ring", *words)
            round_robin = steps * (2 * on_surface(L0, size, q) + on_surface(L1, size, q))
            self.both(round_robin, "allgather", "rico-gallego-eq8", "ring", *words, "--mapping", "cyclic")


# Lastovetsky and Rychkov 2009: eight unlike processors and links.
C = [50, 41, 63, 72, 38, 55, 90, 47]
T = [0.005, 0.004, 0.006, 0.0075, 0.0031, 0.005, 0.009, 0.0042]
PAIRS = [(i, j) for i in range(8) for j in range(i + 1, 8)]
BETA = {(i, j): 80 + 7 * i + 3 * j for i, j in PAIRS}
ALPHA = {(i, j): 100 + 17 * i + 29 * j + i * j % 5 * 31 for i, j in PAIRS}
LIMITS = "S=20000,M_1=3000,M_2=40000,kappa_1=2ns,kappa_2=11ns,E_1=50ms,f_1=0.1,E_2=200ms,f_2=0.03"
LMO = " ".join([LIMITS, *(f"[processor {i}] C={C[i]}us,t={T[i] * 1000:g}ns" for i in range(8)),
                *(f"[pair {i} {j}] beta={BETA[i, j]}MB/s" for i, j in PAIRS)])  # fmt: skip
HOCKNEY = " ".join(f"[pair {i} {j}] alpha={ALPHA[i, j]}us,beta={BETA[i, j]}ns" for i, j in PAIRS)
EIGHT = ["-P", 8, "--nodes", 8, "--per-node", 1]


def equation_1(order, size):
    if len(order) == 1:
        return 0
    half = len(order) // 2
    pair = tuple(sorted((order[0], order[half])))
    return ALPHA[pair] + BETA[pair] / 1000 * half * size + max(equation_1(order[:half], size), equation_1(order[half:], size))


def linear(root, size, is_large, kappa=0.0):
    others = [i for i in range(8) if i != root]
    each = [C[i] + T[i] * size + size / BETA[tuple(sorted((root, i)))] for i in others]
    return 7 * (C[root] + T[root] * size) + (sum(each) if is_large else max(each)) + kappa * size


class Lastovetsky(HandNumbers):
    def test_binomial_trees_of_unlike_links(self):
        for root, size in ((0, 1), (3, 999), (7, 12345)):
            words = ["-m", size, "--root", root, *EIGHT, "--model", "hockney", "--params", HOCKNEY]
            time = equation_1([(root + v) % 8 for v in range(8)], size)
            self.both(time, "scatter", "lastovetsky-eq1-scatter", "binomial", *words)
            self.check(time, "gather", "--formula", "lastovetsky-eq1-gather", *words)

    def test_equations_8_to_10(self):
        for root in (0, 5):
            words = ["--root", root, *EIGHT, "--model", "lmo", "--params", LMO, "-m"]
            for size in (0, 1, 20000, 20001, 333333):
                self.both(linear(root, size, size > 20000), "scatter", "lastovetsky-eq8", "linear", *words, size)
            for size in (1, 2999, 40001, 500001):
                time = linear(root, size, size > 40000, 0.002 if size < 3000 else 0.011)
                self.both(time, "gather", "lastovetsky-eq9-eq10", "linear", *words, size)
            for size in (3000, 17000, 40000):
                ends = sorted([linear(root, size, False, 0.002), linear(root, size, True, 0.011)])
                longest = (ends[0], ends[1] + 200000)
                self.both(longest, "gather", "lastovetsky-eq9-eq10", "linear", *words, size)


# Ali et al. 2010: L_1, g_1 on a chip, L_2, g_2 and C across two.
L_1, G_1 = [(16, 0.29), (4096, 0.8), (65536, 7.3)], [(16, 0.11), (65536, 3.7)]
L_2, G_2 = [(16, 0.61), (4096, 1.9), (65536, 19)], [(16, 0.2), (65536, 7.1)]
C_2 = {2: [(256, 0), (65536, 0)], 16: [(256, 0.5), (65536, 6)]}
ON_CHIP = f"L={curve_text(L_1)},g={curve_text(G_1)},g_ack=.043us"
ACROSS = f"[inter-node] L={curve_text(L_2)},g={curve_text(G_2)},g_ack=.071us,C={surface_text(C_2)}"
GAMMA = 3.1e-5


def pair(curve, size):
    """L(m) + L(1)."""
    return on_curve(curve, size) + on_curve(curve, 1)


def congestion(size, messages):
    return on_surface(C_2, size, messages) if size > 256 and messages > 2 else 0


class Ali(HandNumbers):
    def of(self, expected, collective, formula, algorithm, ranks, size, *more):
        two = ["--params", f"gamma=.031ns [shared-cache] {ON_CHIP} {ACROSS}", "--nodes", 2, "--per-node", 8]
        one = ["--params", f"gamma=.031ns,{ON_CHIP}"]
        words = ["-P", ranks, "-m", size, "--model", "plogp-cell", *(two if ranks > 8 else one), *more]
        self.both(expected, collective, f"ali-{collective}-{formula}", algorithm, *words)

    def test_barriers_and_broadcasts(self):
        for ranks in (2, 6, 8, 10, 14, 16):
            two, rounds, signal = ranks > 8, ceil(log2(ranks)), on_curve(L_1, 1)
            bruck = rounds * on_curve(L_2 if two else L_1, 1)
            self.of(bruck, "barrier", "bruck", "dissemination", ranks, 0)
            tree = 2 * (on_curve(L_2, 1) + (rounds - 1) * signal) if two else 2 * rounds * signal
            self.of(tree, "barrier", "gather-broadcast", "tree", ranks, 0)
            for size in (1, 17, 5000):
                gaps = 6 if two else ranks - 2
                time = pair(L_1, size) + gaps * on_curve(G_1, size)
                time += pair(L_2, size) + (ranks - 9) * on_curve(G_2, size) if two else 0
                x = gaps * 0.043 + (ranks - 9) * 0.071 if two else gaps * 0.043
                self.of((time, time + x), "bcast", "one-to-all", "linear", ranks, size)
                ordered = (rounds - 1) * pair(L_1, size) + pair(L_2 if two else L_1, size)
                if ranks != 6:
                    self.of(ordered, "bcast", "binomial-opt", "binomial-opt", ranks, size)
                    self.of(ordered + rounds * GAMMA * size, "reduce", "binomial", "binomial", ranks, size)
        half = pair(L_1, 2500)
        self.of(4 * half, "bcast", "segmented-binomial", "segmented-binomial", 8, 5000)

    def test_doubling_and_hybrids(self):
        for ranks, size in ((8, 17), (16, 17), (8, 5000), (16, 3000)):
            two, rounds = ranks > 8, floor(log2(ranks))
            sizes = [size << k for k in range(rounds)]
            links = [L_1] * (rounds - 1) + [L_2 if two else L_1]
            crossing = congestion(sizes[-1], ranks) if two else 0
            gathering = sum(pair(link, bytes) for link, bytes in zip(links, sizes)) + crossing
            self.of(gathering, "allgather", "recursive-doubling", "recursive-doubling", ranks, size)
            scattering = sum(2 * pair(link, bytes) + GAMMA * bytes for link, bytes in zip(links, sizes)) + crossing
            self.of(scattering, "reduce", "scatter-gather", "reduce-scatter-gather", ranks, ranks * size)
            self.of(scattering + crossing, "allreduce", "reduce-scatter-allgather", "reduce-scatter-rd-allgather",
                    ranks, ranks * size)  # fmt: skip
        for x in (1, 2, 3, 4):
            size, later = 300, range(x, 5)
            crossing = [congestion(size << (k - 1), 16 >> (x - 1)) if k > 3 else 0 for k in later]
            doubling = sum(pair(L_2 if k > 3 else L_1, size << (k - 1)) for k in later) + sum(crossing)
            gather = sum(pair(L_1, size << (k - 1)) for k in range(1, x))
            time = gather + doubling + (x - 1) * pair(L_1, 16 * size)
            self.of(time, "allgather", "hybrid", "hybrid", 16, size, "--set", f"x={x}")


if __name__ == "__main__":
    runner.main()
