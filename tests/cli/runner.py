"""What every test of the command line needs: where the programs are, and how to run one."""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["POSTAGE_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["POSTAGE_BUILD_DIR"])
POSTAGE = BUILD / "bin" / "postage"


@dataclasses.dataclass
class Result:
    status: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)


def postage(*arguments, environment=None, timeout=240, cwd=None):
    """Runs `postage ARGUMENTS...`; `environment` adds to the environment."""
    done = subprocess.run(
        [str(POSTAGE), *map(str, arguments)],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=timeout,
        cwd=cwd,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def wait_for(state, deadline=120):
    """What `state()` tells once that is true, or at the end: a busy machine needs longer than one thinks."""
    end = time.monotonic() + deadline
    while not (found := state()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class CliTest(unittest.TestCase):
    """A test case with a folder of its own, `self.folder`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="postage-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def succeed(self, *arguments, **options):
        result = postage(*arguments, **options)
        self.assertEqual(result.status, 0, result.err)
        return result

    def refuse(self, *arguments, status=2, mentions=(), **options):
        """The command fails with `status` and one sentence on standard error that holds all of `mentions`."""
        result = postage(*arguments, **options)
        self.assertEqual(result.status, status, result.out + result.err)
        self.assertRegex(result.err, r"\Apostage: .+\n\Z")
        self.assertEqual(result.err.count("\n"), 1, result.err)
        for text in mentions:
            self.assertIn(text, result.err)
        return result


def value_of(estimate):
    """Of an estimate in a platform file: a number, or [value, lower, upper]."""
    return estimate[0] if isinstance(estimate, list) else estimate


def points_of(platform):
    """Roundtrips of a platform file: source, target, bytes and seconds one way."""
    for pair in platform["points"]:
        for bytes_, *one_way in pair["one_way"]:
            yield {"source": pair["source"], "target": pair["target"], "bytes": bytes_, "one_way": one_way[0]}


def main():
    unittest.main(verbosity=2)
