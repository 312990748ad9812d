"""The papers' printed formulas: `postage models --formulas` and `postage predict --formula`."""

import runner

FLAT = ["--model", "taulop", "--params", "o=0,L=2us,n=2,S=8K"]
LOGGP = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]


class Formulas(runner.CliTest):
    def test_list(self):
        formulas = self.succeed("models", "--formulas", "--json").json()
        self.assertEqual(
            set(formulas[0]), {"name", "collective", "algorithm", "models", "source", "equation", "conditions"}
        )
        table = self.succeed("models", "--formulas").out
        for formula in formulas:
            self.assertIn(formula["name"], table)

    def test_beside_the_evaluator(self):
        words = ["-P", 32, "-m", "8K", *FLAT, "--json"]
        row = self.succeed("predict", "scatter", "--formula", "rico-gallego-eq1", *words).json()[0]
        self.assertAlmostEqual(row["lower"], 62e-6, 12)
        self.assertAlmostEqual(row["seconds"], 72e-6, 12)
        row = self.succeed("predict", "allgather", "--formula", "rico-gallego-eq3", *words).json()[0]
        self.assertAlmostEqual(row["upper"], 124e-6, 12)
        self.assertAlmostEqual(row["seconds"], 124e-6, 12)
        self.assertIn("124 us", self.succeed("predict", "allgather", "--formula", "all", *words[:-1]).out)

    def test_segments_of_a_message(self):
        words = ["p2p", "-m", "64K", "--segment", "8K", *LOGGP, "--json"]
        self.assertAlmostEqual(self.succeed("predict", *words).json()[0]["seconds"], 86.528e-6, 12)
        self.assertAlmostEqual(self.succeed("explain", *words).json()[0]["seconds"], 86.528e-6, 12)
        rows = self.succeed("predict", *words, "--formula", "rico-gallego-loggp-segments").json()
        self.assertAlmostEqual(rows[0]["lower"], 86.528e-6, 12)
        self.assertAlmostEqual(rows[0]["seconds"], 86.528e-6, 12)

    def test_strides(self):
        # 4K of 4-byte pieces every 8 bytes: o_mw = 4.5, l_mw = 5.25, o_net = 52.5 us; P = 64 linear: 64 (2.25 + 2.625) + 52.5.
        params = "o_mw=0:2us;16K:12us,l_mw=0/8:1us;16K/8:18us,o_net=0:20us;16K:150us"
        words = ["-m", "4K", "--stride", "8", "--model", "log3p", "--params", params, "--json"]
        row = self.succeed("predict", "p2p", "--formula", "tu-eq3", *words).json()[0]
        self.assertAlmostEqual(row["lower"], 62.25e-6, 12)
        self.assertAlmostEqual(row["seconds"], 62.25e-6, 12)
        row = self.succeed("predict", "bcast", "-P", "64", "--formula", "tu-linear-log3p", *words).json()[0]
        self.assertAlmostEqual(row["lower"], 364.5e-6, 12)
        self.assertAlmostEqual(row["seconds"], 364.5e-6, 12)

    def test_bad_input(self):
        words = ["scatter", "-P", 32, "-m", "8K"]
        self.refuse("predict", *words, "--formula", "eq1", *FLAT, mentions=["eq1", "rico-gallego-eq1"])
        self.refuse("predict", *words, "--formula", "rico-gallego-eq1", *LOGGP, mentions=["taulop", "loggp"])
        self.refuse("predict", "scatter", "-P", 12, "-m", "8K", "--formula", "rico-gallego-eq1", *FLAT,
                    mentions=["rico-gallego-eq1", "power of two", "12"])  # fmt: skip
        self.refuse("predict", "scan", "-P", 12, "-m", "8K", "--formula", "all", *FLAT, mentions=["scan"])


if __name__ == "__main__":
    runner.main()
