"""kill -9 of postage leaves nothing of what it started: neither launchers nor ranks."""

import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import runner

DEADLINE = 60


def processes_with(setting):
    """Command lines of all processes that have `setting` in their environment, by number."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and setting.encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            pass  # it has ended, or is another user's
    return found


def wait_for(state):
    end = time.monotonic() + DEADLINE
    while not state() and time.monotonic() < end:
        time.sleep(0.02)
    return state()


class Killed(runner.CliTest):
    def check(self, program, ranks, *arguments):
        """Kills a measurement while `ranks` processes of the measuring program run."""
        setting = f"TMPDIR={self.folder}"
        command = [runner.POSTAGE, "measure", "--budget", "10min", "-o", self.folder / "samples.json", *arguments]
        with open(self.folder / "said", "w") as said:
            postage = subprocess.Popen(
                [str(word) for word in command],
                stdout=said,
                stderr=said,
                env=os.environ | {"TMPDIR": str(self.folder)},
                start_new_session=True,
            )

        def measuring():
            lines = processes_with(setting).values()
            # SMPI loads the program as a library of its own one: its name is the second word.
            words = [[pathlib.Path(word).name for word in line.split(" ")[:2]] for line in lines]
            return sum(program in names for names in words) >= ranks

        started = wait_for(lambda: measuring() or postage.poll() is not None) and postage.poll() is None
        postage.send_signal(signal.SIGKILL)
        postage.wait()
        self.assertTrue(started, (self.folder / "said").read_text())
        wait_for(lambda: not processes_with(setting))
        self.assertEqual(processes_with(setting), {})

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


if __name__ == "__main__":
    runner.main()
