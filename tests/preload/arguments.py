"""Calls whose arguments differ between ranks, as far as MPI lets them: all ranks decide alike. arguments.py FLAVOUR."""

import sys
import unittest

import running

ALWAYS = {"POSTAGE_PRELOAD": "always"}
# MPICH's ranks poll, so that more of them than cores are slow.
RANKS = (2, 3) if running.FLAVOUR == "openmpi" or running.EXHAUSTIVE else (2,)
NODES = {2: "0,1", 3: "0,0,1"}


class Arguments(unittest.TestCase):
    def run_well(self, ranks, name, *arguments, **environment):
        result = running.run(ranks, name, *arguments, environment=environment, timeout=120)
        self.assertEqual(result.status, 0, result.out[-4000:])
        return result

    def test_other_datatypes_of_the_same_signature(self):
        for ranks in RANKS:
            for environment in (ALWAYS, {**ALWAYS, "POSTAGE_PRETENDED_NODES": NODES[ranks]}, {}):
                with self.subTest(ranks=ranks, environment=environment):
                    result = self.run_well(ranks, "differing", **environment)
                    self.assertIn("elements that are wrong: 0", result.out)
                    if result.statistics and environment == ALWAYS:
                        counts = running.collectives_of(result.statistics)
                        for name in ("allreduce", "reduce", "scan", "exscan", "bcast", "allgather", "alltoallv"):
                            calls, replaced = counts[name]
                            self.assertGreater(replaced, calls / 2, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
