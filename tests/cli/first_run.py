"""What a first run prints: a summary of what was measured, and what the preload library gains."""

import json

import runner

SIMULATED = ["measure", "--virtual", "flat16", "-n", 3, "--models", "hockney,loggp", "--sizes", "1:64K:x16", "--train-sizes", "1"]


class Summary(runner.CliTest):
    def test_measure_prints_what_one_wants_to_know(self):
        platform = self.folder / "p.json"
        out = self.succeed(*SIMULATED, "-o", platform).out
        labels = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(labels, ["Simulated", "Latency", "Bandwidth", "Trust", "wrote"])
        self.assertNotIn("alpha=", out)

    def test_a_platform_file_that_nobody_named_is_not_replaced(self):
        platform = self.folder / "platform.json"
        self.succeed(*SIMULATED, "--samples", "samples", cwd=self.folder)
        first = platform.read_bytes()
        for words in (SIMULATED, ["estimate", "samples"]):
            with self.subTest(words=words):
                self.refuse(*words, "--name", "other", cwd=self.folder, mentions=["platform.json exists", "--force", "--output"])
                self.assertEqual(platform.read_bytes(), first)
                for how in (["--force"], ["-o", "platform.json"]):
                    out = self.succeed(*words, "--name", "other", *how, cwd=self.folder).out
                    self.assertRegex(out, r"(?m)^replaced platform\.json")
                    self.assertEqual(json.loads(platform.read_text())["name"], "other")
                    platform.write_bytes(first)
        self.succeed("measure", "--dry-run", "-n", 2, cwd=self.folder)  # writes nothing

    def test_parameters_come_when_asked_for(self):
        out = self.succeed(*SIMULATED, "--parameters", "-o", self.folder / "p.json").out
        self.assertRegex(out, r"(?m)^hockney +inter-node +0 +alpha=")
        self.assertRegex(out, r"\ASimulated ")

    def test_report_says_the_same(self):
        platform = self.folder / "p.json"
        measured = self.succeed(*SIMULATED, "-o", platform).out.splitlines()[:4]
        reported = self.succeed("report", "--platform", platform, "-o", self.folder / "r.html").out.splitlines()
        squeezed = [" ".join(line.split()) for line in reported]
        self.assertEqual([" ".join(line.split()) for line in measured], squeezed[:4])
        self.assertTrue(squeezed[4].startswith("Algorithms predicted bcast "))
        self.assertEqual(len(squeezed), 6)

    def test_other_files_are_refused_by_name(self):
        platform = self.folder / "p.json"
        self.succeed(*SIMULATED, "-o", platform)
        for option in ("--decisions", "--gains", "--profile", "--comparison"):
            with self.subTest(option=option):
                self.refuse("report", "--platform", platform, option, platform, "-o", self.folder / "r.html", mentions=["p.json"])
        self.assertFalse((self.folder / "r.html").exists())


class PreloadGains(runner.CliTest):
    def test_every_collective_is_timed_and_written(self):
        path = self.folder / "gains.json"
        out = self.succeed("bench", "--preload", "--sizes", "8,64", "-o", path, timeout=300).out
        gains = json.loads(path.read_text())
        self.assertEqual((gains["format"], gains["version"], gains["ranks"]), ("postage-preload-gains", 1, 2))
        cells = {(c["collective"], c["bytes"]) for c in gains["cells"]}
        self.assertEqual(len(cells), len(gains["cells"]))
        self.assertLessEqual({("barrier", 8), ("allreduce", 8), ("allreduce", 16), ("allreduce", 64), ("exscan", 64)}, cells)
        self.assertEqual({size for _, size in cells}, {8, 16, 32, 64})
        for cell in gains["cells"]:
            self.assertGreater(cell["library_seconds"], 0)
            self.assertLessEqual(cell["lower"], cell["speedup"])
            self.assertLessEqual(cell["speedup"], cell["upper"])
        self.assertRegex(out, r"(?m)^allreduce +\d+\.\d\d ")

    def test_what_cannot_be_timed_is_refused(self):
        self.refuse("bench", "--preload", "--mpi", "lam", mentions=["--mpi lam"])
        self.refuse("bench", "--preload", "--sizes", "12,64", mentions=["12", "power of two"])
        self.refuse("bench", "--mpi", "openmpi", mentions=["--preload"])


runner.main()
