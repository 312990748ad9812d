"""postage guidelines and postage watch, on simulated clusters, whose times are known."""

import unittest

from runner import CliTest, postage


class Guidelines(CliTest):
    SIZES = ["--sizes", "512,4K"]

    def guidelines(self, *arguments):
        return postage("guidelines", "--virtual", "flat16", *self.SIZES, *arguments)

    def test_a_bad_algorithm_is_found_with_its_remedy(self):
        result = self.guidelines("--smpi-arg=--cfg=smpi/allreduce:lr", "--json")
        self.assertEqual(result.status, 1, result.err)
        head = {name: result.json()[name] for name in ("format", "version", "ranks")}
        self.assertEqual(head, {"format": "postage-guidelines", "version": 1, "ranks": 16})
        rows = result.json()["results"]
        worst = max(rows, key=lambda row: row["factor"])
        self.assertEqual(worst["collective"], "allreduce")
        self.assertGreater(worst["factor"], 3)
        self.assertTrue(worst["remedy"])

    def test_status_tells_violations_from_failures(self):
        self.assertEqual(self.guidelines("--tolerance", "100").status, 0)
        result = self.guidelines("--smpi-arg=--cfg=smpi/allreduce:none_such")
        self.assertEqual(result.status, 2)

    def test_bad_input(self):
        for arguments, sentence in [
            (["--sizes", "4K,8"], "--sizes are to ascend"),
            (["--tolerance", "-1"], "--tolerance is a share of at least 0"),
            (["--tolerance", "nan"], "--tolerance: nan is no finite number"),
        ]:
            result = postage("guidelines", "--virtual", "flat16", *arguments)
            self.assertEqual(result.status, 2)
            self.assertIn(sentence, result.err)


class Watch(CliTest):
    def test_the_layer_that_changed_is_named(self):
        baseline = self.folder / "well.json"
        where = ["--baseline", baseline, "--virtual", "flat16", "-n", "4"]
        recorded = postage("watch", *where, "--record", "--runs", "2")
        self.assertEqual(recorded.status, 0, recorded.err)
        kept = baseline.read_bytes()
        refused = postage("watch", *where, "--record", "--runs", "1")
        self.assertEqual(refused.status, 2, refused.out)
        self.assertIn(f"{baseline} exists: name another file with --baseline, or replace it with --force", refused.err)
        self.assertEqual(baseline.read_bytes(), kept)
        replaced = postage("watch", *where, "--record", "--runs", "2", "--force")
        self.assertEqual(replaced.status, 0, replaced.err)
        same = postage("watch", *where)
        self.assertEqual(same.status, 0, same.out)
        self.assertIn("as fast as the baseline", same.out)
        self.assertNotIn("the baseline is of", same.err)
        upgraded = self.folder / "upgraded.json"
        upgraded.write_text(baseline.read_text().replace("SMPI ", "SMPI 1."))
        other = postage("watch", "--baseline", upgraded, *where[2:])
        self.assertRegex(other.err, r"the baseline is of SMPI 1\.\S+, and this is SMPI ")
        slower = postage("watch", *where, "--smpi-arg=--cfg=smpi/allreduce:lr")
        self.assertEqual(slower.status, 1, slower.out)
        self.assertIn("slower: algorithm (allreduce", slower.out)
        lines = postage("watch", *where, "--reframe").out.splitlines()
        self.assertIn("verdict: ok", lines)
        self.assertIn("latency_inter_node: 1.0000 ratio", lines)

    def test_bad_input(self):
        result = postage("watch", "--baseline", "none.json", "--force")
        self.assertEqual(result.status, 2)
        self.assertIn("--force", result.err)
        result = postage("watch", "--baseline", "none.json")
        self.assertEqual(result.status, 2)
        self.assertIn("none.json", result.err)
        for tolerance, sentence in [("0", " is a share above 0"), ("nan", ": nan is no finite number"), ("inf", ": inf is no finite number")]:
            result = postage("watch", "--baseline", "none.json", "--tolerance", tolerance)
            self.assertEqual(result.status, 2)
            self.assertIn(f"--tolerance{sentence}", result.err)


if __name__ == "__main__":
    unittest.main()
