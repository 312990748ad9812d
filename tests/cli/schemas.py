"""The schemas in share/ accept what postage writes, and refuse every file that lacks a field or has a wrong one."""

import copy
import json
import subprocess
import sys

import jsonschema

import runner

TOOL = sys.argv.pop()


def ways(value, way=()):
    """The way to each member and element, outermost first."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield way + (key,)
        yield from ways(member, way + (key,))


def at(value, way):
    for key in way:
        value = value[key]
    return value


def validator(name):
    schema = json.loads((runner.SOURCE / "share" / f"{name}.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


SUMMARY = {
    "count": 8, "median": 1e-6, "mean": 1e-6, "standard_deviation": 0.0, "minimum": 1e-6, "maximum": 1e-6,
    "median_lower": None, "median_upper": 1e-6, "outliers": 0, "steady": True, "modes": [{"centre": 1e-6, "share": 0.5}],
}  # fmt: skip
EXPERIMENTS = [
    {"kind": "roundtrip", "source": 0, "target": 1, "bytes": 8, "reply_bytes": 8},
    {"kind": "strided-roundtrip", "source": 0, "target": 1, "bytes": 8, "run_bytes": 4, "stride": 8, "by_hand": True},
    {"kind": "train", "source": 0, "target": 1, "bytes": 8, "messages": 4, "delay": 0.0},
    {"kind": "delayed-receive", "source": 0, "target": 1, "bytes": 8, "messages": 1, "delay": 1e-6},
    {"kind": "send-overhead", "source": 0, "target": 1, "bytes": 8, "messages": 1},
    {"kind": "one-to-two", "source": 0, "target": 1, "second_target": 2, "bytes": 8},
    {"kind": "ring", "members": [0, 1, 2], "channel": "inter-node", "bytes": 8, "method": "global-clock"},
    {"kind": "synchronised-exchange", "members": [0, 1], "channel": "shared-cache", "bytes": 8, "method": "global-clock"},
    {"kind": "answer", "members": [0, 1], "channel": "shared-cache", "bytes": 8, "method": "global-clock"},
    {"kind": "gather", "root": 0, "ranks": 2, "bytes": 8, "method": "synchronised-clocks"},
    {"kind": "collective", "collective": "bcast", "algorithm": "binomial", "bytes": 8, "segment_bytes": 0, "run_bytes": 0, "stride": 0,
     "root": 0, "ranks": 2, "method": "maximum"},
    {"kind": "reduction", "source": 0, "bytes": 8},
    {"kind": "copy", "source": 0, "bytes": 8},
    {"kind": "program", "source": 0, "bytes": 8},
]  # fmt: skip
SAMPLES = {
    "format": "postage-samples", "version": 3, "implementation": "MPICH 4.0.2", "is_virtual": False, "created": "",
    "settings": {"precision": 0.025, "confidence": 0.95, "budget": 30.0, "warm_up": 5, "least_repetitions": 8,
                 "most_repetitions": 5000, "passes": 6, "serial": False, "triplets": 10, "timing": "clocks",
                 "keep_values": True},
    "interrupted": False, "clock_error": 0.0, "clock_tick": 1e-9, "duration": 1.5, "rounds": 1, "experiments": 2,
    "nodes": [{"name": "a", "cores": [{"pu": 0, "socket": 0, "numa": 0, "cache": 0}]}],
    "ranks": [{"node": 0, "core": 0}],
    "measurements": [{"experiment": experiment, "summary": SUMMARY, "precise": True, "inner": 1, "late": 0,
                      "passes": [[1e-6], []], "processors": [4e-6, 0]} for experiment in EXPERIMENTS],
    "controls": [{"experiment": EXPERIMENTS[0], "before": SUMMARY, "after": SUMMARY}],
    "probes": [[[1e-6, 1e-6], []], [[2e-6, 2e-6], []]],
    "left_out": [EXPERIMENTS[1]],
    "ended_early": "host h3 vanished",
    "unmade": ["gather of 1 groups of ranks"],
    "pair_probes": {"bytes": [1], "pairs": [[0, 1, 1e-6, 1e-8]]},
    "shm_protocols": [{"level": "shared-cache", "buffers": "reused", "eager": 8192, "single_copy": 32768,
                       "cooperative": 131072, "skewed_single_copy": 262144, "bidirectional_single_copy": 32768,
                       "pool_window": True}],
}  # fmt: skip
VALIDATION = {
    "format": "postage-validation", "version": 1,
    "platform": {"name": "x", "implementation": "MPICH 4.0.2", "is_virtual": False},
    "rows": [{"kind": "collective", "collective": "bcast", "algorithm": "binomial", "P": 16, "bytes": 65536,
              "segment": 0, "root": 0, "source": 0, "target": 1, "model": "hockney", "predicted": 1e-6, "lower": None,
              "upper": 2e-6, "measured": 1e-6, "measured_lower": 1e-6, "measured_upper": 1e-6, "repetitions": 8,
              "precise": True, "error": 0.0}],
}  # fmt: skip
RULE = {
    "collective": "bcast", "nodes": [1, 4], "ranks": [2, None], "bytes": [0, 1023],
    "choice": {"algorithm": "chain", "library_name": "chain", "segment": 8192, "parameters": {"chains": 2}},
    "predicted": 1e-6, "predicted_interval": [None, 2e-6], "default_seconds": 2e-6,
    "gain": {"share": 0.5, "interval": [0.4, 0.6], "source": "measured", "pairs": 20, "sign_test": 0.01},
}  # fmt: skip
DECISIONS = {
    "format": "postage-decisions", "version": 1, "target": "openmpi", "target_version": "4.1.4", "platform": "x",
    "created": "", "rules": [RULE], "dropped": [{"rule": RULE, "reason": "the gain is within noise"}],
    "cells": [{"collective": "bcast", "nodes": 1, "ranks": 2, "bytes": 8, "choice": RULE["choice"],
               "tuned_seconds": 1e-6, "default_seconds": 2e-6, "measured": True}],
}  # fmt: skip
# Written only where there is something to write.
OPTIONAL = ["shm_protocols", "left_out", "imprecise"]
OF_NETWORKS = ["network", "bandwidth", "cables", "from_first_row", "send", "receive", "overhead", "parent", "up", "down", "exits", "torus",
               "down_from_middle", "backbone", "half_duplex"]  # fmt: skip
OPTIONAL_IN_SAMPLES = ["outliers", "steady", "modes", "precise", "inner", "late", "unmade", "ended_early", "all_pairs", "pair_probes"]
# The schema knows no kind of experiment, so not which of these a kind has; tests/unit/samples holds the reader to that.
OF_SOME_KINDS = ["target", "second_target", "reply_bytes", "messages", "delay", "run_bytes", "stride", "by_hand",
                 "collective", "algorithm", "segment_bytes"]  # fmt: skip


class Schemas(runner.CliTest):
    def platform_tool(self, action, path):
        return subprocess.run([TOOL, action, path], capture_output=True, text=True)

    def written(self):
        path = self.folder / "platform.json"
        self.assertEqual(self.platform_tool("write", path).returncode, 0)
        return json.loads(path.read_text())

    def reader_refuses(self, value):
        path = self.folder / "damaged.json"
        path.write_text(json.dumps(value))
        done = self.platform_tool("read", path)
        return done.returncode == 1 and str(path) in done.stderr and done.stderr.count("\n") == 1

    def lacking_a_field(self, value, optional=()):
        for way in ways(value):
            if isinstance(way[-1], str) and way[-1] not in optional and "parameters" not in way[-2:-1]:
                damaged = copy.deepcopy(value)
                del at(damaged, way[:-1])[way[-1]]
                yield way, damaged

    def with_a_wrong_type(self, value):
        for way in ways(value):
            damaged = copy.deepcopy(value)
            at(damaged, way[:-1])[way[-1]] = {"not": ["a", "value"]}
            yield way, damaged

    def check_damage(self, name, value, optional=(), newest_version=1):
        schema = validator(name)
        schema.validate(value)
        for damage in (self.lacking_a_field(value, optional), self.with_a_wrong_type(value)):
            for way, damaged in damage:
                self.assertFalse(schema.is_valid(damaged), way)
        for field, wrong in [("format", "postage-other"), ("version", newest_version + 1)]:
            self.assertFalse(schema.is_valid({**value, field: wrong}))
        self.assertFalse(schema.is_valid({**value, "misspelt": 1}))

    def test_platform(self):
        self.check_damage("platform", self.written(), optional=[*OPTIONAL, *OF_NETWORKS], newest_version=5)

    def test_a_platform_of_version_1_is_read(self):
        value = self.written()
        value["version"] = 1
        for group in value["models"][0]["groups"]:
            self.assertIn("alpha", group["parameters"])
        value["models"] = value["models"][:1]
        validator("platform").validate(value)
        path = self.folder / "old.json"
        path.write_text(json.dumps(value))
        self.assertEqual(self.platform_tool("read", path).stdout, "another platform\n")

    def test_samples(self):
        self.check_damage("samples", SAMPLES, optional=["passes", "processors", "probes", *OPTIONAL, *OPTIONAL_IN_SAMPLES, *OF_SOME_KINDS],
                          newest_version=3)

    def test_tables_of_samples(self):
        table = {"rows": 2, "all": {"experiment": {"kind": "send-overhead", "source": 0, "target": 1, "messages": 1}, "summary": {"count": 2}},
                 "each": {"experiment": {"bytes": [8, 64]}, "summary": {"median": [1e-6, 2e-6]}}, "some": {"late": [None, 3]}}  # fmt: skip
        schema = validator("samples")
        schema.validate({**SAMPLES, "measurements": [*SAMPLES["measurements"], table]})
        for damaged in (
            {**table, "rows": 1},
            {**table, "all": {"summary": {}}},
            {**table, "each": []},
            {"rows": 2, "all": table["all"]},
            {**table, "misspelt": 1},
        ):
            self.assertFalse(schema.is_valid({**SAMPLES, "measurements": [damaged]}), damaged)

    def test_validation(self):
        self.check_damage("validation", VALIDATION)

    def test_decisions(self):
        self.check_damage("decisions", DECISIONS, optional=["chains"])

    def test_the_reader_refuses_what_the_schema_refuses(self):
        value = self.written()
        self.assertEqual(self.platform_tool("read", self.folder / "platform.json").stdout, "the example\n")
        refused = 0
        for damage in (self.lacking_a_field(value, [*OPTIONAL, *OF_NETWORKS]), self.with_a_wrong_type(value)):
            # Each process takes milliseconds: every fifth will do.
            for way, damaged in list(damage)[::5]:
                self.assertTrue(self.reader_refuses(damaged), way)
                refused += 1
        self.assertGreater(refused, 20)

    def test_the_reader_refuses_what_is_no_json(self):
        path = self.folder / "cut.json"
        path.write_text(json.dumps(self.written())[:200])
        done = self.platform_tool("read", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not valid JSON", done.stderr)


runner.main()
