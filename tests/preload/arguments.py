"""Calls and settings that differ between ranks, as far as MPI lets them: all ranks decide alike. arguments.py FLAVOUR."""

import pathlib
import sys
import tempfile
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

    def test_a_rank_that_is_refused_and_goes_on(self):
        for environment in ({}, ALWAYS):
            self.run_well(2, "mistaken", **environment)

    @unittest.skipUnless(running.FLAVOUR == "openmpi", "MPICH's mpirun starts no further ranks here")
    def test_ranks_that_are_started_later(self):
        result = self.run_well(1, "merged", **ALWAYS)
        self.assertEqual(result.out.count("sums right"), 2)
        if running.LIBRARY.exists():
            everyone = [result.statistics, *result.spawned]
            self.assertEqual([one["ranks"] for one in everyone], [1, 1])
            self.assertEqual([running.collectives_of(one)["allreduce"] for one in everyone], [(40, 0)] * 2)

    def run_apart(self, *variables):
        """`repeated` on one rank for each of these lists of variables; what the library says."""
        words = []
        for own in variables:
            words += [":", "-n", "1"] if words else []
            words += ["env", f"LD_PRELOAD={running.LIBRARY}", *own, str(running.program("repeated"))]
        result = running.run_command(1, *words, preload=[], timeout=120)
        self.assertEqual(result.status, 0, result.out[-4000:])
        self.assertIn("sums right", result.out)
        return [line.removeprefix("postage: ") for line in result.out.splitlines() if line.startswith("postage: ")]

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_variables_that_differ(self):
        for variable, taken in (
            ("POSTAGE_STATS=1", "off"),
            ("POSTAGE_STATS_JSON=statistics.json", "not set"),
            ("POSTAGE_TRACE=trace", "not set"),
            ("POSTAGE_PRELOAD=off", "off"),
            ("POSTAGE_PRELOAD=always", "on"),
            ("POSTAGE_PROBES=off", "off"),
        ):
            for first, second in (([variable], []), ([], [variable])):
                with self.subTest(first=first, second=second):
                    name = variable.split("=")[0]
                    self.assertEqual(
                        self.run_apart(first, second), [f"{name} is not the same on all ranks; it is taken as {taken}"]
                    )

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_folders_of_files_are_created(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / "a" / "b" / name for name in ("statistics.json", "trace")]
            variables = [f"POSTAGE_STATS_JSON={files[0]}", f"POSTAGE_TRACE={files[1]}"]
            self.assertEqual(self.run_apart(variables, variables), [])
            for file in files:
                self.assertTrue(file.exists(), file)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_variables_that_are_wrong(self):
        """Rank 0 says so in one sentence each, and the program goes on."""
        for variable, said in (
            ("POSTAGE_PROBES=maybe", 'POSTAGE_PROBES is on or off, not "maybe"; it is taken as on'),
            ("POSTAGE_PRELOAD=never", 'POSTAGE_PRELOAD is on, off or always, not "never"; it is taken as on'),
            ("POSTAGE_TRACE=/dev/null/trace",
             "POSTAGE_TRACE: cannot write /dev/null/trace (Not a directory); nothing is recorded for it"),
            ("POSTAGE_PRETENDED_NODES=a,b",
             'POSTAGE_PRETENDED_NODES is a list of whole numbers with commas between them, not "a,b"; it is not used'),
            ("POSTAGE_PROBE=off", "POSTAGE_PROBE=off sets no variable of Postage; the name is POSTAGE_PROBES; it is not used"),
        ):  # fmt: skip
            with self.subTest(variable=variable):
                self.assertEqual(self.run_apart([variable], [variable]), [said])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
