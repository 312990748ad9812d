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

    def test_beyond_a_blade(self):
        # Section 6 of Ali et al.: max{3 0.311 + 0.577, 0.83 + 0.067, 3 (7.3 + 1.1)} + 0.83 + 1.51 = 27.54 us for 5 blades,
        # 1.51 + 25.2 + 2.34 us without the second overlap; max{1.51, 0.83 + 15 0.067} + 3.1 + 3 7.3 + 3.1 + 0.43 + 0.83 +
        # 1.51 = 32.705 us for 8 nodes of Roadrunner.
        blade = "[eib] L=.311us,g=.1us [bif] L=.577us,g=.2us [ppe] L=.83us,g=.067us"
        words = ["predict", "barrier", "--model", "plogp-cell", "--json", "--formula"]
        cluster = ["ali-barrier-cluster", "-P", 80, "--nodes", 5, "--per-node", 16]
        levels = ["--levels", "eib:8,bif:16,ppe:16,inter-node", "--params", f"{blade} [inter-node] L=7.3us,g=1.1us"]
        row = self.succeed(*words, *cluster, *levels).json()[0]
        self.assertAlmostEqual(row["lower"], 27.54e-6, 12)
        self.assertAlmostEqual(row["upper"], 29.05e-6, 12)
        roadrunner = ["ali-barrier-roadrunner", "-P", 256, "--nodes", 8, "--per-node", 32]
        beyond = f"{blade} [pcie] L=3.1us,g=.43us [infiniband] L=7.3us,g=0us"
        row = self.succeed(
            *words, *roadrunner, "--levels", "eib:8,bif:16,ppe:16,pcie:32,infiniband", "--params", beyond
        ).json()[0]
        self.assertAlmostEqual(row["lower"], 32.705e-6, 12)
        without = ["--levels", "eib:8,bif:16,inter-node", "--params", "L=1us,g=1us"]
        self.refuse(*words, *cluster, *without, mentions=["ali-barrier-cluster", "'ppe'", "--levels"])
        self.refuse(*words, "ali-barrier-cluster", "-P", 8, "--params", "L=1us,g=1us", mentions=["16 elements", "--per-node 16"])

    def test_bad_input(self):
        words = ["scatter", "-P", 32, "-m", "8K"]
        self.refuse("predict", *words, "--formula", "eq1", *FLAT, mentions=["eq1", "rico-gallego-eq1"])
        self.refuse("predict", *words, "--formula", "rico-gallego-eq1", *LOGGP, mentions=["taulop", "loggp"])
        self.refuse("predict", "scatter", "-P", 12, "-m", "8K", "--formula", "rico-gallego-eq1", *FLAT,
                    mentions=["rico-gallego-eq1", "power of two", "12"])  # fmt: skip
        self.refuse("predict", "p2p", "-P", 3, "-m", "8K", "--formula", "rico-gallego-exchange", *FLAT,
                    mentions=["formula rico-gallego-exchange: ", "pairs of ranks"])  # fmt: skip
        self.refuse("predict", "scan", "-P", 12, "-m", "8K", "--formula", "all", *FLAT, mentions=["scan"])


if __name__ == "__main__":
    runner.main()
