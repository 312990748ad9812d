"""`postage paper`: what the five papers print beside what comes out here."""

import runner

PAPERS = ["tu", "rico-gallego", "chai", "lastovetsky", "ali"]


class Paper(runner.CliTest):
    def test_each_computes_what_needs_no_machine(self):
        for paper in PAPERS:
            with self.subTest(paper=paper):
                found = self.succeed("paper", paper, "--json").json()
                computed = [exhibit for exhibit in found["exhibits"] if exhibit["source"] == "computed"]
                self.assertTrue(computed)
                self.assertTrue(all(exhibit["was_run"] and (exhibit["rows"] or exhibit["why"]) for exhibit in computed))
                self.assertFalse(any(e["was_run"] for e in found["exhibits"] if e["source"] != "computed"))

    def test_numbers_worked_out_by_hand(self):
        rows = self.succeed("paper", "lastovetsky", "--exhibit", "equation-8", "--json").json()["exhibits"][0]["rows"]
        # By the formula and by the evaluator.
        by_hand = [2.0384e-3, 2.0384e-3, 22.204e-3, 22.204e-3, 360e-6, 520e-6]
        self.assertEqual(len(rows), len(by_hand))
        for row, seconds in zip(rows, by_hand):
            self.assertAlmostEqual(row["printed"], seconds, 12)
            self.assertAlmostEqual(row["ours"], seconds, 12)

    def test_the_same_every_time(self):
        first = self.succeed("paper", "ali").out
        self.assertEqual(first, self.succeed("paper", "ali").out)

    def test_writes_a_page(self):
        self.succeed("paper", "ali", "--table", "1", "-o", self.folder)
        page = (self.folder / "ali.md").read_text()
        self.assertIn("## Table 1: ", page)
        self.assertIn("src/predict/formulas/ali.cpp", page)
        self.assertIn("(ali.md)", (self.folder / "README.md").read_text())
        self.assertIn("# Misprints", (self.folder / "misprints.md").read_text())

    def test_bad_input(self):
        self.refuse("paper", "chay", mentions=["chay", "chai"])
        self.refuse("paper", "ali", "--table", "99", mentions=["table-99", "table-1"])
        self.refuse("paper", "ali", "--table", "1", "--all", mentions=["--all", "--table"])
        (self.folder / "file").touch()
        self.refuse("paper", "ali", "-o", self.folder / "file" / "pages", mentions=["--output", "is not a folder"])


runner.main()
