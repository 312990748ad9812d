"""import postage: the numbers and the sentences of the command."""

import json
import math
import os
import re
import subprocess
import sys
import warnings

import runner

sys.path.insert(0, str(runner.BUILD / "python"))
import numpy  # noqa: E402
import postage  # noqa: E402

LOGGP = {"model": "loggp", "params": "L=5us,o=1us,g=2us,G=1ns"}
EXTRA = ("model_choice", "what_if", "further_nodes", "times_faster")  # left out of JSON where they say nothing
EXAMPLES = runner.SOURCE / "examples" / "python"


def words(options):
    """Options as the command takes them."""
    return [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def members(row):
    """A row of the module's as the command's JSON has it."""
    infinite = {name: None for name in ("lower", "upper") if math.isinf(getattr(row, name))}
    escalations = [{"seconds": level.seconds, "share": level.share} for level in row.escalations]
    plain = {**vars(row), "P": row.ranks, "escalations": escalations, **infinite}
    return {name: value for name, value in plain.items() if name not in ("ranks", *EXTRA) or (name in EXTRA and value and value == value)}


def with_null(value):
    """Infinite numbers as files have them."""
    if isinstance(value, dict):
        return {name: with_null(member) for name, member in value.items()}
    if isinstance(value, list):
        return [with_null(item) for item in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def tree(node):
    return {"label": node.label, "seconds": node.seconds, **({"parts": [tree(part) for part in node.parts]} if node.parts else {})}


def without_empty_parts(node):
    parts = [without_empty_parts(part) for part in node.get("parts", [])]
    return {"label": node["label"], "seconds": node["seconds"], **({"parts": parts} if parts else {})}


class Jobs(runner.CliTest):
    def test_predictions_are_those_of_the_command(self):
        rows = self.succeed("predict", "bcast", "-m", "1K:64K:x4", *words(LOGGP), "--ranks", 12, "--json").json()
        self.assertEqual([members(row) for row in postage.predict("bcast", "1K:64K:x4", ranks=12, **LOGGP)], rows)
        self.assertEqual(len(rows), 4 * len({row["algorithm"] for row in rows}))
        rows = self.succeed("predict", "p2p", "-m", "1,7,64K", *words(LOGGP), "--json").json()
        self.assertEqual([members(row) for row in postage.predict("p2p", [1, 7, "64K"], **LOGGP)], rows)

    def test_columns(self):
        rows = postage.predict("bcast", [1024, 4096], ranks=8, algorithm="binomial", **LOGGP)
        numpy.testing.assert_array_equal(rows.column("bytes"), [1024, 4096])
        self.assertEqual(rows.columns()["seconds"].dtype, numpy.float64)
        numpy.testing.assert_allclose(rows.column("seconds"), 3 * (7e-6 + (rows.column("bytes") - 1) * 1e-9), rtol=1e-12)

    def test_uneven_blocks(self):
        counts = [[0, 100, 7], [200, 0, 1], [5, 5, 5]]
        (self.folder / "counts.json").write_text(json.dumps(counts))
        options = {"element": 10, "model": "hockney", "params": "alpha=5us,beta=1ns"}
        rows = self.succeed("predict", "alltoallv", "--counts", self.folder / "counts.json", *words(options), "--json").json()
        for given in (counts, numpy.array(counts), self.folder / "counts.json"):
            self.assertEqual([members(row) for row in postage.predict("alltoallv", counts=given, **options)], rows)
        with self.assertRaisesRegex(postage.UsageError, "counts, item 2"):
            postage.predict("alltoallv", counts=[[0, 1], [2]], **options)

    def test_explanations(self):
        rows = self.succeed("explain", "bcast", "-P", 8, "-m", "64K", *words(LOGGP), "--json").json()
        found = postage.explain("bcast", "64K", ranks=8, **LOGGP)
        self.assertEqual([tree(row.explanation) for row in found], [without_empty_parts(row["explanation"]) for row in rows])
        self.assertEqual([[vars(advice) for advice in row.advice] for row in found], [row["advice"] for row in rows])
        self.assertEqual([[vars(gain) for gain in row.resources] for row in found], [row["resources"] for row in rows])
        self.assertEqual([row.seconds for row in found], [row["seconds"] for row in rows])
        self.assertIn(found[0].text, self.succeed("explain", "bcast", "-P", 8, "-m", "64K", *words(LOGGP)).out)

    def test_other_machines(self):
        given = ["predict", "bcast", "-P", 8, "-m", "64K", *words(LOGGP), "--json", "--what-if", "all.bandwidth=x2"]
        result = runner.postage(*given)
        self.assertEqual(result.status, 0, result.err)
        rows = [{name: value for name, value in row.items() if name != "further_nodes" or value} for row in result.json()]
        found = postage.predict("bcast", "64K", ranks=8, what_if="all.bandwidth=x2", **LOGGP)
        self.assertEqual([members(row) for row in found], rows)
        self.assertGreater(max(row.times_faster for row in found if row.what_if), 1.5)

    def test_comparison(self):
        rows = self.succeed("compare", "allreduce", "-P", 6, "-m", "1K,1M", *words(LOGGP), "--json").json()
        self.assertEqual([members(row) for row in postage.compare("allreduce", "1K,1M", ranks=6, **LOGGP)], rows)
        whole = postage.compare("allreduce", "1M", ranks=6, segments=[0], **LOGGP)
        self.assertEqual(set(whole.column("segment")), {0})
        self.assertEqual(list(whole.column("place")), list(range(1, len(whole) + 1)))

    def test_schedule(self):
        given = ["schedule", "allreduce", "ring", "-P", 6, "-m", "6K", "--nodes", 2, "--per-node", 3, "--json"]
        document = self.succeed(*given).json()
        schedule = postage.schedule("allreduce", "ring", ranks=6, size="6K", nodes=2, per_node=3)
        messages = [(number, m["source"], m["target"], m["bytes"], m["channel"])
                    for number, one in enumerate(document["rounds"]) for m in one["messages"]]  # fmt: skip
        channels = [schedule.channels[channel] for channel in schedule.channel]
        self.assertEqual(list(zip(schedule.round, schedule.source, schedule.target, schedule.bytes, channels)), messages)
        self.assertEqual((len(schedule), schedule.rounds), (document["messages"], len(document["rounds"])))
        self.assertEqual(schedule.traffic().sum(), document["bytes"])
        self.assertEqual(schedule.traffic()[5, 1:].sum(), 0)

    def test_algorithms(self):
        self.assertEqual(postage.algorithms(), self.succeed("schedule", "--list", "--json").json())

    def test_sentences_are_those_of_the_command(self):
        for command, arguments, options in [
            ("predict", ["bcats"], {"size": 8, "ranks": 4, **LOGGP}),
            ("predict", ["bcast"], {"ranks": 4, **LOGGP}),
            ("predict", ["bcast"], {"size": "8Q", "ranks": 4, **LOGGP}),
            ("predict", ["bcast"], {"size": 8, "ranks": 4, "model": "loggp", "params": "L=5us"}),
            ("predict", ["bcast"], {"size": 8, "platform": "/no/platform.json"}),
            ("compare", ["p2p"], {"size": 8, **LOGGP}),
            ("schedule", ["bcast", "binomiel"], {"ranks": 4}),
        ]:
            with self.subTest(command=command, arguments=arguments, options=options):
                result = runner.postage(command, *arguments, *words(options))
                with self.assertRaises(postage.Error) as caught:
                    getattr(postage, command)(*arguments, **options)
                # Of a value that cannot be read, the command also says to which option it was given.
                said = re.sub(r"\Apostage: (--[a-z-]+: )?", "", result.err)
                self.assertEqual(f"{caught.exception}\n", said)
                self.assertEqual(isinstance(caught.exception, postage.UsageError), result.status == 2)

    def test_wrong_types(self):
        with self.assertRaisesRegex(TypeError, "not b'1K'"):
            postage.predict("bcast", b"1K", ranks=4, **LOGGP)
        for ranks in (0, -1, 1 << 40):
            with self.assertRaisesRegex(postage.UsageError, f"ranks is {ranks}; give a number from 1"):
                postage.schedule("bcast", "ring", ranks=ranks)
        self.assertEqual(postage.predict("bcast", 8, ranks=numpy.int64(4), **LOGGP)[0].ranks, 4)
        with self.assertRaisesRegex(TypeError, "ranks='many'"):
            postage.predict("bcast", 8, ranks="many", **LOGGP)
        with self.assertRaises(TypeError):
            postage.predict("bcast", 8, rank=4, **LOGGP)


class Files(runner.CliTest):
    def measured(self):
        file = self.folder / "flat.json"
        self.succeed("measure", "--virtual", "flat16", "-n", 4, "--sizes", "8,1K,64K", "--train-sizes", "none", "-o", file)
        return file

    def test_platform(self):
        if not (runner.BUILD / "bin" / "postage-measure-smpi").exists():
            self.skipTest("no simulated MPI to measure")
        file = self.measured()
        platform = postage.Platform(file)
        document = json.loads(file.read_text())
        self.assertEqual(with_null(platform.document), document)
        self.assertEqual(platform.models, [table["model"] for table in document["models"]])
        groups = document["models"][platform.models.index("hockney")]["groups"]
        for group, held in zip(platform.parameters("hockney"), groups, strict=True):
            self.assertEqual((group.from_bytes, group.channel), (held["from_bytes"], held["scope"].get("channel", "")))
            held_values = {symbol: runner.value_of(value) for symbol, value in held["parameters"].items()}
            self.assertEqual({symbol: estimate.value for symbol, estimate in group.values.items()}, held_values)
        curve = next(group.curves["g"] for group in platform.parameters("plogp") if "g" in group.curves)
        self.assertTrue((numpy.diff(curve.bytes) > 0).all() and (curve.lower <= curve.value).all())
        with self.assertRaisesRegex(postage.UsageError, "no parameters of the nosuch model"):
            platform.parameters("nosuch")
        points = platform.points()
        self.assertEqual(set(points["bytes"]) - {0}, {8, 1024, 65536})
        self.assertTrue((points["lower"] <= points["seconds"]).all())
        with warnings.catch_warnings(record=True) as remarks:
            warnings.simplefilter("always")
            for model in ("best", "all"):
                found = self.succeed("predict", "bcast", "-m", "1K", "--platform", file, "--model", model, "--json")
                rows = [members(row) for row in postage.predict("bcast", 1024, platform=platform, model=model)]
                self.assertEqual(rows, found.json())
        said = {line.removeprefix("postage: ") for line in found.err.splitlines()}
        self.assertEqual({str(remark.message) for remark in remarks if "left out" in str(remark.message)}, {s for s in said if "left out" in s})

    def test_decisions(self):
        span = {"nodes": [1, 1], "ranks": [2, None], "bytes": [1024, None]}
        choice = {"algorithm": "ring", "library_name": "4", "segment": 0, "parameters": {}}
        gain = {"share": 0.25, "interval": [0.2, 0.3], "source": "predicted", "pairs": 0, "sign_test": 1}
        rule = {"collective": "allreduce", **span, "choice": choice, "predicted": 1e-5, "predicted_interval": [9e-6, 2e-5],
                "default_seconds": 2e-5, "gain": gain}  # fmt: skip
        cell = {"collective": "allreduce", "nodes": 1, "ranks": 4, "bytes": 2048, "choice": choice, "tuned_seconds": 1e-5,
                "default_seconds": 2e-5, "measured": False}  # fmt: skip
        file = self.folder / "decisions.json"
        table = {"format": "postage-decisions", "version": 1, "target": "openmpi", "target_version": "4.1.4", "platform": "here",
                 "created": "", "rules": [rule], "dropped": [{"rule": rule, "reason": "too little"}], "cells": [cell]}  # fmt: skip
        file.write_text(json.dumps(table))
        table = postage.DecisionTable(file)
        self.assertEqual((table.target, table.platform, table.dropped[0][1]), ("openmpi", "here", "too little"))
        self.assertEqual(table.lookup("allreduce", "1K", ranks=4), table.rules[0])
        self.assertEqual((table.rules[0].algorithm, table.rules[0].bytes, table.rules[0].gain), ("ring", (1024, None), 0.25))
        self.assertIsNone(table.lookup("allreduce", 1023, ranks=4))
        numpy.testing.assert_array_equal(table.cells.column("tuned_seconds"), [1e-5])
        file.write_text('{"format": "postage-decisions", "version": 1}')
        refused = self.refuse("emit", file, "--for", "openmpi", "-o", self.folder / "out")
        with self.assertRaises(postage.Error) as caught:
            postage.DecisionTable(file)
        self.assertEqual(f"postage: {caught.exception}\n", refused.err)

    def test_examples_draw(self):
        environment = {**os.environ, "PYTHONPATH": str(runner.BUILD / "python"), "MPLBACKEND": "agg"}
        for example in sorted(EXAMPLES.glob("*.py")):
            with self.subTest(example.name):
                picture = self.folder / f"{example.stem}.svg"
                done = subprocess.run([sys.executable, example, picture], env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("</svg>", picture.read_text())

    def test_stubs_describe_the_module(self):
        environment = {**os.environ, "PYTHONPATH": str(runner.BUILD / "python"), "MYPYPATH": str(runner.BUILD / "python")}
        allowed = self.folder / "allowed"  # classes of pybind11 have a metaclass of its own
        allowed.write_text("postage._postage.Platform\npostage._postage.DecisionTable\n")
        command = [sys.executable, "-m", "mypy.stubtest", "postage._postage", "--allowlist", allowed]
        done = subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    runner.main()
