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


class Escalations(runner.CliTest):
    """By hand from LMO's equation 9: 8 (C + t M) + M/beta + kappa_1 M for 16K, and 200 ms more in one gather of ten."""

    PARAMS = "C=50us,t=5ns,beta=100MB/s,S=64K,M_1=4K,M_2=66K,kappa_1=3ns,kappa_2=20ns,E_1=200ms,f_1=0.1"
    WORDS = ["gather", "-P", 8, "-m", "16K", "--model", "lmo", "--params", PARAMS]

    def check_levels(self, row):
        self.assertAlmostEqual(row["seconds"], 1268.352e-6, 12)
        self.assertTrue(row["may_escalate"])
        self.assertEqual(row["escalating_rounds"], 1)
        self.assertAlmostEqual(row["escalations"][0]["seconds"], 0.201268352, 12)
        self.assertEqual(row["escalations"][0]["share"], 0.1)
        self.assertAlmostEqual(row["upper"], 0.2 + 3321.44e-6, 12)

    def test_are_told(self):
        for command in ("predict", "explain"):
            words = [command, *self.WORDS, "--algorithm", "linear"]
            self.check_levels(self.succeed(*words, "--json").json()[0])
            self.assertIn("201.3 ms in 10 % of gathers", self.succeed(*words).out)

    def test_what_may_escalate_is_not_recommended(self):
        rows = self.succeed("compare", *self.WORDS, "--json").json()
        self.assertEqual(rows[0]["algorithm"], "binomial")
        self.assertTrue(rows[0]["recommended"])
        self.assertFalse(rows[0]["may_escalate"])
        self.assertEqual(rows[-1]["algorithm"], "linear")
        self.assertLess(rows[-1]["seconds"], rows[0]["seconds"])
        self.check_levels(rows[-1])
        out = self.succeed("compare", *self.WORDS).out
        self.assertIn("not recommended at 16K: linear", out)
        only = self.succeed("compare", *self.WORDS, "--algorithm", "linear")
        self.assertIn("no candidate at 16K is recommended", only.out)
        self.assertIn("cannot escalate", self.succeed("explain", *self.WORDS, "--algorithm", "linear").out)

    def test_a_million_ranks(self):
        words = ["predict", "--algorithm", "linear", "-P", 1 << 20, "--model", "lmo", "--params", self.PARAMS, "--json"]
        n = (1 << 20) - 1
        scatter = self.succeed(*words, "scatter", "-m", "150K").json()[0]["seconds"]
        self.assertAlmostEqual(scatter / (n * 3172e-6), 1, 9)
        gather = self.succeed(*words, "gather", "-m", "150K").json()[0]["seconds"]
        self.assertAlmostEqual(gather / (n * 3172e-6 + 3072e-6), 1, 9)


if __name__ == "__main__":
    runner.main()
