"""`postage predict --what-if` and what `postage explain` says of resources."""

import runner

TWO_LEVELS = [
    "--model", "loggph", "--nodes", 4, "--per-node", 2, "--params",
    "[shared-cache] L=1us,o=1us,g=1us,G=0.1ns [inter-node] L=10us,o=1us,g=2us,G=1ns",
]
MESSAGE = ["p2p", "--src", 0, "--dst", 2, *TWO_LEVELS]


class WhatIf(runner.CliTest):
    def test_a_message_between_nodes(self):
        rows = self.succeed(
            "predict", *MESSAGE, "-m", 1000001, "--json", "--what-if", "inter-node.bandwidth=x2",
            "--what-if", "inter-node.latency=/2,inter-node.bandwidth=x4", "--what-if", "shared-cache.bandwidth=x9",
        ).json()
        self.assertEqual(
            [row.get("what_if") for row in rows],
            [None, "inter-node.bandwidth=x2", "inter-node.latency=/2,inter-node.bandwidth=x4", "shared-cache.bandwidth=x9"],
        )
        for row, microseconds in zip(rows, [1012, 512, 257, 1012]):
            self.assertAlmostEqual(row["seconds"], microseconds * 1e-6, 12)
        self.assertAlmostEqual(rows[1]["times_faster"], 1012 / 512, 9)
        self.assertNotIn("times_faster", rows[0])

    def test_more_nodes(self):
        words = ["barrier", "--algorithm", "dissemination", *TWO_LEVELS]
        rows = self.succeed("predict", *words, "--what-if", "nodes=512", "--json").json()
        self.assertEqual([row["P"] for row in rows], [8, 1024])
        self.assertGreater(rows[1]["seconds"], rows[0]["seconds"])
        self.refuse("predict", *words, "-P", 8, "--what-if", "nodes=512", mentions=["leave out -P"])
        mapping = self.folder / "mapping"
        mapping.write_text("0 0\n1 0\n")
        by_file = ["barrier", *TWO_LEVELS, "--mapping", mapping]
        self.refuse("predict", *by_file, "--what-if", "nodes=512", mentions=["mapping file"])

    def test_the_table_says_both(self):
        out = self.succeed("predict", *MESSAGE, "-m", "1M", "--what-if", "inter-node.bandwidth=x2").out
        self.assertIn("times faster", out)
        self.assertRegex(out, r"1\.98 +inter-node\.bandwidth=x2\n")
        self.assertNotIn("times faster", self.succeed("predict", *MESSAGE, "-m", "1M").out)

    def test_explain_says_which_resource_to_buy(self):
        words = ["explain", "bcast", "--algorithm", "binomial", "-m", "1M", *TWO_LEVELS]
        first = self.succeed(*words, "--json").json()[0]
        gains = first["resources"]
        self.assertEqual(gains[0]["change"], "inter-node.bandwidth=x2")
        self.assertEqual([gain["seconds"] for gain in gains], sorted(gain["seconds"] for gain in gains))
        self.assertTrue(all(gain["seconds"] < 0.99 * first["seconds"] for gain in gains))
        changed = self.succeed(*words, "--what-if", gains[0]["change"], "--json").json()
        self.assertEqual(changed[1]["what_if"], gains[0]["change"])
        self.assertAlmostEqual(changed[1]["seconds"], gains[0]["seconds"], 12)
        out = self.succeed(*words, "--what-if", "inter-node.bandwidth=x2").out
        self.assertIn("one resource twice as good:", out)
        self.assertIn("what if inter-node.bandwidth=x2:", out)

    def test_a_trace(self):
        goal = self.folder / "app.goal"
        goal.write_text("num_ranks 2\nrank 0 { l1: calc 1000\nl2: send 1000001b to 1\nl2 requires l1 }\n"
                        "rank 1 { r: recv 1000001b from 0 }\n")
        words = ["--model", "loggp", "--params", "L=10us,o=1us,g=2us,G=1ns"]
        rows = self.succeed("predict", "--trace", goal, *words, "--what-if", "all.bandwidth=x2", "--json").json()
        self.assertAlmostEqual(rows[0]["seconds"], 1013e-6, 12)
        self.assertAlmostEqual(rows[1]["seconds"], 513e-6, 12)
        self.assertAlmostEqual(rows[1]["times_faster"], 1013 / 513, 9)

    def test_bad_input(self):
        def refused(what_if, *mentions):
            self.refuse("predict", *MESSAGE, "-m", 8, "--what-if", what_if, mentions=mentions)

        refused("internode.bandwidth=x2", "internode.bandwidth", "inter-node.bandwidth", "shared-cache.latency")
        refused("processor 3.speed=x2", "processor 3.speed", "processors.speed")
        refused("inter-node.bandwidth=x0", "above 0")
        refused("inter-node.bandwidth=x1e308", "from 1e-9 to 1e9")
        refused("inter-node.bandwidth=-2", "above 0")
        refused("inter-node.bandwidth=2", "like x2")
        refused("inter-node.bandwidth", "RESOURCE=xF")
        refused("nodes=0", "number from 1")
        refused("nodes=2,nodes=3", "twice")
        refused("per-node=65537", "1 to 65536")
        self.refuse("explain", *MESSAGE, "-m", 8, "--what-if", "x.y=x2", mentions=["x.y"])
        self.refuse(
            "predict", "p2p", "--expression", "L(8K)", "--model", "taulop", "--params", "o=0,L=1us,n=2",
            "--what-if", "all.latency=x2", mentions=["--expression"],
        )


if __name__ == "__main__":
    runner.main()
