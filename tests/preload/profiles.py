"""The example programs, their profiles and their traces: profiles.py FLAVOUR."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import running

POSTAGE = running.BUILD / "bin" / "postage"
PROGRAMS = {
    "bucket_sort": (20000, 12),
    "conjugate_gradient": (16, 40),
    "fft_2d": (64, 6),
    "panel_broadcast": (96, 8),
}
TWO_HOSTS = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full"><host id="h0" speed="1Gf"/><host id="h1" speed="1Gf"/>
<link id="wire" bandwidth="100MBps" latency="10us"/><route src="h0" dst="h1"><link_ctn id="wire"/></route></zone></platform>
"""
MODEL = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]


class Programs(unittest.TestCase):
    def run_program(self, name, ranks=2, **options):
        if not running.program(name).exists():
            self.skipTest("there is no compiler for it")
        result = running.run(ranks, name, *PROGRAMS[name], timeout=120, **options)
        self.assertEqual(result.status, 0, result.out)
        self.assertIn("verified", result.out)
        return result

    def test_verify_their_results(self):
        for name in PROGRAMS:
            with self.subTest(name=name):
                self.run_program(name)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_profiles_count_what_the_programs_call(self):
        result = self.run_program("bucket_sort")
        calls = {row["name"]: row for row in result.statistics["collectives"]}
        self.assertEqual(calls["alltoall"]["calls"], 2 * 12)
        self.assertEqual(calls["alltoallv"]["calls"], 2 * 12)
        self.assertEqual(calls["allreduce"]["calls"], 2 * 2 * 12)
        # Each rank sends its 20,000 keys, 4 bytes each, to both.
        self.assertEqual(calls["alltoallv"]["bytes"], 2 * 12 * 4 * 20000)
        self.assertIn("messages by size", result.out)
        result = self.run_program("fft_2d")
        calls = {row["name"]: row for row in result.statistics["collectives"]}
        self.assertEqual(calls["alltoall"]["calls"], 2 * 4 * 6)
        self.assertEqual(calls["alltoall"]["bytes"], 2 * 4 * 6 * 32 * 32 * 16)
        result = self.run_program("panel_broadcast")
        calls = {row["name"]: row for row in result.statistics["collectives"]}
        self.assertEqual(calls["bcast"]["bytes"], 2 * (96 // 8) * 96 * 8 * 8)
        self.assertLess(result.statistics["communication_seconds"], result.statistics["seconds"])

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_traces_are_played(self):
        for name in PROGRAMS:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                recording = pathlib.Path(folder) / "recording"
                goal = pathlib.Path(folder) / "program.goal"
                smpi = pathlib.Path(folder) / "program.ti"
                self.run_program(name, environment={"POSTAGE_TRACE": str(recording)})
                self.assertIn("postage recording 1\nranks 2\n", recording.read_text())
                first = self.predict(recording, "--to-goal", goal, "--to-smpi", smpi)
                self.assertEqual(first["ranks"], 2)
                self.assertGreater(first["seconds"], first["longest_computing_seconds"])
                self.assertAlmostEqual(self.predict(goal)["seconds"], first["seconds"], delta=1e-4 * first["seconds"])
                self.replay(smpi)

    def replay(self, trace):
        """SMPI plays what was written, to its end."""
        smpirun = shutil.which("smpirun")
        if smpirun is None:
            return
        folder = trace.parent
        (folder / "two.xml").write_text(TWO_HOSTS)
        (folder / "hosts").write_text("h0\nh1\n")
        done = subprocess.run(
            [smpirun, "-np", "2", "-platform", folder / "two.xml", "-hostfile", folder / "hosts", "-replay", trace,
             "--cfg=smpi/display-timing:yes"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Simulated time", done.stdout)

    def predict(self, trace, *options):
        done = subprocess.run(
            [str(POSTAGE), "predict", "--trace", str(trace), *MODEL, "--json", *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return running.json.loads(done.stdout)[0]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
