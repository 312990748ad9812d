"""The quick accuracy suite on simulated platforms: the table, the page, and how good the best model has to be.

All eight platforms, and a second run to compare with the first, take minutes: only with POSTAGE_EXHAUSTIVE=1.
"""

import os
import unittest

import runner

EXHAUSTIVE = os.environ.get("POSTAGE_EXHAUSTIVE") == "1"

# On two platforms that share nothing and everything: a model that charges messages as if alone fails on the second.
BOUNDS = {"flat16": (0.001, 0.005, 0.02), "multi4x8": (0.02, 0.08, 0.3)}


class Accuracy(runner.CliTest):
    def suite(self, *arguments):
        return self.succeed(
            "validate", "--suite", "quick", "-o", self.folder / "accuracy.json", *arguments, timeout=3000
        )

    def test_flows_predict_collectives_that_nothing_was_fitted_to(self):
        platforms = () if EXHAUSTIVE else ("--on", ",".join(BOUNDS))
        result = self.suite(*platforms, "--json", "--page", self.folder).json()
        if EXHAUSTIVE:
            self.assertEqual(len(result["platforms"]), 8)
        # Nothing is missing but what takes too long to simulate.
        self.assertEqual([text for text in result["left_out"] if "take too long to simulate" not in text], [])
        for platform, (median, high, worst) in BOUNDS.items():
            errors = sorted(
                abs(point["predicted"]["flow"] / point["measured"] - 1)
                for point in result["points"]
                if point["platform"] == platform
            )
            self.assertGreater(len(errors), 100)
            self.assertLess(errors[len(errors) // 2], median, platform)
            self.assertLess(errors[len(errors) * 95 // 100], high, platform)
            self.assertLess(errors[-1], worst, platform)
        best = next(model for model in result["models"] if model["model"] == "flow")
        self.assertEqual(best["median_regret"], 0)
        if not EXHAUSTIVE:  # on platforms whose times scatter, the regret does too
            self.assertLess(best["percentile95_regret"], 0.02)
        alone = next(model for model in result["models"] if model["model"] == "loggp")
        self.assertGreater(alone["percentile95"], best["percentile95"])
        page = (self.folder / "accuracy.md").read_text()
        for text in ("| `flow` |", "multi4x8", "2log_{2,3}P", "images/accuracy-errors.svg"):
            self.assertIn(text, page)
        self.assertIn("<svg", (self.folder / "images" / "accuracy-scatter.svg").read_text())

    @unittest.skipUnless(EXHAUSTIVE, "runs a platform twice: POSTAGE_EXHAUSTIVE=1")
    def test_repeats_bit_for_bit(self):
        first = self.suite("--on", "flat16", "--json").out
        self.assertEqual(first, self.suite("--on", "flat16", "--json").out)

    def test_refuses_unknown_platforms_and_scales(self):
        self.refuse("validate", "--suite", "quick", "--on", "flat17", mentions=("flat17", "flat16", "multi8x8", "lab"))
        self.refuse("validate", mentions=("--platform", "--suite"))


if __name__ == "__main__":
    runner.main()
