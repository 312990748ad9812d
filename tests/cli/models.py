"""`postage models`, and parameters by hand for every one of them."""

import runner


def params(model):
    return ["--model", model["name"], "--params", model["example"]]


class Models(runner.CliTest):
    def models(self):
        return self.succeed("models", "--json").json()

    def test_each_has_equation_parameters_units_and_paper(self):
        models = self.models()
        self.assertGreaterEqual(len(models), 15)
        table = self.succeed("models").out
        for model in models:
            self.assertIn(model["equation"], table)
            self.assertIn(model["source"], table)
            self.assertTrue(any(parameter["required"] for parameter in model["parameters"]))
            details = self.succeed("models", model["name"]).out
            for parameter in model["parameters"]:
                self.assertTrue(parameter["unit"] and parameter["meaning"], parameter)
                self.assertIn(parameter["meaning"], details)

    def test_one(self):
        models = self.succeed("models", "plogp", "--json").json()
        self.assertEqual([model["name"] for model in models], ["plogp"])
        shapes = {parameter["symbol"]: parameter["shape"] for parameter in models[0]["parameters"]}
        self.assertEqual((shapes["L"], shapes["g"]), ("value", "curve over m"))
        self.refuse("models", "plgp", mentions=["plgp", "plogp"])

    def test_every_example_predicts(self):
        for model in self.models():
            with self.subTest(model=model["name"]):
                places = ["--nodes", 2, "--per-node", 4] if "[" in model["example"] else []
                words = ["predict", "bcast", "--algorithm", "binomial", "-P", 8, "-m", "1K", *params(model), *places]
                row = self.succeed(*words, "--json").json()[0]
                self.assertGreater(row["seconds"], 0)
                self.assertTrue(row["lower"] == row["seconds"] == row["upper"])


class ByHand(runner.CliTest):
    TWO_LEVELS = ["--model", "loggph", "--params",
                  "[shared-cache] L=1us,o=0,g=0,G=0 [inter-node] L=10us,o=0,g=0,G=0"]  # fmt: skip

    def seconds(self, *words):
        return self.succeed("predict", *words, "--json").json()[0]["seconds"]

    def test_channels_follow_the_mapping(self):
        words = ["bcast", "--algorithm", "binomial", "-m", "8", *self.TWO_LEVELS]
        block = [*words, "--nodes", 4, "--per-node", 4]
        self.assertAlmostEqual(self.seconds(*block), 22e-6, 12)
        self.assertAlmostEqual(self.seconds(*block, "--root", 2), 31e-6, 12)  # 2 -> 10 -> 14 -> 0 -> 1

    def test_parameters_of_ranks(self):
        lmo = ["--model", "lmo", "--params", "C=1us,t=0,beta=1GB/s [processor 5] C=7us,t=0 [pair 2 5] beta=1MB/s"]
        places = ["--nodes", 3, "--per-node", 2]
        message = ["p2p", "-m", "1000", *lmo, *places]
        self.assertAlmostEqual(self.seconds(*message, "--src", 0, "--dst", 4), 3e-6, 12)
        self.assertAlmostEqual(self.seconds(*message, "--src", 5, "--dst", 4), 9e-6, 12)
        self.assertAlmostEqual(self.seconds(*message, "--src", 5, "--dst", 2), 1008e-6, 12)

    def test_intervals(self):
        row = self.succeed("predict", "p2p", "-m", "0", "--model", "hockney", "--params", "alpha=4us<5us<7us,beta=0",
                           "--json").json()[0]  # fmt: skip
        self.assertEqual((row["lower"], row["seconds"], row["upper"]), (4e-6, 5e-6, 7e-6))

    def test_extrapolation_is_flagged_and_refused(self):
        words = ["predict", "p2p", "--model", "plogp", "--params", "L=1us,o=0,g=0:1us;1K:9us"]
        self.assertFalse(self.succeed(*words, "-m", "1K", "--json").json()[0]["extrapolated"])
        self.assertTrue(self.succeed(*words, "-m", "4K", "--json").json()[0]["extrapolated"])
        self.assertIn("extrapolated", self.succeed(*words, "-m", "4K").out)
        self.refuse(*words, "-m", "64K", mentions=["64 times", "plogp", "--max-extrapolation"])
        self.succeed(*words, "-m", "64K", "--max-extrapolation", 100)
        # A get has at least 16 bytes.
        cell = ["--model", "plogp-cell", "--params", "L=16:.29us;4K:.8us,g=0", "--json"]
        row = self.succeed("predict", "bcast", "binomial-opt", "-P", 8, "-m", 1, *cell).json()[0]
        self.assertAlmostEqual(row["seconds"], 3 * 2 * 0.29e-6, 12)
        self.assertFalse(row["extrapolated"])

    def test_bad_input(self):
        words = ["predict", "bcast", "-m", "8"]
        self.refuse(*words, *self.TWO_LEVELS, "-P", 4, mentions=["--nodes", "--per-node"])
        self.refuse(*words, *self.TWO_LEVELS, "--nodes", 4, mentions=["--nodes", "--per-node"])
        loggph = [*words, "--nodes", 2, "--per-node", 2, "--model", "loggph", "--params"]
        same = "L=1us,o=0,g=0,G=0"
        self.refuse(*loggph, f"[moon] {same}", mentions=["moon", "inter-node"])
        self.refuse(*loggph, f"[shared-cache] {same} [intra-socket] {same}", mentions=["shared-cache", "intra-socket"])
        self.refuse(*loggph, f"{same} [pair 1 4] {same}", mentions=["rank 4", "0 to 3"])
        self.refuse(*loggph, "[inter-node] L=1us", mentions=["lacks o_s", "inter-node"])


if __name__ == "__main__":
    runner.main()
