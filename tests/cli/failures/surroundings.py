"""A full disk, a folder that cannot be written, and a clock that jumps."""

import glob
import json
import os
import pathlib
import subprocess
import unittest

import runner

MEASURE = ["measure", "--shm", "-n", 2, "--quick", "--budget", "1s", "--passes", 1, "--held-out", 0, "--models", "hockney",
           "--sizes", "8,64K"]  # fmt: skip
LIBFAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), None)


def mounts_are_possible():
    return subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(mounts_are_possible(), "nothing can be mounted here")
class FullDisk(runner.CliTest):
    def on_small_disk(self, *words, options="size=16k", environment=None):
        """Runs postage where self.folder/small is a disk of its own; what is on it then, and how it ended."""
        small = self.folder / "small"
        small.mkdir(exist_ok=True)
        script = f'mount -t tmpfs -o {options} none {small} && "$@"; status=$?; ls -A {small} >&3; exit $status'
        with open(self.folder / "left", "w") as left:
            done = subprocess.run(
                ["unshare", "--mount", "sh", "-c", f"exec 3>&{left.fileno()}; {script}", "sh", str(runner.POSTAGE), *map(str, words)],
                env={**os.environ, **(environment or {})},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                pass_fds=[left.fileno()],
                timeout=240,
            )
        return (self.folder / "left").read_text().split(), done

    def test_results_are_not_half_written(self):
        platform = self.folder / "p.json"
        self.succeed("measure", "--virtual", "flat16", "-n", 4, "--quick", "-o", platform)
        small = self.folder / "small"
        for words in (
            ["measure", "--virtual", "flat16", "-n", 4, "--quick", "-o", small / "x.json"],
            ["report", "--platform", platform, "-o", small / "x.html"],
            ["schedule", "alltoall", "pairwise", "-P", 32, "-m", "1K", "--svg", small / "x.svg"],
        ):
            with self.subTest(command=words[0]):
                left, done = self.on_small_disk(*words)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("No space left on device", done.stderr.splitlines()[-1])
                self.assertEqual(left, [])

    def test_temporary_files_have_no_room(self):
        left, done = self.on_small_disk(*MEASURE, "-o", self.folder / "x.json", options="size=4k",
                                        environment={"TMPDIR": str(self.folder / "small")})  # fmt: skip
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(\A|\n)postage: .*No space left on device.*\n\Z")
        self.assertEqual(left, [])
        self.assertFalse((self.folder / "x.json").exists())

    def test_read_only_folder(self):
        small = self.folder / "small"
        left, done = self.on_small_disk(*MEASURE, "-o", small / "x.json", options="ro")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--output: cannot write", done.stderr)
        left, done = self.on_small_disk(*MEASURE, "-o", self.folder / "x.json", options="ro",
                                        environment={"TMPDIR": str(small)})  # fmt: skip
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Apostage: cannot make a temporary folder .*Read-only file system\n\Z")


class TemporaryFolders(runner.CliTest):
    SIMULATED = ["measure", "--virtual", "flat16", "-n", 2, "--quick", "--sizes", "8", "--models", "hockney", "--held-out", 0, "-o"]

    def test_names_with_white_space(self):
        spaced = self.folder / "a b ü"
        spaced.mkdir()
        # smpirun, a script, would take the words of a name for several.
        self.refuse(*self.SIMULATED, self.folder / "x.json", environment={"TMPDIR": str(spaced)},
                    mentions=["smpirun", "white space", "TMPDIR"])  # fmt: skip
        self.assertEqual(list(spaced.iterdir()), [])
        self.succeed(*MEASURE, "-o", spaced / "x.json", environment={"TMPDIR": str(spaced)})
        self.assertEqual([path.name for path in spaced.iterdir()], ["x.json"])

    def test_no_folder_is_named(self):
        self.succeed(*self.SIMULATED, self.folder / "x.json", environment={"TMPDIR": ""})
        self.refuse(*self.SIMULATED, self.folder / "y.json", status=1, environment={"TMPDIR": "/nowhere"}, mentions=["/nowhere", "TMPDIR"])


class Clock(runner.CliTest):
    @unittest.skipUnless(LIBFAKETIME, "libfaketime is not installed")
    def test_jumps_of_the_calendar_do_not_matter(self):
        """The calendar's clock goes a day back, or ahead, 0.3 s after each process has started."""
        for jump in ("-1d", "+1d"):
            with self.subTest(jump=jump):
                platform = self.folder / "p.json"
                self.succeed(*MEASURE, "-o", platform, environment={
                    "LD_PRELOAD": LIBFAKETIME, "FAKETIME": jump, "FAKETIME_START_AFTER_SECONDS": "0.3",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"})  # fmt: skip
                points = list(runner.points_of(json.loads(platform.read_text())))
                self.assertTrue(points)
                for point in points:
                    self.assertTrue(0 < point["one_way"] < 60, point)


if __name__ == "__main__":
    runner.main()
