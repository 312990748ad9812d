"""What commands start and leave behind, seen from outside."""

import json
import os
import pathlib
import subprocess

import runner
from runner import wait_for

class Traced:
    """A command whose descendants are known by a variable that they inherit."""

    def __init__(self, folder, arguments, environment=None, command=None):
        """`folder` gets temporary/, and work/, in which the command runs."""
        self.temporary = folder / "temporary"
        self.work = folder / "work"
        for place in (self.temporary, self.work):
            place.mkdir(exist_ok=True)
        self.setting = f"POSTAGE_TEST={folder}"
        self.said = folder / "said"
        words = command or [runner.POSTAGE, *arguments]
        with open(self.said, "w") as said:
            self.process = subprocess.Popen(
                [str(word) for word in words],
                cwd=self.work,
                env={**os.environ, "TMPDIR": str(self.temporary), "POSTAGE_TEST": str(folder), **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def output(self):
        return self.said.read_text(errors="replace")

    def processes(self):
        """Command lines, as lists of words, of all that run, by number."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self.setting.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().decode().split("\0")
            except OSError:
                pass  # it has ended, or is another user's
        return found

    def running(self, program):
        """Numbers of the processes of a program; SMPI loads it as a library of its own one: its name is the second word."""
        return [
            number
            for number, words in self.processes().items()
            if program in [pathlib.Path(word).name for word in words[:2]]
        ]

    def check_nothing_is_left(self, test, names=()):
        """No process, no half of a file: only whole JSON files and folders of `names` are in the work folder."""
        wait_for(lambda: not self.processes())
        test.assertEqual(self.processes(), {}, self.output())
        for path in self.work.rglob("*"):
            test.assertIn(path.relative_to(self.work).parts[0], names, self.output())
            if path.is_file():
                test.assertNotIn(".tmp", path.name)
                if path.suffix == ".json":
                    json.loads(path.read_text())
