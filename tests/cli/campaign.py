"""Samples kept and estimated later, and campaigns that are interrupted, on simulated clusters."""

import json
import signal
import subprocess
import time

import runner


class Samples(runner.CliTest):
    def measure(self, samples, *words):
        platform = self.folder / "measured.json"
        self.succeed("measure", "--virtual", "flat16", "-n", 3, "--models", "all", "--samples", samples,
                     "-o", platform, *words)
        return platform.read_bytes()

    def test_estimating_again_gives_the_same_platform_bit_for_bit(self):
        samples = self.folder / "samples"
        measured = self.measure(samples)
        estimated = self.folder / "estimated.json"
        self.succeed("estimate", samples, "-o", estimated)
        self.assertEqual(estimated.read_bytes(), measured)
        self.assertEqual(json.loads(measured)["name"], "flat16")
        self.succeed("estimate", samples, "--name", "x", "-o", estimated)
        self.assertEqual(json.loads(estimated.read_text())["name"], "x")
        models = {table["model"] for table in json.loads(measured)["models"]}
        self.assertLessEqual({"hockney", "loggp", "plogp-cell", "lognp", "log3p", "mlognp", "2log23p", "taulop"},
                             models)

    def test_strided_messages_are_predicted(self):
        platform = self.folder / "measured.json"
        self.measure(self.folder / "samples")
        words = ["predict", "p2p", "--platform", platform, "-m", "4K", "--json"]
        everything = [*words, "--model", "all"]
        contiguous = {row["model"]: row["seconds"] for row in self.succeed(*everything).json()}
        strided = {row["model"]: row["seconds"] for row in self.succeed(*everything, "--stride", 64).json()}
        self.assertEqual(set(strided), {"lognp", "log3p", "mlognp", "2log23p"})
        # Packed and unpacked at 1 ns for each run of 4 bytes and each 8 bytes.
        packing = 2 * (4096 / 4 + 4096 / 8) * 1e-9
        for model, seconds in strided.items():
            self.assertAlmostEqual((seconds - contiguous[model]) / packing, 1, delta=0.01)
        self.refuse(*everything, "--stride", "1M", mentions=["strides of 1M", "--max-extrapolation"])
        chosen = self.succeed(*words, "--model", "best", "--stride", 64).json()
        self.assertEqual([row["model"] for row in chosen], ["2log23p"])
        self.refuse(*words, "--stride", 64, "--model", "hockney", mentions=["--stride", "2log23p"])
        # One hop of a collective among two ranks is a message.
        bcast = self.succeed("predict", "bcast", "--platform", platform, "-P", 2, "-m", "4K", "--stride", 64,
                             "--algorithm", "binomial", "--model", "2log23p", "--json").json()
        self.assertAlmostEqual(bcast[0]["seconds"] / strided["2log23p"], 1, delta=1e-9)

    def test_strided_collectives_are_measured_and_predicted(self):
        platform = self.folder / "measured.json"
        run = "bcast:binomial:4K"
        out = self.succeed("measure", "--virtual", "flat16", "-n", 3, "--models", "2log23p,hockney", "-o", platform,
                           "--collective", run, "--collective", run + ":run=8:stride=64", "--stride", 8).out
        self.assertIn("bcast binomial, pieces of 4 every 8 of 4K", out)
        self.assertIn("bcast binomial, pieces of 8 every 64 of 4K", out)
        words = ["validate", "--platform", platform, "--virtual", "flat16", "--sizes", "none", "-n", 3, "-o",
                 self.folder / "v.json", "--json"]
        rows = self.succeed(*words, "--collective", run + ":stride=64").json()["rows"]
        self.assertEqual([(row["model"], row["run"], row["stride"]) for row in rows], [("2log23p", 4, 64)])
        self.assertLess(abs(rows[0]["error"]), 0.01)
        self.refuse(*words, "--collective", "bcast:library:4K", mentions=["library"])
        self.refuse(*words, "--collective", run + ":stride=2", mentions=["--stride 2"])
        self.refuse(*words, "--collective", "bcast:binomial:4095:stride=64", mentions=["4095"])

    def test_says_why_predictions_miss(self):
        """LogGP with half of the latency, against collectives on some ranks, whole and stopped after steps."""
        samples = self.folder / "samples"
        ring = "allreduce:ring:"
        runs = [ring + f"{size}:ranks={ranks}" for ranks in (2, 3, 4) for size in ("64", "16K", "256K")]
        runs += [ring + f"16K:ranks=4:steps={steps}" for steps in range(1, 6)]
        hybrid = "allgather:hybrid:"
        runs += [hybrid + end for end in ("1K", "16K", "16K:steps=1")]
        words = ["measure", "--virtual", "flat16", "-n", 4, "--quick", "--held-out", 0, "--samples", samples]
        for run in runs:
            words += ["--collective", run]
        platform = self.folder / "measured.json"
        self.succeed(*words, "-o", platform)
        right = ["explain", "allreduce", "--algorithm", "ring", "--against", samples, "--platform", platform]
        self.assertIn("nothing to explain", self.succeed(*right, "--model", "loggp").out)

        gathered = ["explain", "allgather", "--algorithm", "hybrid", "--against", samples, "--platform", platform]
        found = self.succeed(*gathered, "--model", "flow", "--json").json()[0]
        self.assertEqual([len(found["collectives"]), len(found["steps"])], [2, 2])

        wrong = json.loads(platform.read_text())
        wrong["models"] = [table for table in wrong["models"] if table["model"] == "loggp"]
        for group in wrong["models"][0]["groups"]:
            if "L" in group["parameters"]:
                group["parameters"]["L"] = 0.5 * runner.value_of(group["parameters"]["L"])
        platform.write_text(json.dumps(wrong))
        found = self.succeed(*right, "--model", "loggp", "--json").json()[0]
        self.assertEqual(len(found["collectives"]), 9)
        self.assertEqual(len(found["steps"]), 6)
        latency = next(cause for cause in found["causes"] if cause["term"].startswith("L: "))
        self.assertAlmostEqual(latency["factor"], 2, delta=0.05)
        self.assertGreater(latency["explained"], 0.99)
        self.refuse("explain", "scan", "--against", samples, "--platform", platform, mentions=["--collective scan"])

    def test_two_campaigns_are_one(self):
        samples = self.folder / "samples"
        self.measure(samples, "--sizes", "1,64,4K")
        self.measure(samples, "--sizes", "16,1K,64K")
        self.assertEqual(len(list(samples.iterdir())), 2)
        joined = self.folder / "joined.json"
        self.succeed("estimate", samples, "-o", joined)
        self.refuse("estimate", samples, samples / "campaign-1.json", mentions=["campaign-1.json", "twice"])
        sizes = {point["bytes"] for point in runner.points_of(json.loads(joined.read_text()))}
        self.assertLessEqual({1, 16, 64, 1024, 4096, 65536}, sizes)

    def test_what_is_no_samples(self):
        self.refuse("estimate", self.folder / "none", mentions=["do not exist"])
        self.refuse("estimate", self.folder, mentions=["holds no samples"])
        wrong = self.folder / "wrong.json"
        wrong.write_text("{}")
        self.refuse("estimate", wrong, mentions=["wrong.json"])


class Interrupted(runner.CliTest):
    # Far more than could be measured before the test loses patience.
    LONG = ["--virtual", "multicore8x8", "--models", "all", "--passes", 1000, "--least", 1000, "--budget", "1000s"]

    def interrupt(self, platform, after):
        process = subprocess.Popen([str(runner.POSTAGE), "measure", *map(str, self.LONG), "-o", str(platform)],
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, errors)
        self.assertFalse(platform.exists(), "a platform file holds whole campaigns only")
        return errors

    def test_what_was_measured_is_kept(self):
        platform = self.folder / "p.json"
        kept = self.folder / "p.json.samples"
        for after in (2, 4, 8, 16, 32, 64):
            errors = self.interrupt(platform, after)
            if kept.exists():
                break
            self.assertIn("before anything had been measured", errors)
        self.assertIn("stopping", errors)
        self.assertIn("are kept in", errors)
        samples = json.loads((kept / "campaign-1.json").read_text())
        self.assertTrue(samples["interrupted"])
        count = sum(m.get("rows", 1) for m in samples["measurements"])
        self.assertIn(f"{count} experiments are kept", errors)
        self.succeed("estimate", kept, "-o", platform)
        found = json.loads(platform.read_text())
        self.assertGreater(len(found["points"]), 0)
        self.assertIn("hockney", {table["model"] for table in found["models"]})


if __name__ == "__main__":
    runner.main()
