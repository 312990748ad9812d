"""Manual pages, completion and topics, by the programs that read them."""

import os
import re
import shutil
import subprocess
import unittest

import runner


def commands():
    return re.findall(r"^  ([a-z-]+) +\S", runner.postage("--help").out.split("Subcommands:\n")[1].split("\n\n")[0], re.MULTILINE)


class Manual(runner.CliTest):
    def run_tool(self, *words, environment=None):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def test_pages_are_well_formed_and_complete(self):
        self.succeed("manual-pages", self.folder)
        pages = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(pages, sorted(["postage.1", *(f"postage-{name}.1" for name in commands())]))
        for page in pages:
            done = self.run_tool("man", "--warnings", "-l", self.folder / page, environment={"MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual(done.stderr, "", page)
            self.assertIn("EXIT STATUS", done.stdout)
            self.assertIn(page.removesuffix(".1"), self.run_tool("lexgrog", self.folder / page).stdout)

    def test_a_page_has_every_option_of_the_help(self):
        self.succeed("manual-pages", self.folder)
        shown = self.run_tool("man", "-l", self.folder / "postage-predict.1", environment={"MANWIDTH": "200"}).stdout
        options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", self.succeed("predict", "--help").out, re.MULTILINE)
        self.assertGreater(len(options), 20)
        for option in options:
            self.assertRegex(shown.replace("‐", "-"), rf"(?m){option}\b")

    def test_topics(self):
        listed = re.findall(r"^([a-z][a-z-]*)  ", self.succeed("help").out, re.MULTILINE)
        self.assertGreaterEqual(set(listed), {"models", "trust", "tuning", "tutorial"})
        pages = {path.stem for path in (runner.SOURCE / "docs").glob("*.md")} - {"README"}
        self.assertEqual(set(listed) - {"topic"}, pages)
        models = self.succeed("help", "models").out
        self.assertIn("MODELS\n", models)
        self.assertIn("postage models --help describes the command", models)
        self.assertNotIn("](", models)
        self.refuse("help", "nosuch", mentions=["nosuch", "tuning"])

    def completions_of_bash(self, *words):
        script = self.folder / "bash"
        script.write_text(self.succeed("completion", "bash").out)
        line = " ".join(f"'{word}'" for word in words)
        code = f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _postage; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return self.run_tool("bash", "-c", code).stdout.split()

    def test_bash(self):
        self.assertEqual(self.completions_of_bash("postage", "pre"), ["predict"])
        self.assertEqual(set(self.completions_of_bash("postage", "")) - {"-h", "--help", "--version"}, set(commands()))
        self.assertIn("--platform", self.completions_of_bash("postage", "predict", "--p"))
        self.assertEqual(self.completions_of_bash("postage", "predict", "--model", "loggp"), ["loggp", "loggps", "loggph", "loggpc"])
        self.assertEqual(self.completions_of_bash("postage", "predict", "bca"), ["bcast"])
        self.assertEqual(self.completions_of_bash("postage", "export", "--for", ""), ["smpi", "loggopsim"])
        self.assertIn("--hosts", self.completions_of_bash("postage", "lab", "up", "--h"))
        self.assertEqual(self.completions_of_bash("postage", "predict", "--platform", "x"), [])  # files

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        script = self.folder / "fish"
        script.write_text(self.succeed("completion", "fish").out)

        def completions(line):
            code = f"source {script}; complete -C '{line}'"
            return [word.split("\t")[0] for word in self.run_tool("fish", "--no-config", "-c", code).stdout.splitlines()]

        self.assertEqual(completions("postage pre"), ["predict"])
        self.assertIn("--platform", completions("postage predict --pl"))
        self.assertEqual(set(completions("postage export --for ")), {"smpi", "loggopsim"})
        self.assertIn("bcast", completions("postage predict bca"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        folder = self.folder / "functions"
        folder.mkdir()
        (folder / "_postage").write_text(self.succeed("completion", "zsh").out)
        self.run_tool("zsh", "-n", folder / "_postage")
        self.assertEqual(
            self.run_tool("zsh", "-f", "-c", f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -d {self.folder}/d; print $_comps[postage]").stdout,
            "_postage\n",
        )


if __name__ == "__main__":
    runner.main()
