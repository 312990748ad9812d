"""What the preload library finds out by probes, and that all ranks find out the same: probes.py FLAVOUR."""

import os
import pathlib
import sys
import tempfile
import unittest

import running

# Microseconds that calls by the library, through slots and by single copy are to take, by which of them is chosen.
PRETENDED = {"library": "10,20,15", "slots": "30,10,20", "single-copy": "30,20,10"}
# Each collective on each of three communicators, of 64 KiB.
COUNT, TIMES = 16384, 48
# Those of 64 KiB on all ranks and for every root, in whose place no call is left out of the tests.
SAME_SIZES = ("bcast", "gather", "scatter", "allgather", "alltoall", "allreduce", "scan", "exscan")
PROBED = {"slots", "single-copy"}


def algorithms_of(statistics):
    """{collective: {algorithm: calls}}, the library's own calls under "library"."""
    found = {}
    for row in statistics["collectives"]:
        found[row["name"]] = {"library": row["calls"] - row["replaced"]}
        for size in row["sizes"]:
            for name, calls in size["algorithms"].items():
                found[row["name"]][name] = found[row["name"]].get(name, 0) + calls
    return found


@unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "on one hardware thread everything passes through")
class Probes(unittest.TestCase):
    def run_probed(self, *pretended, ranks=2, count=COUNT, times=TIMES, **environment):
        result = running.run(ranks, "probed", count, times, *pretended, environment=environment, timeout=300)
        self.assertEqual(result.status, 0, result.out[-4000:])
        self.assertIn(", 0 mistakes on all", result.out)
        return algorithms_of(result.statistics)

    def test_what_is_fastest_carries_out(self):
        """Calls of the three on a rank until the choice is made, on the world and, anew, in reverse order."""
        probes = {
            "library": {"library": 15, "slots": 15, "single-copy": 15},
            "slots": {"library": 5, "slots": 15, "single-copy": 15},
            "single-copy": {"library": 5, "slots": 15, "single-copy": 15},
        }
        for choice, pretended in PRETENDED.items():
            with self.subTest(choice=choice):
                calls = self.run_probed(pretended, pretended)
                for name in SAME_SIZES:
                    expected = {algorithm: 2 * 2 * times for algorithm, times in probes[choice].items()}
                    expected[choice] += 2 * (3 * TIMES - 2 * sum(probes[choice].values()))
                    self.assertEqual(calls[name], expected, name)
                for name, by in calls.items():
                    if name != "barrier" and choice != "library":
                        self.assertGreater(by.get(choice, 0), by["library"], name)

    def test_ranks_choose_alike(self):
        """By the times of both, which differ: a call takes as long as on the slower one. So long that it does not matter
        how late a rank is."""
        calls = self.run_probed("30000000,10000000,20000000", "30000000,90000000,20000000")
        for name in SAME_SIZES:
            self.assertGreater(calls[name]["single-copy"], calls[name]["slots"] + calls[name]["library"], name)

    def test_real_times(self):
        for count in (2048, COUNT):
            self.run_probed(count=count, times=64)

    @unittest.skipUnless(running.FLAVOUR == "openmpi" or running.EXHAUSTIVE, "MPICH's ranks poll")
    def test_more_ranks_probe_short_data_too(self):
        for choice in ("library", "slots"):
            with self.subTest(choice=choice):
                calls = self.run_probed(*3 * [PRETENDED[choice]], ranks=3, count=64, POSTAGE_PRETENDED_CORES="8")
                for name in SAME_SIZES:
                    self.assertGreater(calls[name].get(choice, 0), 3 * 3 * TIMES / 2, name)
                # Whose sizes not all ranks know.
                for name in ("gatherv", "scatterv", "alltoallv"):
                    self.assertNotIn("slots", calls[name])

    def test_messages_progress_while_calls_are_probed(self):
        for pretended in PRETENDED.values():
            environment = {"POSTAGE_PRETENDED_TIMES": pretended}
            result = running.run(2, "deadlock", 32, COUNT // 4, environment=environment, timeout=120)
            self.assertEqual(result.status, 0, result.out[-4000:])
            self.assertIn("0 of them wrong", result.out)
            self.assertTrue(PROBED <= set(algorithms_of(result.statistics)["bcast"]))

    def test_two_threads_on_two_communicators(self):
        result = running.run(2, "threads", 3, 400, timeout=300)
        self.assertEqual(result.out.count(", 0 mistakes on all"), 2, result.out)

    def test_random_sequences(self):
        result = running.run(2, "conformance", "random", 2, 400, timeout=300)
        self.assertIn(", 0 mistakes on all", result.out)

    def assert_unprobed(self, calls):
        for name, by in calls.items():
            self.assertFalse(PROBED & set(by), name)

    def test_a_file_decides(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "decisions.json"
            rule = running.rule("allreduce", "direct", ranks=[2, 2], bytes=[4 * COUNT, None])
            path.write_text(running.json.dumps(running.decisions(rule)))
            calls = self.run_probed(PRETENDED["slots"], PRETENDED["slots"], POSTAGE_DECISIONS=str(path))
            self.assert_unprobed(calls)
            self.assertEqual(calls["allreduce"]["direct"], 2 * 3 * TIMES)
            self.assertEqual(calls["bcast"], {"library": 2 * 3 * TIMES})

    def test_they_can_be_switched_off(self):
        pretended = 2 * [PRETENDED["slots"]]
        self.assert_unprobed(self.run_probed(*pretended, POSTAGE_PROBES="off"))
        self.assert_unprobed(self.run_probed(*pretended, POSTAGE_PRELOAD="always"))
        self.assert_unprobed(self.run_probed(*pretended, POSTAGE_PRETENDED_NODES="0,1"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
