"""Ctrl-C in every command that takes longer than a moment: status 130, nothing runs on, no file is half written."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import runner
from processes import Traced
from runner import wait_for

ENDLESS = ["--passes", 1000, "--least", 1000, "--budget", "1000s"]
SIMULATED = ["--virtual", "flat16", "-n", 4]
# Each is interrupted when something of this name runs that it has started.
STARTING = {
    "measure": ("postage-measure-smpi", ["measure", *SIMULATED, *ENDLESS, "-o", "p.json"]),
    "measure, Open MPI": ("postage-measure-openmpi", ["measure", "--mpi", "openmpi", "-n", 2, *ENDLESS, "-o", "p.json"]),
    "measure, MPICH": ("postage-measure-mpich", ["measure", "--mpi", "mpich", "-n", 2, *ENDLESS, "-o", "p.json"]),
    "measure, shared memory": ("postage-measure-shm", ["measure", "--shm", "-n", 2, *ENDLESS, "-o", "p.json"]),
    "validate": ("postage-measure-smpi", ["validate", "--platform", "PLATFORM", *SIMULATED, *ENDLESS, "-o", "v.json"]),
    "suite": ("postage-measure-smpi", ["validate", "--suite", "quick", "--on", "flat16", "-o", "v.json"]),
    "random suite": ("postage-measure-smpi", ["validate", "--suite", "random", "--seeds", "1", "-o", "v.json"]),
    "tune, its platform": ("postage-measure-smpi", ["tune", *SIMULATED, "--budget", "1000s", "-o", "tuned"]),
    "tune": ("postage-batch-smpi", ["tune", *SIMULATED, "--platform", "PLATFORM", "-o", "tuned"]),
    "guidelines": ("postage-measure-smpi", ["guidelines", "--virtual", "multicore8x8", *ENDLESS, "-o", "g.json"]),
    "watch": ("postage-measure-smpi", ["watch", "--record", "--runs", 100, "--baseline", "b.json", *SIMULATED]),
    "bench": ("postage-bench-shm", ["bench", "--repetitions", 1000, "--experiment", "latency", "-o", "b.json"]),
    "paper": ("postage-measure-smpi", ["paper", "lastovetsky", "--all", "-o", "pages"]),
}
# These start nothing; they are interrupted after a moment, unless they are done by then.
ALONE = {
    "predict": ["predict", "allreduce", "--algorithm", "all", "-P", 4096, "-m", "1:16M:x2", "--model", "loggp", "--params",
                "L=5us,o=1us,g=2us,G=1ns", "--json"],
    "compare": ["compare", "allreduce", "--nodes", 1024, "--per-node", 1, "-m", "1:1M:x2", "--platform", "PLATFORM", "--svg", "c.svg"],
    "schedule": ["schedule", "alltoall", "pairwise", "-P", 64, "-m", "1K", "--svg", "s.svg"],
    "report": ["report", "--platform", "PLATFORM", "-o", "r.html"],
    "estimate": ["estimate", "SAMPLES", "-o", "p.json"],
    "explain": ["explain", "allreduce", "--nodes", 1024, "--per-node", 1, "-m", "1M", "--platform", "PLATFORM"],
    "topology": ["topology", "--platform", "PLATFORM", "-o", "t.svg"],
}  # fmt: skip
# What may be there, whole: what was measured is kept.
KEPT = {"p.json.samples", "tuned", "p.json", "c.svg", "s.svg", "r.html", "t.svg", "pages"}


class Interrupted(runner.CliTest):
    def setUp(self):
        super().setUp()
        self.platform = self.folder / "platform.json"
        self.samples = self.folder / "samples"
        self.succeed("measure", *SIMULATED, "--quick", "--samples", self.samples, "-o", self.platform)

    def start(self, words):
        names = {"PLATFORM": self.platform, "SAMPLES": self.samples}
        place = self.folder / str(len(list(self.folder.iterdir())))
        place.mkdir()
        return Traced(place, [names.get(word, word) for word in words])

    def check(self, name, job, statuses):
        status = job.process.wait(timeout=240)
        self.assertIn(status, statuses, f"{name}: {job.output()}")
        self.assertNotRegex(job.output(), r"(?s)measured is kept.*nothing is kept")
        if status == 130:
            self.assertRegex(job.output(), r"(\A|\n)postage: .+\n\Z")
        job.check_nothing_is_left(self, KEPT)
        self.assertEqual(list(job.temporary.glob("postage-*")), [], name)
        return status

    def test_what_starts_others(self):
        for name, (program, words) in STARTING.items():
            with self.subTest(command=name):
                job = self.start(words)
                self.assertTrue(wait_for(lambda: job.running(program) or job.process.poll() is not None), job.output())
                time.sleep(0.05)
                job.process.send_signal(signal.SIGINT)
                self.check(name, job, [130])

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI here")
    def test_the_launcher_of_tune_leaves_nothing(self):
        platform = self.folder / "real.json"
        measured = json.loads(self.platform.read_text())
        release = re.search(r"\) (\d\S*)", subprocess.run(["mpirun.openmpi", "--version"], stdout=subprocess.PIPE, text=True).stdout)[1]
        platform.write_text(json.dumps({**measured, "implementation": f"Open MPI {release}"}))
        tune = ["tune", "--platform", platform, "--nodes", 2, "--per-node", 1, "--collectives", "bcast", "-o", "tuned"]
        job = self.start([*tune, "--tuning-budget", "1000s"])
        self.assertTrue(wait_for(lambda: job.running("postage-choices-openmpi") or job.process.poll() is not None), job.output())
        time.sleep(0.3)
        job.process.send_signal(signal.SIGINT)
        self.check("tune, Open MPI", job, [130])
        self.assertIn("tuning was interrupted; the same command goes on", job.output())

    def test_tune_between_its_jobs(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        job = self.start(["tune", "--platform", pipe, "--for", "mpich:4.2.0", "-o", "tuned"])
        with open(pipe, "w") as waited_for:  # it has begun, and waits for its platform
            job.process.send_signal(signal.SIGINT)
            waited_for.write(self.platform.read_text())
        self.check("tune, by prediction", job, [130])
        self.assertIn("tuning was interrupted; the same command goes on", job.output())
        self.assertEqual(list((job.work / "tuned").glob("*")) if (job.work / "tuned").exists() else [], [])

    def test_what_does_not(self):
        interrupted = 0
        for name, words in ALONE.items():
            with self.subTest(command=name):
                job = self.start(words)
                time.sleep(0.05)
                job.process.send_signal(signal.SIGINT)
                # No handler: the signal's own effect, which shells show as 130.
                interrupted += self.check(name, job, [-signal.SIGINT, 130, 0]) != 0
        self.assertGreater(interrupted, 0)

    def test_termination_has_its_own_status(self):
        program, words = STARTING["guidelines"]
        job = self.start(words)
        self.assertTrue(wait_for(lambda: job.running(program)), job.output())
        job.process.terminate()
        self.check("guidelines", job, [143])


if __name__ == "__main__":
    runner.main()
