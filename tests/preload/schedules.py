"""Collectives along the trees of schedule files: schedules.py FLAVOUR."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import running

RANKS = 3 if running.FLAVOUR == "openmpi" else 2
# How often `irregular` calls each, with the sizes given and with others. Seven come before shared memory is agreed on.
FITTING, OTHER = 30, 10
# Every so-many-th case of the conformance tests.
EVERY = {"openmpi": 150, "mpich": 60}[running.FLAVOUR]
CALLS = {"openmpi": 1000, "mpich": 600}[running.FLAVOUR]


def chain(ranks, root):
    """Each rank below the one before it, from the root on."""
    return [-1 if rank == root else (rank - 1) % ranks for rank in range(ranks)]


def schedule(collective, ranks, root=0, segment=0, blocks=None, **trees):
    head = {"format": "postage-schedule", "version": 1, "collective": collective, "ranks": ranks, "root": root}
    head |= {"element_bytes": 1, "segment_bytes": segment}
    head |= {"bytes": 1024} if blocks is None else {"block_bytes": blocks}
    directions = {"reduce": ["up"], "gather": ["up"], "allgather": ["up", "down"]}.get(collective, ["down"])
    return head | {name: trees.get(name, {"parents": chain(ranks, root)}) for name in directions}


def algorithms(result):
    """How often each algorithm replaced a collective."""
    counts = {}
    for row in result.statistics["collectives"]:
        for size in row["sizes"]:
            for name, calls in size["algorithms"].items():
                counts[row["name"], name] = counts.get((row["name"], name), 0) + calls
    return counts


@unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
class Schedules(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="postage-schedules-")
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_with(self, files, name, *arguments, ranks=RANKS, **environment):
        environment["POSTAGE_SCHEDULES"] = ":".join(map(str, files))
        result = running.run(ranks, name, *arguments, environment=environment, timeout=900)
        self.assertEqual(result.status, 0, result.out[-4000:])
        return result

    def test_against_the_librarys_own(self):
        """Every type, operation, count and root; only those of the files' roots go along trees."""
        root = RANKS - 1
        files = [self.write(f"{name}.json", schedule(name, RANKS, root, segment))
                 for name, segment in (("bcast", 64), ("reduce", 0), ("gather", 0), ("scatter", 0), ("allgather", 0))]  # fmt: skip
        used = {}
        for others, arguments in (("", (EVERY,)), ("", ("random", 4, CALLS)), ("always", ("random", 4, CALLS))):
            with self.subTest(others=others, arguments=arguments):
                result = self.run_with(files, "conformance", *arguments, POSTAGE_PRELOAD=others)
                self.assertIn(", 0 mistakes on all", result.out)
                for key, calls in algorithms(result).items():
                    used[key] = used.get(key, 0) + calls
        for name in ("bcast", "reduce", "gather", "scatter", "allgather"):
            self.assertGreater(used.get((name, "tree"), 0), 0, name)

    def test_blocks_of_different_sizes(self):
        blocks = [5000, 3, 0, 70000][:RANKS]
        for root in range(RANKS):
            files = [self.write(f"{name}-{root}.json", schedule(name, RANKS, root, blocks=blocks))
                     for name in ("scatter", "gather", "allgather")]  # fmt: skip
            result = self.run_with(files, "irregular", root, *blocks)
            self.assertIn("results that are wrong: 0", result.out)
            used = algorithms(result)
            for name in ("scatterv", "gatherv", "allgatherv"):
                with self.subTest(root=root, name=name):
                    calls = used[name, "tree"] // RANKS
                    self.assertTrue(FITTING - 8 < calls <= FITTING, calls)

    def test_other_roots_are_left_alone(self):
        file = self.write("scatter.json", schedule("scatter", RANKS, 1, blocks=[10] * RANKS))
        result = self.run_with([file], "irregular", 0, *[10] * RANKS)
        self.assertNotIn(("scatterv", "tree"), algorithms(result))

    def test_files_that_do_not_fit(self):
        bcast = schedule("bcast", RANKS)
        circle = [-1, 1, 1, 1][:RANKS]
        for name, content, mention in (
            ("more.json", schedule("bcast", RANKS + 1), f"is a schedule for {RANKS + 1} ranks, and this program has {RANKS}"),
            ("circle.json", {**bcast, "down": {"parents": circle}}, "form a circle"),
            ("alltoall.json", {**bcast, "collective": "alltoall"}, "alltoall does not go along trees"),
            ("broken.json", '{"format": ', "is not valid JSON"),
            ("table.json", running.decisions(), "is not a postage-schedule file"),
        ):  # fmt: skip
            with self.subTest(name=name):
                result = self.run_with([self.write(name, content)], "repeated", 100)
                said = [line for line in result.out.splitlines() if "it is not used" in line]
                self.assertEqual(len(said), 1, result.out)
                self.assertIn(name, said[0])
                self.assertIn(mention, said[0])
                self.assertIn("sums right", result.out)

    @unittest.skipUnless(running.POSTAGE.exists(), "the postage command is not built")
    def test_run(self):
        good = self.write("good.json", schedule("bcast", RANKS))
        circle = self.write("circle.json", {**schedule("bcast", RANKS), "down": {"parents": [-1, 1, 1, 1][:RANKS]}})
        for file, mention in ((circle, "form a circle"), (circle.with_name("none.json"), "none.json")):
            command = [str(running.POSTAGE), "run", "--schedule", str(good), "--schedule", str(file), "--", "true"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(mention, done.stderr)
        good = self.write("allgather.json", schedule("allgather", RANKS, blocks=[9] * RANKS))
        command = [str(running.POSTAGE), "run", "--stats", "--schedule", str(good), "--", *running.launcher(RANKS, {})]
        command += [str(running.program("irregular")), "0", *["9"] * RANKS]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" tree", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
