"""`postage optimize tree`, and what takes the schedule files that it writes."""

import json
import xml.dom.minidom

import jsonschema

import runner

#: Rank 3 is ten times as fast as the others.
ONE_FAST = ["--model", "lmo", "--params",
            "C=50us,t=10ns,beta=100MB/s[processor 3]C=5us,t=1ns", "--nodes", 6, "--per-node", 1]  # fmt: skip


class OptimizeTree(runner.CliTest):
    def optimize(self, *arguments):
        return self.succeed("optimize", "tree", *arguments, *ONE_FAST)

    def test_the_tree_is_printed_drawn_and_written(self):
        file, drawing = self.folder / "tree.json", self.folder / "tree.svg"
        out = self.optimize("scatter", "-m", "4K", "-o", file, "--svg", drawing).out
        self.assertIn("optimised", out)
        self.assertIn("down, the first to be sent first:", out)
        xml.dom.minidom.parse(str(drawing))
        written = json.loads(file.read_text())
        schema = json.loads((runner.SOURCE / "share" / "schedule.schema.json").read_text())
        jsonschema.Draft7Validator(schema).validate(written)
        self.assertEqual(len(written["down"]["parents"]), 6)

    def test_no_other_tree_is_predicted_to_be_faster(self):
        for collective in ("bcast", "reduce", "scatter", "gather", "allgather"):
            rows = self.succeed("optimize", "tree", collective, "-m", "4K", "--json", *ONE_FAST).json()
            best = next(row["seconds"] for row in rows if row["method"] == "optimised")
            self.assertEqual(best, min(row["seconds"] for row in rows), collective)

    def test_predict_takes_the_file(self):
        file = self.folder / "tree.json"
        rows = self.succeed("optimize", "tree", "gather", "-m", "4K", "-o", file, "--json", *ONE_FAST).json()
        best = next(row["seconds"] for row in rows if row["method"] == "optimised")
        predicted = self.succeed("predict", "gather", "--schedule", file, "--json", *ONE_FAST).json()
        self.assertEqual([row["seconds"] for row in predicted], [best])
        larger = self.succeed("predict", "gather", "--schedule", file, "-m", "1K,64K", "--json", *ONE_FAST).json()
        self.assertEqual([row["bytes"] for row in larger], [1024, 65536])

    def test_trees_of_many_ranks_are_followed_as_flows(self):
        """Round by round a rank's message would end before its next one begins."""
        file = self.folder / "tree.json"
        binomial = ["--method", "binomial", "--model", "hockney", "--params", "alpha=1us,beta=1ns"]
        self.succeed("optimize", "tree", "bcast", "-P", 2048, "-m", 8, "-o", file, *binomial)
        # 1 us to send, 100 us on the way, 1 us to receive: eleven generations, and no sends between them.
        flow = ["--model", "flow", "--params", "o_s=1us,o_r=1us,L=100us,G=0", "--json"]
        row = self.succeed("predict", "bcast", "--schedule", file, *flow).json()[0]
        self.assertEqual(row["evaluator"], "flows")
        self.assertAlmostEqual(row["seconds"], 11 * 102e-6, delta=1e-6)  # ranks start within 100 ns

    def test_schedule_prints_and_draws_the_file(self):
        file, drawing = self.folder / "tree.json", self.folder / "rounds.svg"
        self.optimize("gather", "-m", "4K", "--root", 2, "-o", file)
        parents = json.loads(file.read_text())["up"]["parents"]
        edges = {(rank, parent) for rank, parent in enumerate(parents) if parent >= 0}
        out = self.succeed("schedule", "--schedule", file, "--json").json()
        sent = [transfer for entry in out["rounds"] for transfer in entry["messages"]]
        self.assertEqual({(t["source"], t["target"]) for t in sent}, edges)
        self.assertEqual(sum(t["bytes"] for t in sent if t["target"] == 2), 5 * 4096)
        self.assertIn("gather tree, P = 6", self.succeed("schedule", "gather", "--schedule", file, "-m", "64", "--svg", drawing).out)
        xml.dom.minidom.parse(str(drawing))
        self.refuse("schedule", "bcast", "--schedule", file, mentions=["holds a gather"])
        self.refuse("schedule", "gather", "binomial", "--schedule", file, mentions=["leave out --algorithm"])
        self.refuse("schedule", "--schedule", file, "-P", 8, mentions=["is for 6 ranks"])
        self.refuse("schedule", "--schedule", file, "--root", 3, mentions=["has the root 2"])
        self.refuse("schedule", "--schedule", self.folder / "none.json", mentions=["none.json"])

    def test_counts(self):
        counts, file = self.folder / "counts.txt", self.folder / "tree.json"
        counts.write_text("0 0 9000 1 2 3\n".replace(" ", "\n"))
        self.optimize("gatherv", "--counts", counts, "--root", 2, "-o", file)
        written = json.loads(file.read_text())
        self.assertEqual(written["block_bytes"], [0, 0, 9000, 1, 2, 3])
        self.assertEqual(written["up"]["parents"][2], -1)
        self.succeed("predict", "gatherv", "--schedule", file, *ONE_FAST)
        self.refuse("predict", "gatherv", "--schedule", file, "-m", "1K", *ONE_FAST, mentions=["leave out the size"])

    def test_counts_are_for_all_places_or_for_p_ranks(self):
        counts = self.folder / "counts.txt"
        counts.write_text("1000\n2000\n")
        words = ["--counts", counts, *ONE_FAST]
        right = ["counts are for 2 ranks", "have places for 6", "counts for 6 ranks", "-P 2"]
        for command in (["optimize", "tree", "scatterv"], ["predict", "scatterv"], ["compare", "gatherv"],
                        ["explain", "gatherv", "--algorithm", "linear"]):  # fmt: skip
            self.refuse(*command, *words, mentions=right)
        self.refuse("schedule", "scatterv", "linear", "--counts", counts, "--nodes", 6, "--per-node", 1, mentions=right)
        rows = self.succeed("predict", "scatterv", *words, "-P", 2, "--json").json()
        self.assertEqual({row["P"] for row in rows}, {2})

    def test_files_that_are_missing_or_none_of_their_kind_are_invalid_requests(self):
        file = self.folder / "tree.json"
        self.optimize("bcast", "-m", "1K", "-o", file)
        tree = json.loads(file.read_text())
        for content, mistake in (
            (None, "cannot read"),
            ("{", "is not valid JSON"),
            ("{}", "is not a postage-schedule file"),
            (json.dumps({**tree, "version": 99}), "has version 99"),
            (json.dumps({**tree, "ranks": "six"}), "/ranks"),
            (json.dumps({**tree, "collective": "oak"}), "unknown collective 'oak'"),
            (json.dumps({**tree, "collective": "alltoall"}), "does not go along trees"),
            (json.dumps({**tree, "down": {"parents": [-1, -1, 0, 0, 0, 0]}}), "parent"),
        ):
            file.unlink() if content is None else file.write_text(content)
            for command in (["predict", "bcast", *ONE_FAST], ["schedule"]):
                self.refuse(*command, "--schedule", file, mentions=["tree.json", mistake])
            self.refuse("run", "--schedule", file, "--", "true", mentions=["tree.json", mistake])

    def test_invalid_requests_get_one_sentence(self):
        counts, file = self.folder / "counts.txt", self.folder / "tree.json"
        counts.write_text("1\n2\n")
        self.refuse("optimize", "tree", "scatterv", "--counts", counts, "-P", 6, *ONE_FAST, mentions=["counts.txt"])
        self.refuse("optimize", "tree", "alltoall", "-m", "1K", *ONE_FAST, mentions=["does not go along trees"])
        self.refuse("optimize", "tree", "scater", "-m", "1K", *ONE_FAST, mentions=["scater"])
        self.refuse("optimize", "tree", "bcast", "-m", "1K", "--method", "oak", *ONE_FAST, mentions=["oak", "exact"])
        self.refuse("optimize", "tree", "bcast", "-m", "1K,2K", *ONE_FAST, mentions=["one size"])
        self.refuse("optimize", "tree", "allgather", "-m", 8, "--root", 2, *ONE_FAST, mentions=["leave out --root"])
        self.refuse("optimize", "tree", "bcast", "-m", 8, "-o", file, "--svg", file, *ONE_FAST, mentions=["a file of its own"])
        self.refuse("optimize", "tree", "bcast", "--oak", mentions=["'postage optimize tree --help'"])
        self.optimize("bcast", "-m", "1K", "-o", file)
        self.refuse("predict", "reduce", "--schedule", file, *ONE_FAST, mentions=["holds a bcast"])
        self.refuse("predict", "bcast", "--schedule", file, "-P", 4, *ONE_FAST, mentions=["is for 6 ranks"])
        self.refuse("predict", "bcast", "--schedule", file, "--root", 3, *ONE_FAST, mentions=["has the root 0", "--root is 3"])
        self.refuse("predict", "bcast", "--schedule", file, "--algorithm", "binomial", *ONE_FAST, mentions=["--algorithm"])
        tree = json.loads(file.read_text())
        for parents, mistake in (
            ([-1, 2, 1, 0, 0, 0], "form a circle"),
            ([-1, 0, 0], "lists 3 parents"),
            ([-1, 0, 0, 0, 0, 9], "the parent of rank 5 is 9"),
        ):
            file.write_text(json.dumps({**tree, "down": {"parents": parents}}))
            self.refuse("predict", "bcast", "--schedule", file, *ONE_FAST, mentions=["tree.json", mistake])


if __name__ == "__main__":
    runner.main()
