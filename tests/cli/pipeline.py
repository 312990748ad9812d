"""measure -> predict -> validate -> report on a simulated cluster, and what happens when measuring fails."""

import json
import os
import signal
import stat
import subprocess

import runner

QUICK = ["--virtual", "flat16", "-n", 4, "--sizes", "1:64K:x16", "--train-sizes", "1"]


class Pipeline(runner.CliTest):
    def measure(self, name):
        path = self.folder / name
        self.succeed("measure", *QUICK, "-o", path)
        return path

    def test_all_stages(self):
        platform = self.measure("p.json")
        self.assertEqual(platform.read_bytes(), self.measure("again.json").read_bytes())
        rows = self.succeed("predict", "bcast", "-m", "1K", "--platform", platform, "--model", "all", "--json").json()
        models = {row["model"] for row in rows}
        expected = ["hockney", "logp", "loggp", "loggps", "loggph", "loggpc", "lopc", "plogp", "plogp-cell", "lmo",
                    "lognp", "log3p", "mlognp", "2log23p", "taulop", "flow"]
        self.assertEqual(models, set(expected))
        self.assertEqual({row["P"] for row in rows}, {4})
        self.assertFalse(any(row["extrapolated"] for row in rows))
        self.check_choice_of_models(platform, models)
        words = ["predict", "p2p", "-m", "1G", "--platform", platform]
        self.refuse(*words, mentions=["--max-extrapolation", "1G"])
        far = self.succeed(*words, "--max-extrapolation", 1e6)
        self.check_leaving_out(platform)
        self.assertIn("extrapolated", far.out)

        self.refuse("validate", "--platform", platform, mentions=["p.json", "simulated cluster", "--virtual"])
        self.refuse("predict", "bcast", "-m", 8, "--platform", platform, "--nodes", 8, "--per-node", 2,
                    mentions=["has 1 core: give --per-node 1"])  # fmt: skip
        validation = self.folder / "v.json"
        words = ["validate", "--platform", platform, "--virtual", "flat16", "-n", 4, "-o", validation]
        words += ["--sizes", "48,3K", "--collective", "bcast:pipeline:32", "--collective", "barrier:dissemination:0"]
        summary = self.succeed(*words).out
        self.assertEqual(len([line for line in summary.splitlines() if line.startswith("lmo ")]), 1)
        details = self.succeed(*words, "--details").out
        self.assertEqual(len([line for line in details.splitlines() if line.startswith("lmo ")]), 3)
        rows = json.loads(validation.read_text())["rows"]
        messages = [row for row in rows if row["collective"] == "p2p"]
        self.assertEqual(len(messages), 6 * 2 * len(models))
        for row in rows:
            # LogP knows small messages only; PLogP's gap is the slowest stage of a message, not all of them.
            is_message = row["collective"] == "p2p" and row["model"] not in ("logp", "lopc", "plogp")
            if is_message or row["model"] in ("hockney", "loggp", "loggps", "loggph", "lmo", "mlognp", "2log23p"):
                self.assertLess(abs(row["error"]), 0.01, row)
        self.refuse(*words[:9], "--sizes", "16", mentions=["fitted"])

        report = self.folder / "r.html"
        self.succeed("report", "--platform", platform, "--validation", validation, "-o", report)
        self.assertIn("<!doctype html>", report.read_text())

    def check_choice_of_models(self, platform, models):
        """One model by default, which is said; several by their names."""
        words = ["predict", "bcast", "-m", "1K", "--platform", platform]
        default = self.succeed(*words)
        self.assertIn(f"flow, the most accurate of {len(models)} models", default.err)
        self.assertEqual({row["model"] for row in self.succeed(*words, "--json").json()}, {"flow"})
        self.assertEqual(self.succeed(*words, "--model", "flow").err, "")
        several = self.succeed(*words, "--model", "loggp,lmo", "--json").json()
        self.assertEqual({row["model"] for row in several}, {"loggp", "lmo"})
        one = self.succeed(*words, "--algorithm", "binomial", "--json").json()[0]
        explained = self.succeed("explain", *words[1:], "--algorithm", "binomial", "--json").json()[0]
        self.assertEqual((explained["seconds"], explained["evaluator"]), (one["seconds"], "flows"))
        self.assertIn("as flows", self.succeed("explain", *words[1:], "--algorithm", "binomial").out)
        self.refuse(*words, "--model", "loggp,logg", mentions=["logg", "loggps"])

    def check_leaving_out(self, platform):
        """A model that does not know messages of a size leaves the others alone."""
        content = json.loads(platform.read_text())
        content["models"][0]["fit"]["largest_bytes"] = 64
        narrow = self.folder / "narrow.json"
        narrow.write_text(json.dumps(content))
        words = ["predict", "p2p", "-m", "64K", "--platform", narrow]
        result = self.succeed(*words, "--model", "all", "--json")
        self.assertRegex(result.err, r"\Apostage: left out hockney: .*1024 times.*\n\Z")
        self.assertNotIn("hockney", {row["model"] for row in result.json()})
        self.refuse(*words, "--model", "hockney", mentions=["1024 times", "hockney"])

    def test_more_ranks_than_places(self):
        platform = self.measure("p.json")
        self.refuse("predict", "bcast", "-P", 5, "-m", "1K", "--platform", platform, mentions=["4 ranks", "P is 5"])
        words = ["predict", "bcast", "-P", 64, "-m", "1K", "--platform", platform, "--nodes", 64, "--per-node", 1, "--json"]
        self.assertEqual(self.succeed(*words).json()[0]["P"], 64)
        self.refuse(*words[:-2], 2, mentions=["slot 1"])


class Failures(runner.CliTest):
    def program(self, text):
        """A folder with a measuring program of our own making."""
        path = self.folder / "bin" / "postage-measure-openmpi"
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return {"POSTAGE_LIBEXEC": str(path.parent)}

    def measure_failing(self, environment, *more, **options):
        output = self.folder / "p.json"
        result = self.refuse("measure", "--mpi", "openmpi", "--launcher", "env", "-o", output, *more,
                             environment=environment, **options)
        self.assertFalse(output.exists())
        self.assertEqual([p for p in self.folder.iterdir() if p.suffix == ".tmp"], [])
        return result

    def test_a_job_that_dies(self):
        self.measure_failing(self.program("echo rank 1 lost >&2; exit 7"), status=1, mentions=["rank 1 lost", "7"])

    def test_a_job_that_writes_nothing(self):
        self.measure_failing(self.program("exit 0"), status=1, mentions=["no samples"])

    def test_no_mpi(self):
        result = runner.postage("measure", "--mpi", "mpich", "-o", self.folder / "p.json", environment={"PATH": "/nowhere"})
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"\Apostage: .*(not on the PATH|was not built).*\n\Z")

    def test_bad_options(self):
        self.refuse("measure", "--virtual", "moon", mentions=["mixed16"])
        self.refuse("measure", "--virtual", "no.xml", mentions=["no.xml"])
        self.refuse("measure", "--mpi", "lam", mentions=["openmpi"])
        self.refuse("measure", "--hostfile", "/no/hosts", mentions=["/no/hosts"])
        self.refuse("measure", "-n", 0)
        self.refuse("measure", "--virtual", "flat16", "--sizes", "8Q", mentions=["--sizes: '8Q'"])

    def test_interrupt_leaves_nothing(self):
        environment = {**os.environ, **self.program("setsid sleep 4321.125 & sleep 4321.125")}
        output = self.folder / "p.json"
        process = subprocess.Popen(
            [str(runner.POSTAGE), "measure", "--mpi", "openmpi", "--launcher", "env", "-o", str(output)],
            env=environment, stderr=subprocess.PIPE, text=True)
        self.wait_for(lambda: self.sleepers() == 2)
        process.send_signal(signal.SIGINT)
        # The first asks the ranks to end, which these cannot hear; the second gives them up.
        self.assertIn("stopping", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("was interrupted", errors)
        self.assertEqual(self.sleepers(), 0)
        self.assertFalse(output.exists())

    def sleepers(self):
        found = subprocess.run(["ps", "-eo", "args"], stdout=subprocess.PIPE, text=True).stdout.splitlines()
        return sum(line == "sleep 4321.125" for line in found)

    def wait_for(self, condition):
        self.assertTrue(runner.wait_for(condition), "did not happen within two minutes")


if __name__ == "__main__":
    runner.main()
