"""What programs live through under the preload library: behaviour.py FLAVOUR."""

import pathlib
import sys
import time
import unittest

import running

ALWAYS = {"POSTAGE_PRELOAD": "always"}
# MPICH's ranks poll, so that more of them than cores are slow.
RANKS = (2, 3) if running.FLAVOUR == "openmpi" or running.EXHAUSTIVE else (2,)


def shared_memory():
    """What of ours lies in /dev/shm."""
    return {entry.name for entry in pathlib.Path("/dev/shm").iterdir() if "postage" in entry.name}


class Behaviour(unittest.TestCase):
    def setUp(self):
        self.before = shared_memory()

    def tearDown(self):
        self.assertEqual(shared_memory() - self.before, set(), "left in /dev/shm")

    def run_well(self, ranks, name, *arguments, **options):
        options.setdefault("environment", ALWAYS)
        result = running.run(ranks, name, *arguments, **options)
        self.assertEqual(result.status, 0, result.out[-4000:])
        return result

    def test_messages_progress_inside_collectives(self):
        for ranks in RANKS:
            self.assertIn("0 of them wrong", self.run_well(ranks, "deadlock", timeout=120).out)

    def test_communicators_come_and_go(self):
        times = 20000 if running.EXHAUSTIVE else 2000
        self.assertIn("no leak", self.run_well(2, "churn", times, timeout=1200).out)

    def test_two_threads_on_two_communicators(self):
        seeds = range(1, 21 if running.EXHAUSTIVE else 2)
        for seed in seeds:
            result = self.run_well(2, "threads", seed, 100, timeout=300)
            self.assertEqual(result.out.count(", 0 mistakes on all"), 2, result.out)

    def test_a_rank_dies(self):
        for how in ("kill", "abort"):
            with self.subTest(how=how):
                start = time.monotonic()
                result = running.run(3, "killed", how, environment=ALWAYS, timeout=60)
                self.assertNotEqual(result.status, 0)
                self.assertNotIn("nobody died", result.out)
                self.assertLess(time.monotonic() - start, 30)
                self.assertEqual(shared_memory() - self.before, set())

    def test_fortran(self):
        for interface in ("mpif", "module", "f08"):
            if not running.program(interface).exists():
                self.skipTest("there is no Fortran compiler")
            for ranks in RANKS:
                with self.subTest(interface=interface, ranks=ranks):
                    result = self.run_well(ranks, interface, timeout=120)
                    self.assertIn("results that are wrong: 0", result.out)
                    if result.statistics:
                        counts = running.collectives_of(result.statistics)
                        # Each call is seen once on each rank, whichever entries of the library it goes through.
                        self.assertEqual(counts["scan"][0], 24 * ranks)
                        self.assertEqual(counts["bcast"][0], 24 * ranks)
                        self.assertGreater(counts["bcast"][1], 0)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_other_tools(self):
        tool = running.BUILD / "bin" / f"test-preload-tool-{running.FLAVOUR}.so"
        # In front of us, a tool that calls PMPI has all calls; behind us it gets those that pass through.
        for libraries, replaces, seen in (([tool, running.LIBRARY], True, 100), ([running.LIBRARY, tool], False, 100)):
            with self.subTest(libraries=libraries):
                environment = ALWAYS if replaces else {"POSTAGE_PRELOAD": "off"}
                result = self.run_well(2, "repeated", 100, preload=libraries, environment=environment)
                self.assertIn("sums right", result.out)
                self.assertIn(f"tool: initialised 1, allreduces {seen}", result.out)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_another_mpi(self):
        other = {"openmpi": "mpich", "mpich": "openmpi"}[running.FLAVOUR]
        library = running.BUILD / "bin" / f"libpostage-{other}.so"
        if library.exists():
            result = self.run_well(2, "repeated", 100, preload=[library], environment={})
            self.assertIn("sums right", result.out)
            self.assertIn("postage", result.out)
            self.assertEqual(result.statistics, {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
