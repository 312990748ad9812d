"""What `postage run` refuses before it starts a program: options and variables that the preload library would not take."""

import json

import runner


def decisions(target):
    head = {"format": "postage-decisions", "version": 1, "target": target, "target_version": "0.0.0"}
    return json.dumps({**head, "platform": "", "created": "", "rules": [], "dropped": [], "cells": []})


class Run(runner.CliTest):
    def refuse_with(self, environment, *words, status=2, mentions=()):
        started = self.folder / "started"
        self.refuse("run", *words, "--", "touch", started, status=status, mentions=mentions, environment=environment)
        self.assertFalse(started.exists(), "the program was started")

    def test_variables_that_are_wrong(self):
        for name, value, right in (
            ("POSTAGE_PRELOAD", "never", "on, off or always"),
            ("POSTAGE_PROBES", "maybe", "on or off"),
            ("POSTAGE_PROBES", "always", "on or off"),
            ("POSTAGE_STATS", "yes", "on or off"),
            ("POSTAGE_PRETENDED_CORES", "two", "a whole number"),
            ("POSTAGE_PRETENDED_CORES", "1,2", "a whole number"),
            ("POSTAGE_PRETENDED_NODES", "0,,1", "a list of whole numbers with commas between them"),
            ("POSTAGE_PRETENDED_TIMES", "1,2,3,4", "up to three whole numbers with commas between them"),
        ):
            with self.subTest(name=name, value=value):
                self.refuse_with({name: value}, mentions=[f'{name} is {right}, not "{value}"'])

    def test_folders_of_programs(self):
        for command in (["measure", "-n", 2], ["run", "--", "mpirun.openmpi", "true"]):
            self.refuse(*command, environment={"POSTAGE_LIBEXEC": "/nowhere"},
                        mentions=['POSTAGE_LIBEXEC is a folder with Postage\'s programs, not "/nowhere"'])  # fmt: skip

    def test_names_that_are_misspelled(self):
        self.refuse_with({"POSTAGE_PROBE": "off"}, mentions=["POSTAGE_PROBE=off", "the name is POSTAGE_PROBES"])

    def test_files_that_cannot_be_written(self):
        for name in ("POSTAGE_STATS_JSON", "POSTAGE_TRACE"):
            with self.subTest(name=name):
                self.refuse_with({name: "/dev/null/x"}, mentions=[name, "cannot write /dev/null/x"])

    def test_files_that_are_wrong(self):
        foreign = self.folder / "foreign.json"
        foreign.write_text(decisions("ucc"))
        missing = self.folder / "none.json"
        for name, option, value, mention in (
            ("POSTAGE_DECISIONS", "--decisions", foreign, "decisions for ucc"),
            ("POSTAGE_DECISIONS", "--decisions", missing, "none.json"),
            ("POSTAGE_SCHEDULES", "--schedule", missing, "none.json"),
        ):
            with self.subTest(name=name, value=value.name):
                self.refuse_with({name: str(value)}, status=2, mentions=[name, mention])
                self.refuse_with({}, option, value, status=2, mentions=[option, mention])

    def test_right_ones_and_those_that_options_replace(self):
        right = self.folder / "right.json"
        right.write_text(decisions("preload"))
        environment = {
            "POSTAGE_PRELOAD": "always",
            "POSTAGE_PROBES": "0",
            "POSTAGE_STATS": "maybe",
            "POSTAGE_STATS_JSON": "/dev/null/x",
            "POSTAGE_TRACE": str(self.folder / "a" / "trace"),
            "POSTAGE_DECISIONS": "/nowhere",
            "POSTAGE_PRETENDED_NODES": "0,0,1",
            "POSTAGE_OF_SOMEBODY_ELSE": "maybe",
        }
        started = self.folder / "started"
        words = ["--stats", "--json", self.folder / "s.json", "--decisions", right]
        self.succeed("run", *words, "--", "touch", started, environment=environment)
        self.assertTrue(started.exists())


runner.main()
