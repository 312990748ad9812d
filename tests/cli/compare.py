"""`postage compare`, and predictions that are summed up round by round, as a user runs them."""

import xml.dom.minidom

import runner

LOGGP = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]


class Compare(runner.CliTest):
    def test_ranks_what_predict_says(self):
        rows = self.succeed("compare", "bcast", "-P", 16, "-m", "64K", "--segments", "0,8K", *LOGGP, "--json").json()
        self.assertEqual([row["place"] for row in rows], list(range(1, len(rows) + 1)))
        self.assertEqual(rows, sorted(rows, key=lambda row: row["seconds"]))
        self.assertEqual(rows[0]["ratio"], 1)
        for row in rows:
            words = ["--algorithm", row["algorithm"], "--segment", row["segment"]]
            alone = self.succeed("predict", "bcast", "-P", 16, "-m", "64K", *words, *LOGGP, "--json").json()[0]
            self.assertEqual(alone["seconds"], row["seconds"])
        self.assertEqual({row["segment"] for row in rows}, {0, 8192})

    def test_a_range_is_drawn(self):
        drawing = self.folder / "b.svg"
        out = self.succeed("compare", "bcast", "-P", 16, "-m", "1K:1M:x4", *LOGGP, "--svg", drawing, "--top", 1).out
        self.assertEqual(out.count("1.00x"), 6)
        curves = [
            path
            for path in xml.dom.minidom.parse(str(drawing)).getElementsByTagName("path")
            if path.getAttribute("class") == "curve"
        ]
        rows = self.succeed("compare", "bcast", "-P", 16, "-m", "1K", *LOGGP, "--json").json()
        self.assertEqual(len(curves), len({row["algorithm"] for row in rows}))

    def test_bad_input(self):
        self.refuse("compare", "p2p", "-m", "1K", *LOGGP, mentions=["predict p2p"])
        self.refuse("compare", "bcast", "-P", 4, "-m", "1K", "--segments", "x", *LOGGP, mentions=["x"])
        self.refuse("compare", "bcast", "-P", 4, "-m", "1K", "--set", "radix", *LOGGP, mentions=["radix=4"])


class Rounds(runner.CliTest):
    def test_a_million_ranks(self):
        words = ["bcast", "--algorithm", "binomial", "-P", 1 << 22, "-m", "64K", *LOGGP]
        row = self.succeed("predict", *words, "--json").json()[0]
        self.assertEqual(row["evaluator"], "rounds")
        self.assertAlmostEqual(row["seconds"] / (22 * (7e-6 + 65535e-9)), 1, 12)
        self.assertIn("+", self.succeed("predict", *words).out)

    def test_both_evaluators_agree_on_a_tree(self):
        words = ["predict", "bcast", "--algorithm", "binomial", "-P", 64, "-m", "64K", *LOGGP, "--json"]
        by_name = {
            name: self.succeed(*words, "--evaluator", name).json()[0]["seconds"] for name in ("timeline", "rounds")
        }
        self.assertAlmostEqual(by_name["timeline"] / by_name["rounds"], 1, 12)
        self.refuse(*words, "--evaluator", "guess", mentions=["timeline", "rounds"])

    def test_explanation_adds_up(self):
        words = ["bcast", "--algorithm", "binomial", "-P", 16, "-m", "1M", "--segment", "64K", *LOGGP]
        row = self.succeed("explain", *words, "--evaluator", "rounds", "--json").json()[0]

        def check(part):
            if part["parts"]:
                self.assertAlmostEqual(sum(p["seconds"] for p in part["parts"]) / part["seconds"], 1, 9)
            for inner in part["parts"]:
                check(inner)

        check(row["explanation"])
        self.assertIn("further segments", self.succeed("explain", *words, "--evaluator", "rounds").out)


if __name__ == "__main__":
    runner.main()
