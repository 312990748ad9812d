"""Shared memory as the command line sees it: measuring it, comparing it, and what goes wrong."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

import jsonschema

import runner

QUICK = ["--sizes", "1:64K:x16", "--train-sizes", "1", "--budget", "1s"]
SIZES = ["eager", "single_copy", "cooperative", "skewed_single_copy", "bidirectional_single_copy"]


class MeasureShm(runner.CliTest):
    def test_thresholds_come_with_the_platform_and_are_used(self):
        path = self.folder / "shm.json"
        result = self.succeed("measure", "--shm", "-n", 2, *QUICK, "-o", path, timeout=300)
        self.assertIn("single copy from", result.out)
        platform = json.loads(path.read_text())
        self.assertEqual(platform["implementation"], "postage shm")
        self.assertLessEqual({"hockney", "loggp"}, {model["model"] for model in platform["models"]})
        measured = platform["shm_protocols"]
        self.assertTrue({row["level"] for row in measured} <= {"shared-cache", "intra-socket", "inter-socket"})
        for row in measured:
            self.assertIn(row["buffers"], ["rewritten", "reused"])
            self.assertLessEqual(row["single_copy"], row["cooperative"])
            self.assertLessEqual(row["single_copy"], row["skewed_single_copy"])
            self.assertTrue(all(row[size] >= 0 for size in SIZES))
        # So few sizes are not enough for every model.
        platform["models"] = [model for model in platform["models"] if model["model"] in ("hockney", "loggp")]
        path.write_text(json.dumps(platform))
        words = ["validate", "--platform", path, "--shm", "--sizes", "48,3K", "-o", self.folder / "validation.json"]
        words += ["--collective", "barrier:dissemination:0"]
        self.succeed(*words, "--budget", "1s", timeout=300)
        platform["shm_protocols"][0]["cooperative"] = 0
        platform["shm_protocols"][0]["single_copy"] = 1
        path.write_text(json.dumps(platform))
        self.refuse(*words, "--budget", "1s", status=1, mentions=["cooperative 0"])

    def test_links_are_looked_at_where_each_rank_has_a_core(self):
        cores = len(os.sched_getaffinity(0))
        for ranks in (cores, cores + 1):
            samples = self.folder / f"samples{ranks}"
            few = ["--sizes", "8", "--models", "hockney", "--held-out", 0, "--budget", "1s", "--samples", samples]
            self.succeed("measure", "--shm", "-n", ranks, *few, "-o", self.folder / f"{ranks}.json", timeout=300)
            texts = [path.read_text() for path in samples.iterdir()]
            self.assertEqual(any('"links"' in text for text in texts), 1 < ranks <= cores, ranks)

    def test_messages_that_no_memory_holds_are_refused(self):
        for where in (["--shm", "-n", 2], ["--virtual", "flat16", "-n", 2], ["--mpi", "openmpi", "-n", 2]):
            words = ["measure", *where, "--sizes", "1024T", "-o", self.folder / "p.json"]
            self.refuse(*words, status=1, mentions=["no memory for messages of 1024T"])

    def test_other_launchers_are_refused(self):
        for further in (["--mpi", "openmpi"], ["--launcher", "srun"], ["--virtual", "flat16"], ["--lab", "lab"]):
            self.refuse("measure", "--shm", *further, mentions=["--shm" if "flat16" in further else further[0]])


class Bench(runner.CliTest):
    QUICK = ["--repetitions", 1, "--seconds", "1ms", "--sizes", "8,64K"]

    def test_every_program_takes_part_in_every_experiment(self):
        path, images = self.folder / "bench.json", self.folder / "images"
        document = self.folder / "shm.md"
        marks = ["<!-- measured by postage bench -->", "<!-- end of what was measured -->"]
        document.write_text(f"before\n{marks[0]}\nold\n{marks[1]}\nafter\n")
        words = ["bench", *self.QUICK, "--computations", "1,2", "-o", path, "--images", images, "--into", document]
        result = self.succeed(*words, timeout=300)
        bench = json.loads(path.read_text())
        jsonschema.validate(bench, json.loads((runner.SOURCE / "share" / "message-bench.schema.json").read_text()))
        self.assertEqual((bench["format"], bench["version"], len(bench["repetitions"])), ("postage-message-bench", 2, 1))
        self.assertEqual(len(bench["rows"]), 9 * 2)
        self.assertEqual({row["line"] for row in bench["rows"]}, {bench["repetitions"][0]["line_least"]})
        programs = {time["program"] for time in bench["repetitions"][0]["times"]}
        self.assertLessEqual({"shm", "shm-no-cma", "shm-single-copy", "shm-skew-aware", "limits"}, programs)
        for row in bench["rows"]:
            left_out = {"limits"} if row["experiment"] == "skew" else {"limits", "shm-skew-aware"}
            self.assertEqual(set(row["medians"]), programs - left_out, row)
            self.assertTrue(all(seconds > 0 for seconds in row["medians"].values()), row)
            self.assertEqual(row["to_best"] is None, programs.isdisjoint({"openmpi", "mpich"}), row)
        self.assertEqual(len(list(images.glob("shm-*.svg"))), 9)
        for image in images.iterdir():
            xml.etree.ElementTree.parse(image)
        written = document.read_text()
        self.assertIn("### skew", written)
        self.assertNotIn("old", written)
        self.assertTrue(written.startswith("before\n") and written.endswith("after\n"))
        self.assertIn("### bandwidth", result.out)

    def test_cache_misses_are_those_of_further_messages(self):
        valgrind = self.folder / "valgrind"
        # Says that each window of messages misses 640 times, on top of 1000, and does not run it: to start the jobs of
        # one MPI takes long enough.
        valgrind.write_text(
            """#!/bin/sh
tool=$1 sim=$2 out=$3; shift 3
for last; do :; done
misses=$((1000 + 640 * ${last#x}))
name=$(echo "${out#--cachegrind-out-file=}" | sed s/%p/$$/)
printf 'events: Ir D1mr D1mw DLmr DLmw\\nsummary: 9 %d 0 0 %d\\n' $misses $((misses / 10)) > "$name"
test -x "$1"
"""
        )
        valgrind.chmod(0o755)
        # Without Open MPI, whose launcher looks for programs beside itself first, and would find the real one.
        tools = self.folder / "tools"
        tools.mkdir()
        for folder in map(pathlib.Path, os.environ["PATH"].split(":")):
            for tool in folder.iterdir() if folder.is_dir() else []:
                if "openmpi" not in tool.name and tool.name not in ("mpirun", "mpiexec", "valgrind"):
                    (tools / tool.name).unlink(missing_ok=True)
                    (tools / tool.name).symlink_to(tool)
        environment = {"PATH": f"{self.folder}:{tools}"}
        words = ["bench", "--repetitions", 1, "--seconds", "1ms", "--sizes", "8", "--experiment", "bandwidth"]
        result = self.succeed(*words, "--cache-misses", "--json", timeout=300, environment=environment)
        misses = [row for row in result.json()["cache_misses"] if row["program"] == "shm"]
        self.assertEqual([row["bytes"] for row in misses], [1024, 16384, 262144])
        for row in misses:
            self.assertAlmostEqual(row["first_level"], 10)
            self.assertAlmostEqual(row["last_level"], 1)
        self.refuse(*words, "--cache-misses", status=1, mentions=["valgrind"], environment={"PATH": str(tools)})

    def test_programs_run_in_a_simulator_of_caches(self):
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed")
        for program in ("postage-bench-shm", "postage-bench-shm-traced"):
            words = ["valgrind", "--tool=none", "-q", runner.BUILD / "bin" / program, "2", "bandwidth", "1024", "x1"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("bandwidth 1024", done.stdout)

    def test_pairs_by_locality_level(self):
        self.refuse("bench", "--pairs", "inter-node", mentions=["inter-node", "shared-cache"])
        self.refuse("bench", "--pairs", "shared-cache", "-n", 2, mentions=["--pairs", "--ranks"])
        words = ["bench", "--repetitions", 1, "--seconds", "1ms", "--sizes", "1K", "--experiment", "bandwidth-no-reuse"]
        levels = {}
        for level in ("shared-cache", "intra-socket", "inter-socket"):
            result = runner.postage(*words, "--pairs", level, "--json", timeout=300)
            if result.status == 0:
                levels[level] = result.json()
            else:
                self.assertEqual(result.status, 2, result.err)
                self.assertIn("no two cores of this machine", result.err)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertTrue(levels)
        for level, bench in levels.items():
            self.assertEqual((bench["pairs"], bench["ranks"] % 2), (level, 0))
            self.assertIn("shm-single-copy", bench["rows"][0]["medians"])

    def test_an_interruption_ends_it_whatever_runs(self):
        # A program that fails is left out of its repetition; one that was stopped because somebody wants it all to stop is not.
        there = self.folder / "there"
        program = self.folder / "bin" / "postage-bench-openmpi"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\ntouch {there}\nsleep 60\n")
        program.chmod(0o755)
        output = self.folder / "bench.json"
        words = ["bench", "--repetitions", "2", "--seconds", "1ms", "--sizes", "8", "--experiment", "latency", "-o", str(output)]
        process = subprocess.Popen([str(runner.POSTAGE), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "POSTAGE_LIBEXEC": str(program.parent)})
        while not there.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("was interrupted", errors)
        self.assertFalse(output.exists())

    def test_several_pairs(self):
        words = ["bench", *self.QUICK, "-n", 4, "--experiment", "bandwidth", "--json"]
        rows = self.succeed(*words, timeout=300).json()["rows"]
        self.assertEqual([row["experiment"] for row in rows], ["bandwidth"] * 2)

    def test_invalid_options_are_refused(self):
        self.refuse("bench", "--experiment", "telepathy", mentions=["telepathy", "skew"])
        self.refuse("bench", "-n", 3, mentions=["even"])
        self.refuse("bench", "-n", 4, "--experiment", "latency", mentions=["2 ranks"])
        self.refuse("bench", "--sizes", "0,8", mentions=["at least one byte"])
        document = self.folder / "shm.md"
        document.write_text("nothing here\n")
        self.refuse("bench", "--into", document, mentions=[str(document), "measured by postage bench"])


if __name__ == "__main__":
    runner.main()
