"""Every collective against the library's own, bit by bit, on 1 to 8 ranks: conformance.py FLAVOUR.

By default a part of the cases; all of them with POSTAGE_EXHAUSTIVE in the environment. With the preload library, which
is told to replace whatever it can, each collective must have been replaced."""

import sys
import unittest

import running

# What of the cases: every so-many-th one, on so many ranks. MPICH's ranks poll, so that more of them than cores are slow.
EVERY = {
    "openmpi": {1: 100, 2: 40, 3: 150, 5: 800, 8: 5000},
    "mpich": {1: 100, 2: 60, 3: 3000, 5: 20000},
}
RANDOM = {"openmpi": {2: 400, 4: 80}, "mpich": {2: 200, 3: 40}}
EXHAUSTIVE_EVERY = {"openmpi": [1, 1, 1, 2, 3, 5, 8, 10], "mpich": [1, 1, 10, 20, 40, 60, 80, 100]}
PRETENDED = {
    "openmpi": {"0,1": (100, 400), "0,0,1": (200, 80), "0,1,0": (200, 80), "0,0,1,1,0": (3000, 40)},
    "mpich": {"0,1": (100, 400), "0,1,0": (6000, 40)},
}
ACROSS_NODES = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "allgatherv", "alltoall",
                "reduce_scatter", "reduce_scatter_block", "scan", "exscan")  # fmt: skip
ALWAYS = {"POSTAGE_PRELOAD": "always"}


class Conformance(unittest.TestCase):
    def check(self, ranks, *arguments, environment=ALWAYS):
        with self.subTest(ranks=ranks, arguments=arguments):
            result = running.run(ranks, "conformance", *arguments, environment=environment, timeout=7200)
            self.assertEqual(result.status, 0, result.out[-4000:])
            self.assertIn(", 0 mistakes on all", result.out)
            return result

    def check_replaced(self, ranks, result):
        if running.LIBRARY.exists() and ranks > 1:
            counts = running.collectives_of(result.statistics)
            self.assertEqual(len(counts), 16)
            for name, (calls, _) in counts.items():
                self.assertGreater(calls, 0, name)

    def test_cases(self):
        every = EVERY[running.FLAVOUR]
        if running.EXHAUSTIVE:
            every = dict(enumerate(EXHAUSTIVE_EVERY[running.FLAVOUR], start=1))
        for ranks, step in every.items():
            self.check_replaced(ranks, self.check(ranks, step))

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_ranks_on_pretended_nodes(self):
        """As if ranks shared a node where numbers agree: one rank a node, uneven nodes, ranks of a node apart."""
        replaced = dict.fromkeys(ACROSS_NODES, 0)
        across_nodes = False
        for nodes, (step, calls) in PRETENDED[running.FLAVOUR].items():
            ranks = nodes.count(",") + 1
            environment = {**ALWAYS, "POSTAGE_PRETENDED_NODES": nodes}
            for arguments in ((1 if running.EXHAUSTIVE else step,), ("random", 1, calls)):
                result = self.check(ranks, *arguments, environment=environment)
                across_nodes = across_nodes or "node-aware" in result.out
                for name, (_, times) in running.collectives_of(result.statistics).items():
                    replaced[name] = replaced.get(name, 0) + times
        self.assertTrue(across_nodes)
        for name in ACROSS_NODES:
            self.assertGreater(replaced[name], 0, name)

    def test_random_sequences(self):
        for ranks, calls in RANDOM[running.FLAVOUR].items():
            for seed in range(1, 21 if running.EXHAUSTIVE else 2):
                self.check(ranks, "random", seed, calls)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
