"""The command itself: version, help, and what it says when it is misused."""

import os
import re
import subprocess

import runner


class Main(runner.CliTest):
    def test_version(self):
        self.assertRegex(self.succeed("--version").out, r"\Apostage \d+\.\d+\.\d+\n\Z")

    def test_help_of_every_command_has_an_example(self):
        commands = self.succeed("--help").out.split("Subcommands:\n")[1].split("\n\n")[0]
        names = re.findall(r"^  ([a-z-]+) +\S", commands, re.MULTILINE)
        self.assertIn("doctor", names)
        for name in names:
            self.assertIn(f"  postage {name}", self.succeed(name, "--help").out)

    def test_no_command(self):
        self.refuse(mentions=["no command", "doctor"])

    def test_unknown_command_lists_the_valid_ones(self):
        self.refuse("doktor", mentions=["'doktor'", "doctor"])
        self.refuse("optimize", "tre", mentions=["'tre'", "tree, mapping"])

    def test_unknown_option(self):
        self.refuse("--bad", mentions=["--bad", "'postage --help'"])
        self.refuse("doctor", "--bad", mentions=["--bad", "'postage doctor --help'"])

    def test_whatever_is_quoted_the_reason_is_one_line(self):
        self.refuse("predict", "bcast", "-P", 4, "-m", "1K\n2K", "--model", "hockney", "--params", "alpha=1us,beta=1ns",
                    mentions=["1K\\n2K"])  # fmt: skip
        long = "x" * 5000
        predict = ["predict", "bcast", "-P", 4, "-m", "1K", "--platform"]
        for words in (predict, ["prove"], ["estimate"]):
            self.refuse(*words, long, mentions=["File name too long"])

    def test_numbers_that_mean_nothing(self):
        loggp = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]
        self.refuse("predict", "bcast", "-P", 0, "-m", "1K", *loggp, mentions=["--ranks"])
        self.refuse("schedule", "bcast", "binomial", "-P", 0, mentions=["--ranks"])
        self.refuse("bench", "--seconds", "0", mentions=["--seconds"])
        message = ["predict", "p2p", "-m", "1K", *loggp]
        for value in ("x", "", "1.5", "0x10", "nan"):
            self.refuse(*message, "--dst", value, mentions=[f"--dst: '{value}' is no whole number"])
        self.refuse(*message, "--dst", "010", mentions=["'010'", "zeros"])  # C reads 8
        self.refuse(*message, "--dst", 1 << 40, mentions=["--dst", "2147483647"])
        self.refuse(*message, "--max-extrapolation", "nan", mentions=["--max-extrapolation", "finite"])
        self.refuse(*message, "--max-extrapolation", "0.5", mentions=["--max-extrapolation", "at least 1"])
        self.refuse("measure", "--precision", "0", mentions=["--precision: 0 is not above 0;"])
        self.refuse("guidelines", "--tolerance", "nan", mentions=["--tolerance", "finite"])

    def test_output_is_checked_before_any_work(self):
        (self.folder / "file").write_text("")
        below_file = self.folder / "file" / "x"
        loggp = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]
        for words, option in [
            (["measure", "-o", below_file], "--output"),
            (["measure", "-o", self.folder], "--output"),
            (["measure", "-o", "x" * 300], "--output"),
            (["measure", "--samples", below_file], "--samples"),
            (["measure", "--samples", "x" * 300], "--samples"),
            (["estimate", "no-samples", "-o", below_file], "--output"),
            (["validate", "--platform", "no-platform", "-o", below_file], "--output"),
            (["validate", "--suite", "quick", "--keep", below_file], "--keep"),
            (["validate", "--suite", "quick", "--page", below_file], "--page"),
            (["compare", "bcast", "-P", 4, "-m", "1K", *loggp, "--svg", below_file], "--svg"),
            (["schedule", "bcast", "binomial", "--svg", below_file], "--svg"),
            (["report", "--platform", "no-platform", "-o", below_file], "--output"),
            (["bench", "-o", below_file], "--output"),
            (["bench", "--images", below_file], "--images"),
            (["run", "--json", self.folder, "--", "true"], "--json"),
            (["run", "--trace", below_file, "--", "true"], "--trace"),
        ]:
            with self.subTest(words=words):
                self.refuse(*words, mentions=[option, "cannot write"])

    def test_missing_folders_are_created(self):
        svg = self.folder / "a" / "b" / "x.svg"
        self.succeed("schedule", "bcast", "binomial", "-P", 4, "--svg", svg)
        self.assertTrue(svg.exists())

    def test_full_disk_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([runner.POSTAGE, "--version"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)

    def test_remarks_that_cannot_be_written_end_nothing(self):
        rules = self.folder / "rules.conf"
        rules.write_text("1\n7 1\n2 1\n8 6 0 0\n")
        words = [runner.POSTAGE, "lint", rules]  # one finding: a remark says how many, and the status is 1
        with open("/dev/full", "w") as full:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=full, text=True)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 2))
        done = subprocess.run(words, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2), text=True)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 2))
        refused = subprocess.run([runner.POSTAGE, "--bad"], stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2))
        self.assertEqual((refused.returncode, refused.stdout), (2, b""))

    def test_results_do_not_take_the_place_of_a_closed_stream(self):
        picture = self.folder / "x.svg"
        words = [runner.POSTAGE, "schedule", "bcast", "binomial", "-P", "4", "--svg", picture]
        self.succeed(*words[1:])
        whole = picture.read_bytes()
        for closed, status in ((1, 1), (2, 0)):
            picture.unlink()
            done = subprocess.run(words, stdout=None if closed == 1 else subprocess.PIPE, stderr=None if closed == 2 else subprocess.PIPE,
                                  preexec_fn=lambda: os.close(closed))  # fmt: skip
            self.assertEqual((done.returncode, picture.read_bytes()), (status, whole), closed)

    def test_files_without_an_end_are_refused(self):
        for words in (["lint"], ["predict", "bcast", "-m", "1K", "--platform"]):
            self.refuse(*words, "/dev/zero", status=2 if words == ["lint"] else 1, mentions=["/dev/zero", "1 GiB"])


runner.main()
