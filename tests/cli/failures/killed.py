"""kill -9, of postage, its launcher or a rank: nothing runs on, and no file is half written."""

import os
import pathlib
import random
import shutil
import signal
import time
import unittest

import runner
from processes import Traced
from runner import wait_for

SEED = int(os.environ.get("POSTAGE_KILL_SEED", "1"))
SHORT = ["--quick", "--budget", "1s", "--passes", "2", "--least", "2", "--held-out", "0"]
JOBS = [
    ("openmpi", "mpirun.openmpi", ["--mpi", "openmpi", "-n", "2"]),
    ("mpich", "mpirun.mpich", ["--mpi", "mpich", "-n", "2"]),
    ("smpi", "smpirun", ["--virtual", "flat16", "-n", "4"]),
    ("shm", "true", ["--shm", "-n", "2"]),
]
VICTIMS = ["postage", "launcher", "rank"]
# Once of each job, each of them; make soak has more.
KILLS = int(os.environ.get("POSTAGE_KILLS", len(JOBS) * len(VICTIMS)))


class Killed(runner.CliTest):
    def check(self, program, ranks, *arguments):
        """Kills a measurement while `ranks` processes of the measuring program run."""
        job = Traced(self.folder, ["measure", "--budget", "10min", "-o", "p.json", *arguments])
        measuring = lambda: len(job.running(program)) >= ranks
        started = wait_for(lambda: measuring() or job.process.poll() is not None) and job.process.poll() is None
        job.process.kill()
        job.process.wait()
        self.assertTrue(started, job.output())
        job.check_nothing_is_left(self)
        self.check_swept(job)

    def check_swept(self, job):
        """What a killed postage leaves of its temporary files goes with the next one."""
        self.succeed("measure", "--virtual", "flat16", "-n", "2", "--quick", "--sizes", "8", "--models", "hockney",
                     "--held-out", "0", "-o", self.folder / "next.json", environment={"TMPDIR": str(job.temporary)})  # fmt: skip
        self.assertEqual(list(job.temporary.glob("postage-*")), [])

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI here")
    def test_open_mpi(self):
        self.check("postage-measure-openmpi", 2, "--mpi", "openmpi", "-n", "2")

    @unittest.skipUnless(shutil.which("mpirun.mpich"), "no MPICH here")
    def test_mpich(self):
        self.check("postage-measure-mpich", 2, "--mpi", "mpich", "-n", "2")

    @unittest.skipUnless(shutil.which("smpirun"), "no SimGrid here")
    def test_smpi(self):
        self.check("postage-measure-smpi", 1, "--virtual", "mixed16")

    def test_shared_memory(self):
        self.check("postage-measure-shm", 2, "--shm", "-n", "2")


class KilledAtRandom(runner.CliTest):
    def victims_of(self, job, kind):
        """Processes of one kind: postage itself, a rank, or what is between."""
        everything = set(job.processes())
        ranks = {number for name in ("openmpi", "mpich", "smpi", "shm") for number in job.running(f"postage-measure-{name}")}
        postage = {job.process.pid}
        return {"postage": postage, "rank": ranks, "launcher": everything - ranks - postage}[kind]

    def kill_one(self, draw, number, flavour, arguments, kind):
        moment = draw.uniform(0, 1.2)
        folder = self.folder / str(number)
        folder.mkdir()
        job = Traced(folder, ["measure", *SHORT, "-o", "p.json", *arguments])
        time.sleep(moment)
        # On a busy machine there may be none yet.
        victims = sorted(wait_for(lambda: self.victims_of(job, kind) or (job.process.poll() is not None and {0})) - {0})
        victim = draw.choice(victims) if victims else None
        try:
            if victim is not None:
                os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            victim = None
        with self.subTest(number=number, flavour=flavour, kind=kind, moment=moment, killed=victim):
            status = job.process.wait(timeout=240)
            job.check_nothing_is_left(self, ["p.json"])
            if kind == "postage" and victim is not None:
                self.assertIn(status, [-signal.SIGKILL, 0], job.output())
            elif status != 0:
                # One sentence, after remarks on what had been measured.
                self.assertEqual(status, 1, job.output())
                self.assertRegex(job.output(), r"(\A|\n)postage: .+\n\Z")
                self.assertFalse((job.work / "p.json").exists())
            else:
                self.assertTrue((job.work / "p.json").exists())
            if status >= 0:
                self.assertEqual(list(job.temporary.glob("postage-*")), [], "a folder of its own")
        shutil.rmtree(folder)
        return victim is not None

    def test_at_random_moments(self):
        self.assertTrue(all(shutil.which(launcher) for _, launcher, _ in JOBS), "make setup-test installs these")
        draw = random.Random(SEED)
        there = lambda: {path.name for path in pathlib.Path("/dev/shm").glob("postage*")}
        before = there()
        each = [(flavour, arguments, kind) for flavour, _, arguments in JOBS for kind in VICTIMS]
        draw.shuffle(each)
        killed = sum(self.kill_one(draw, number, *each[number % len(each)]) for number in range(KILLS))
        self.assertGreater(killed, KILLS // 2)
        self.assertLessEqual(there(), before, "shared memory that nobody uses")


if __name__ == "__main__":
    runner.main()
