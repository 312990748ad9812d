"""`postage predict`, `explain` and `schedule` as a user runs them."""

import json
import math
import xml.dom.minidom

import runner

LOGGP = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]


class Calls(runner.CliTest):
    def test_a_root_that_waits_for_its_sends_lets_the_far_half_go_on(self):
        """By hand: L + m G twice; else the root's card carries both messages at once, and rank 2 passes on afterwards."""
        flow = ["-P", 4, "-m", 1000000, "--model", "flow", "--params", "L=10us,o=0,G=1ns,S=1K,B_send=1e9"]
        seconds = lambda calls: self.succeed("predict", "bcast", "binomial", *flow, "--calls", calls, "--json").json()[0]["seconds"]
        self.assertAlmostEqual(seconds("blocking"), 2020e-6, delta=1e-6)
        self.assertAlmostEqual(seconds("overlapping"), 3020e-6, delta=1e-6)
        self.refuse("predict", "bcast", "binomial", *flow, "--calls", "eager", mentions=["overlapping, blocking-sends"])


class ChosenModel(runner.CliTest):
    def platform_on_which(self, model, name):
        """A platform whose held-out collectives are told exactly by one of its models, and three times too long by the others."""
        measured = self.folder / "measured.json"
        if not measured.exists():
            self.succeed("measure", "--virtual", "flat16", "-n", 4, "--quick", "-o", measured)
        platform = json.loads(measured.read_text())
        truth = [runner.value_of(one["measured"]) for one in platform["held_out"]["collectives"]]
        for one in platform["held_out"]["predictions"]:
            one["seconds"] = [seconds * (1 if one["model"] == model else 3) for seconds in truth]
        path = self.folder / name
        path.write_text(json.dumps(platform))
        return path

    def test_traces_are_played_by_the_model_that_predicts_collectives(self):
        goal = self.folder / "app.goal"
        goal.write_text("num_ranks 2\nrank 0 { s: send 1000b to 1 }\nrank 1 { r: recv 1000b from 0 }\n")
        for model in ("hockney", "loggp"):
            with self.subTest(model=model):
                platform = self.platform_on_which(model, f"{model}.json")
                [row] = self.succeed("predict", "bcast", "binomial", "-m", "1K", "--platform", platform, "--json").json()
                [played] = self.succeed("predict", "--trace", goal, "--platform", platform, "--json").json()
                self.assertEqual((row["model"], played["model"]), (model, model))
                self.assertIn("collectives that the campaign visited", played["model_choice"])
                self.assertIn(f"predicted with {model}", self.succeed("predict", "--trace", goal, "--platform", platform).err)
                mapping = ["optimize", "mapping", "--pattern", goal, "--nodes", 2, "--per-node", 1, "--platform", platform]
                self.assertIn(f"by {model}\n", self.succeed(*mapping).out)
        flow = self.platform_on_which("flow", "flow.json")
        self.assertNotEqual(self.succeed("predict", "--trace", goal, "--platform", flow, "--json").json()[0]["model"], "flow")
        self.refuse("predict", "--trace", goal, "--platform", flow, "--model", "flow", mentions=["flow plays no traces"])

    def test_traces_of_ranks_that_share_a_node_are_played_by_a_model_that_knows(self):
        goal = self.folder / "shared.goal"
        goal.write_text("num_ranks 4\nrank 0 { s: send 1000b to 2 }\nrank 1 { s: send 1000b to 3 }\n"
                        "rank 2 { r: recv 1000b from 0 }\nrank 3 { r: recv 1000b from 1 }\n")
        platform = self.platform_on_which("hockney", "shared.json")
        two_cores = json.loads(platform.read_text())
        for node in two_cores["nodes"]:
            node["cores"].append(node["cores"][0] | {"pu": 1, "socket": 1, "cache": 1})
        platform.write_text(json.dumps(two_cores))
        play = ["predict", "--trace", goal, "--platform", platform, "--json"]
        [shared] = self.succeed(*play, "--nodes", 2, "--per-node", 2).json()
        self.assertIn(shared["model"], ("taulop", "loggpc", "plogp-cell"))
        [alone] = self.succeed(*play, "--nodes", 4, "--per-node", 1).json()
        self.assertEqual(alone["model"], "hockney")
        [named] = self.succeed(*play, "--nodes", 2, "--per-node", 2, "--model", "hockney").json()
        self.assertEqual(named["model"], "hockney")

    def test_a_message_has_two_ranks_whatever_the_job_has(self):
        job = ["-m", "1K", "--platform", self.platform_on_which("hockney", "p.json"), "--nodes", 16, "--per-node", 1]
        self.assertIn("errors may be larger on 16", self.succeed("predict", "bcast", "binomial", *job).err)
        for command in ("predict", "explain"):
            self.assertNotIn("errors may be larger", self.succeed(command, "p2p", *job).err)


class Predict(runner.CliTest):
    def test_binomial_broadcast_equals_the_closed_form(self):
        rows = self.succeed("predict", "bcast", "--algorithm", "binomial", "-P", 64, "-m", "64K", *LOGGP, "--json").json()
        self.assertEqual(len(rows), 1)
        formula = math.log2(64) * (5e-6 + 2 * 1e-6 + 65535 * 1e-9)
        self.assertLess(abs(rows[0]["seconds"] / formula - 1), 1e-12)
        self.assertEqual(
            set(rows[0]),
            {
                "collective", "algorithm", "P", "bytes", "segment", "model", "seconds", "lower", "upper",
                "bounds", "extrapolated", "evaluator", "may_escalate", "escalating_rounds", "escalations",
            },
        )

    def test_every_algorithm_at_every_size(self):
        rows = self.succeed("predict", "bcast", "-P", 5, "-m", "1K:4K:x2", *LOGGP, "--json").json()
        self.assertEqual({row["bytes"] for row in rows}, {1024, 2048, 4096})
        self.assertIn("pipeline", {row["algorithm"] for row in rows})
        self.assertIn("binomial", self.succeed("predict", "bcast", "-P", 5, "-m", "1K", *LOGGP).out)

    def test_message(self):
        rows = self.succeed("predict", "p2p", "-m", "1", *LOGGP, "--json").json()
        self.assertAlmostEqual(rows[0]["seconds"], 7e-6, 15)

    def test_options_of_the_other_kind(self):
        for words in (["binomial"], ["--algorithm", "binomial"], ["--root", 1], ["--set", "radix=4"], ["--within", "linear"]):
            self.refuse("predict", "p2p", *words, "-m", "1", *LOGGP, mentions=["of collectives", "leave it out"])
        self.refuse("explain", "bcast", "--dst", 3, "-P", 4, "-m", "1", *LOGGP, mentions=["--dst", "of p2p messages"])

    def test_algorithm_by_position(self):
        named = ["-P", 8, "-m", "1K", *LOGGP, "--json"]
        for command in ("predict", "explain", "compare"):
            by_position = self.succeed(command, "bcast", "chain", *named).json()
            self.assertEqual(by_position, self.succeed(command, "bcast", "--algorithm", "chain", *named).json())
        self.assertEqual(
            self.succeed("schedule", "bcast", "chain").out, self.succeed("schedule", "bcast", "--algorithm", "chain").out
        )
        self.refuse("predict", "bcast", "chain", "--algorithm", "linear", *named, mentions=["--algorithm"])

    def test_uneven_blocks(self):
        counts = self.folder / "counts.txt"
        counts.write_text("1000\n2000  # two\n0\n4000\n")
        hockney = ["--model", "hockney", "--params", "alpha=5us,beta=1ns"]
        for command in ("predict", "compare"):
            rows = self.succeed(command, "scatterv", "--counts", counts, *hockney, "--json").json()
            found = {row["algorithm"]: row["seconds"] for row in rows if row["segment"] == 0}
            self.assertAlmostEqual(found["linear"], 21e-6, 12)
            self.assertAlmostEqual(found["binomial"], 18e-6, 12)
        self.assertIn("4000", self.succeed("schedule", "gatherv", "linear", "--counts", counts).out)
        for collective in ("gatherv", "allgatherv", "reduce_scatter"):
            self.succeed("predict", collective, "--counts", counts, *hockney)
            self.succeed("explain", collective, "--counts", counts, *hockney)
        square = self.folder / "square.json"
        square.write_text("[[0, 100], [200, 0]]")
        rows = self.succeed("predict", "alltoallv", "--counts", square, "--element", 10, *hockney, "--json").json()
        self.assertAlmostEqual(rows[0]["seconds"], 7e-6, 12)
        self.refuse("predict", "scatterv", "-P", 4, "-m", 8, *hockney, mentions=["--counts"])
        self.refuse("predict", "scatter", "--counts", counts, *hockney, mentions=["--counts", "scatterv"])
        self.refuse("predict", "scatterv", "--counts", counts, "-P", 5, *hockney, mentions=["4 ranks", "P is 5"])
        self.refuse("predict", "scatterv", "--counts", counts, "-m", 5, *hockney, mentions=["--size"])
        self.refuse("compare", "alltoallv", "--counts", counts, *hockney, mentions=["line 1"])

    def test_expression(self):
        words = ["--model", "taulop", "--params", "o=1us,L=8K/1:2us;8K/4:5us,n=2", "--json"]
        found = self.succeed("predict", "p2p", "--expression", "4 || (o(8K) + 2 L(8K,1))", *words).json()
        self.assertEqual(found["simplified"], "o0(8K) + 2 L0(8K,4)")
        self.assertAlmostEqual(found["seconds"], 11e-6, 12)
        self.refuse("predict", "p2p", "--expression", "4 || x", *words, mentions=["column 6"])
        self.refuse("predict", "p2p", "--expression", "L1(8K)", *words, mentions=["no channel 1"])
        self.refuse("predict", "p2p", "--expression", "L(8K)", *LOGGP, mentions=["taulop"])
        self.refuse("predict", "bcast", "--expression", "L(8K)", *words, mentions=["p2p"])

    def test_same_input_same_output(self):
        words = ["predict", "bcast", "-P", 33, "-m", "1K,1M", "--segment", "8K", *LOGGP, "--json"]
        self.assertEqual(self.succeed(*words).out, self.succeed(*words).out)

    def test_bad_input(self):
        self.refuse("predict", "bcast", "-P", 4, "-m", "64Q", *LOGGP, mentions=["64Q", "64K"])
        self.refuse("predict", "bcast", "-P", 0, "-m", "1K", *LOGGP, mentions=["--ranks: Value 0"])
        self.refuse("predict", "bcast", "-P", -3, "-m", "1K", "--algorithm", "linear", *LOGGP, mentions=["-3"])
        self.refuse("predict", "bcast", "-P", 4, "--root", 4, "-m", "1K", *LOGGP, mentions=["root 4", "0 to 3"])
        self.refuse("predict", "bcst", "-P", 4, "-m", "1K", *LOGGP, mentions=["bcst", "bcast"])
        self.refuse("predict", "bcast", "-P", 4, "-m", "1K", "--algorithm", "binom", *LOGGP, mentions=["binomial"])
        self.refuse("predict", "bcast", "-P", 4, "-m", "1K", "--model", "logg", "--params", "L=1", mentions=["loggp"])
        self.refuse("predict", "bcast", "-P", 4, "-m", "1K", "--model", "loggp", "--params", "L=1us", mentions=["lacks"])
        self.refuse("predict", "bcast", "-P", 4, "-m", "1K", mentions=["--platform", "--params"])
        self.refuse("predict", "bcast", "-P", 4, *LOGGP, mentions=["-m"])
        for sizes in ("1K:", ":1K", "1K,,2K"):
            self.refuse("predict", "bcast", "-P", 4, "-m", sizes, *LOGGP, mentions=[f"--size: '{sizes}'"])
        # 3,000 blocks would be 2.7e22 bytes, of which 64 bits keep a part.
        self.refuse("predict", "scatter", "-P", 3000, "-m", "9000000000000000000", *LOGGP, mentions=["3000 ranks", "counted"])
        self.refuse("predict", "bcast", "-m", 8, "--nodes", 65536, "--per-node", 65536, *LOGGP, mentions=["4294967296", "-P"])
        self.refuse("predict", "bcast", "-P", 4, "-m", 8, *LOGGP, "--evaluator", "x", mentions=["auto, timeline"])
        self.refuse("predict", "bcast", "-P", 4, "-m", 8, "--model", "loggp,lmo", "--params", "L=1", mentions=["one name"])
        self.refuse("predict", "scatter", "--algorithm", "linear", "-P", 4, "-m", "8K", "--segment", "1K", *LOGGP,
                    mentions=["scatter linear", "--segment"])  # fmt: skip
        self.refuse("schedule", "scatter", "linear", "--segment", "1K", mentions=["scatter linear", "--segment"])

    def test_more_ranks_than_places(self):
        words = ["bcast", "-P", 9, "-m", "1K", "--nodes", 2, "--per-node", 4, *LOGGP]
        for command in ("predict", "explain", "compare"):
            self.refuse(command, *words, mentions=["8 ranks", "P is 9", "--per-node"])

    def test_a_mapping_file_says_how_many_nodes_there_are(self):
        mapping = self.folder / "mapping"
        mapping.write_text("0 0\n0 1\n1 0\n")
        channels = ["--params", "[shared-cache] alpha=1us,beta=0 [inter-node] alpha=9us,beta=0", "--json"]
        words = ["predict", "p2p", "-m", 8, "--model", "hockney", "--mapping", mapping, *channels]
        self.assertAlmostEqual(self.succeed(*words, "--dst", 1).json()[0]["seconds"], 1e-6, 12)
        self.assertAlmostEqual(self.succeed(*words, "--dst", 2).json()[0]["seconds"], 9e-6, 12)

    def test_bad_platform_files(self):
        path = self.folder / "p.json"
        words = ["predict", "bcast", "-P", 2, "-m", "1K", "--platform", path]
        self.refuse(*words, mentions=["p.json"])
        path.write_text("{")
        self.refuse(*words, mentions=["p.json", "JSON"])
        path.write_text(json.dumps({"format": "postage-platform", "version": 99}))
        self.refuse(*words, mentions=["version 99"])
        path.write_text(json.dumps({"format": "other", "version": 1}))
        self.refuse(*words, mentions=["postage-platform"])


# Tu et al., 2009, at 4K and a stride of 8: o = 10 us, l = 6 us; o' = 20 us, l' = 30 us, o'_net = 100 us.
STRIDED = [
    "-P", 64, "-m", "4K", "--stride", 8, "--nodes", 8, "--per-node", 8, "--model", "2log23p", "--params",
    "[shared-cache] o_mw=10us,l_mw=4K/8:6us,l_hand=4K/8:2us "
    "[inter-node] o_mw=20us,l_mw=4K/8:30us,l_hand=4K/8:4us,o_net=100us",
]


class Strided(runner.CliTest):
    def seconds(self, command, *words):
        return self.succeed(command, "bcast", "--algorithm", "linear", *words, *STRIDED, "--json").json()[0]["seconds"]

    def test_collectives(self):
        linear = (7 * 8 + 57 * 25 + 100) * 1e-6
        for command in ("predict", "explain", "compare"):
            self.assertAlmostEqual(self.seconds(command), linear, 12)
        self.assertAlmostEqual(self.seconds("predict", "--by-hand"), (7 * 6 + 57 * 12 + 100) * 1e-6, 12)
        for collective in ("barrier", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall",
                           "reduce_scatter", "scan", "exscan"):
            contiguous = [word if word != 8 or STRIDED[i - 1] != "--stride" else 4 for i, word in enumerate(STRIDED)]
            strided = self.succeed("predict", collective, *STRIDED, "--json").json()
            plain = self.succeed("predict", collective, *contiguous, "--json").json()
            for row, other in zip(strided, plain):
                self.assertGreater(row["seconds"] + (collective == "barrier"), other["seconds"])

    def test_schedule_shows_pieces(self):
        words = ["schedule", "bcast", "binomial", "-P", 4, "-m", "1K", "--stride", 64]
        self.assertIn("0->2 1K in 256 pieces", self.succeed(*words).out)
        whole = self.succeed(*words, "--run", 8, "--json").json()
        self.assertEqual((whole["run"], whole["stride"]), (8, 64))
        message = whole["rounds"][0]["messages"][0]
        self.assertEqual((message["pieces"], message["extent"]), (128, 127 * 64 + 8))

    def test_bad_strides(self):
        words = ["predict", "bcast", "-P", 4]
        self.refuse(*words, "-m", "4K", "--stride", 3, *LOGGP, mentions=["--stride 3", "--run 4"])
        self.refuse(*words, "-m", "4K", "--stride", 8, *LOGGP, mentions=["loggp", "2log23p"])
        self.refuse("predict", "p2p", *[4095 if word == "4K" else word for word in STRIDED], mentions=["4095", "--run"])
        self.refuse(*words, "-m", "4K", "--by-hand", *LOGGP, mentions=["--by-hand", "--stride"])
        self.refuse("schedule", "bcast", "binomial", "-m", 1022, "--stride", 8, mentions=["1022", "4 bytes"])


class Levels(runner.CliTest):
    PARAMS = "[shared-cache] o_0=1us,o_1=2us [inter-socket] o_0=4us,o_1=5us [inter-node] o_0=6us,o_1=50us,o_2=7us"
    WORDS = ["predict", "bcast", "-m", "4K", "--algorithm", "binomial", "--nodes", 2, "--per-node", 4, "--model",
             "mlognp", "--params", PARAMS]

    def test_three_levels(self):
        rows = self.succeed(*self.WORDS, "--levels", "shared-cache:2,inter-socket:4,inter-node", "--json").json()
        self.assertAlmostEqual(rows[0]["seconds"], (63 + 9 + 3) * 1e-6, 12)

    def test_bad_levels(self):
        self.refuse(*self.WORDS, mentions=["shared-cache", "inter-socket", "--levels"])
        self.refuse(*self.WORDS, "--levels", "shared-cache:3,inter-socket:4,inter-node", mentions=["3", "shared-cache"])
        self.refuse(*self.WORDS, "--levels", "shared-cache:2,inter-socket:4", mentions=["last level"])
        self.refuse(*self.WORDS, "--levels", "shared-cache:2,inter-node", mentions=["inter-socket"])
        self.refuse(*self.WORDS, "--levels", "shared-cache:2,inter-socket:4,rack:8,inter-node", mentions=["rack"])
        self.refuse(*self.WORDS, "--levels", "shared-cache:two,inter-node", mentions=["shared-cache:two"])


class Explain(runner.CliTest):
    def test_tree_adds_up(self):
        words = ["explain", "bcast", "--algorithm", "binomial", "-P", 8, "-m", "64K", *LOGGP]
        tree = self.succeed(*words, "--json").json()[0]["explanation"]
        self.assertAlmostEqual(sum(part["seconds"] for part in tree["parts"]), tree["seconds"], 12)
        self.assertIn("rank 0 -> 4", self.succeed(*words).out)

    def test_message(self):
        out = self.succeed("explain", "p2p", "--src", 0, "--dst", 3, "-m", "8", *LOGGP).out
        self.assertIn("rank 0 -> 3", out)
        self.assertIn("100.0 %  message from rank 0 to rank 3\n", out)


class Schedule(runner.CliTest):
    def test_counts_and_channels(self):
        out = self.succeed("schedule", "bcast", "binomial", "-P", 16, "-m", "1K", "--nodes", 4, "--per-node", 4).out
        self.assertIn("4 rounds, 15 messages, 15360 bytes", out)
        self.assertIn("inter-node: 3 messages", out)

    def test_drawing_is_well_formed(self):
        svg = self.folder / "bcast.svg"
        self.succeed("schedule", "bcast", "pipeline", "-P", 5, "-m", "64K", "--segment", "16K", "--svg", svg)
        paths = xml.dom.minidom.parse(str(svg)).getElementsByTagName("path")
        self.assertEqual(sum(path.getAttribute("class") == "message" for path in paths), 16)

    def test_list(self):
        self.assertIn("dissemination", self.succeed("schedule", "--list").out)

    def test_bad_input(self):
        self.refuse("schedule", "bcast", mentions=["algorithm"])
        self.refuse("schedule", "bcast", "binomial", "-P", 9, "--nodes", 2, "--per-node", 4, mentions=["P is 9"])
        self.refuse("schedule", "bcast", "linear", "-P", 65, "--svg", self.folder / "x.svg", status=1, mentions=["65"])
        self.assertFalse((self.folder / "x.svg").exists())


if __name__ == "__main__":
    runner.main()
