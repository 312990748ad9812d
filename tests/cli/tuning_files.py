"""Tuning files against the libraries that read them: Open MPI and MPICH as installed here, two to four ranks."""

import json
import os
import re
import shutil
import subprocess
import unittest

import runner

BIN = runner.BUILD / "bin"
OPEN_MPI = shutil.which("mpirun.openmpi") and (BIN / "postage-prove-openmpi").exists()
MPICH = shutil.which("mpirun.mpich") and (BIN / "postage-prove-mpich").exists()
EXHAUSTIVE = bool(os.environ.get("POSTAGE_EXHAUSTIVE"))
SHORT = [] if EXHAUSTIVE else ["--bytes", "64K", "-n", "4"]


def release(launcher, pattern):
    said = subprocess.run([launcher, "--version"], stdout=subprocess.PIPE, text=True).stdout
    return re.search(pattern, said)[1]


def rule(collective, ours, name, ranks=(2, None), size=(0, None), segment=0, **parameters):
    return {
        "collective": collective, "nodes": [1, None], "ranks": list(ranks), "bytes": list(size),
        "choice": {"algorithm": ours, "library_name": name, "segment": segment, "parameters": parameters},
        "predicted": 1e-5, "predicted_interval": [9e-6, 1.1e-5], "default_seconds": 2e-5,
        "gain": {"share": 0.5, "interval": [0.4, 0.6], "source": "measured", "pairs": 20, "sign_test": 0.001},
    }  # fmt: skip


def table(target, version, rules):
    return {"format": "postage-decisions", "version": 1, "target": target, "target_version": version, "platform": "test",
            "created": "", "rules": rules, "dropped": [], "cells": []}  # fmt: skip


def start(mpi, ranks, calls, environment):
    """The traces of calls by their words, and the exit status."""
    command = [f"mpirun.{mpi}", "-n", str(ranks)]
    if mpi == "openmpi":
        command += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
        command += ["-x", f"LD_PRELOAD={BIN}/libpostage-trace-openmpi.so"]
        command += ["--allow-run-as-root"] if os.geteuid() == 0 else []
    try:
        done = subprocess.run([*command, str(BIN / f"postage-prove-{mpi}"), *calls], env={**os.environ, **environment},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)  # fmt: skip
    except subprocess.TimeoutExpired:
        return {}, "timeout"
    traces = dict(re.findall(r"postage-proof\t(\S+)\t(.*)", done.stderr))
    return traces, done.returncode


class Files(runner.CliTest):
    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def checks(self, path, *options):
        result = runner.postage("lint", path, "--json", *options)
        self.assertEqual(result.status, 1 if result.json()[0]["findings"] else 0, result.err)
        return [finding["check"] for finding in result.json()[0]["findings"]]


class Lint(Files):
    def test_reports_line_and_status(self):
        path = self.write("rules.conf", "1\n7 1\n2 1\n8 6 0 0\n")
        result = runner.postage("lint", path)
        self.assertEqual(result.status, 1)
        self.assertRegex(result.out, r"rules\.conf:4: file ignored: .*right would be 0 for the first.*\[first-size\]")
        good = self.write("good.conf", "1\n7 1\n2 1\n0 6 0 0\n")
        self.assertIn("no finding", self.succeed("lint", good).out)

    def test_refuses_what_it_cannot_read(self):
        self.refuse("lint", self.folder / "missing", mentions=["missing"])
        self.refuse("lint", self.write("poem.txt", "Roses are red\n"), mentions=["poem.txt", "--as"])
        self.refuse("lint", self.write("r", "1\n"), "--as", "rules", mentions=["openmpi-rules"])
        self.refuse("lint", self.write("r", "1\n"), "--version", "new", mentions=["new"])
        self.refuse("lint", self.write("r", "1\n"), "--version", "1e999", mentions=["1e999", "4.1.4"])


class Emit(Files):
    def test_refuses_what_it_does_not_know(self):
        decisions = self.write("d.json", json.dumps(table("openmpi", "4.1.4", [rule("scan", "linear", "linear")])))
        self.refuse("emit", decisions, "--for", "openmpi@9.0", "-o", self.folder / "t", mentions=["9.0"])
        for release in ("openmpi@", "openmpi:", "openmpi@new"):
            self.refuse("emit", decisions, "--for", release, "-o", self.folder / "t", mentions=["version", "4.1.4"])
        self.succeed("emit", decisions, "--for", "openmpi:5.0.7", "-o", self.folder / "colon")
        self.refuse("lint", decisions, mentions=["d.json", "postage's own"])
        self.refuse("emit", decisions, "--for", "smpi@3.32", "-o", self.folder / "t", mentions=["smpi"])
        self.succeed("emit", decisions, "--for", "openmpi@4.1.4,ucc,intel", "-o", self.folder / "t")
        self.refuse("emit", decisions, "-o", self.folder / "t", mentions=["exists", "--force"])
        self.succeed("emit", decisions, "-o", self.folder / "t", "--force")
        self.refuse("prove", self.folder / "nowhere", mentions=["nowhere"])


@unittest.skipUnless(OPEN_MPI, "Open MPI is not here")
class OpenMpi(Files):
    """What lint says of a file is what Open MPI does with it."""

    def chosen(self, text, call, ranks=2):
        path = self.write("rules.conf", text)
        settings = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(path)}
        traces, status = start("openmpi", ranks, [call], settings)
        return " ".join(traces.get(call, f"status {status}").split(";")[0].split()[:2]), self.checks(path, "--version", self.version)

    def setUp(self):
        super().setUp()
        self.version = release("mpirun.openmpi", r"\((?:Open MPI|OpenRTE)\) (\S+)")
        if not self.version.startswith("4.1"):
            self.skipTest("the tracer was tried with Open MPI 4.1")

    def test_files_without_findings_are_followed(self):
        self.assertEqual(self.chosen("1\n7 1\n2 2\n0 1 0 0\n1000 2 2 8192\n", "bcast:2:4000"), ("bcast chain", []))
        self.assertEqual(self.chosen("1\n7 2\n2 1\n0 1 0 0\n3 1\n0 5 0 0\n", "bcast:3:64", 3), ("bcast binary_tree", []))

    def test_ignored_files(self):
        usual, _ = self.chosen("0\n", "bcast:2:4000")  # no rules
        for text, check in [
            ("1\n7 1\n2 1\n8 1 0 0\n", "first-size"),
            ("1\n7 1\n2 2\n0 5 0 0\n", "truncated"),
            ("rule-file-version-2\n1\n7 1\n2 1\n0 5 0 0 0\n", "file-version"),
            ("1\n99 1\n2 1\n0 5 0 0\n", "collective"),
        ]:
            self.assertNotEqual(usual, "bcast binary_tree")
            self.assertEqual(self.chosen(text, "bcast:2:4000"), (usual, [check]), text)

    def test_misread_numbers(self):
        # 010 is 8: at 9 bytes the second rule holds already.
        self.assertEqual(self.chosen("1\n7 1\n2 2\n0 1 0 0\n010 6 0 0\n", "bcast:2:9"), ("bcast binomial", ["octal"]))
        # The rule for 4000 bytes is never used.
        unsorted = "1\n7 1\n2 3\n0 1 0 0\n4000 5 0 0\n100 6 0 0\n"
        self.assertEqual(self.chosen(unsorted, "bcast:2:8000"), ("bcast binomial", ["unsorted", "unsorted"]))
        self.assertEqual(self.chosen(unsorted, "bcast:2:800")[0], "bcast basic_linear")
        # Two ranks take the entry for eight.
        self.assertEqual(self.chosen("1\n7 1\n8 1\n0 5 0 0\n", "bcast:2:64"), ("bcast binary_tree", ["missing-sizes"]))

    def test_other_algorithms(self):
        text = "1\n2 1\n2 2\n0 3 0 0\n100000 5 0 65536\n"
        path = self.write("rules.conf", text)
        settings = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(path)}
        traces, _ = start("openmpi", 2, ["allreduce:2:100000", "allreduce:2:262144"], settings)
        self.assertIn("allreduce ring ", traces["allreduce:2:100000"])
        self.assertNotIn("allreduce ring ", traces["allreduce:2:262144"])
        self.assertEqual(self.checks(path), ["few-elements"])

    def test_failing_calls(self):
        for text, call, check in [
            ("1\n7 1\n2 1\n0 11 0 0\n", "bcast:2:64", "algorithm"),
            ("1\n0 1\n2 1\n0 6 0 0\n", "allgather:3:64", "two-proc"),
        ]:
            seen, checks = self.chosen(text, call, 3)
            self.assertEqual(checks, [check])
            self.assertTrue(seen.startswith("status") and seen != "status 0" or "two_proc" in seen, seen)

    def test_rules_are_in_force(self):
        rules = [
            rule("barrier", "dissemination", "bruck"),
            rule("bcast", "chain", "chain", (2, 3), (1024, 65535), 8192, chains=2),
            rule("bcast", "scatter-ring-allgather", "scatter_allgather_ring", (4, None)),
            rule("reduce", "pipeline", "pipeline", size=(4096, None), segment=4096),
            rule("allreduce", "segmented-ring", "segmented_ring", size=(0, None), segment=8192),
            rule("allgather", "recursive-doubling", "recursive_doubling", size=(0, 1023)),
            rule("allgather", "neighbor-exchange", "neighbor", size=(1024, None)),
            rule("alltoall", "bruck", "modified_bruck", size=(0, 511)),
            rule("gather", "binomial", "binomial"),
            rule("reduce_scatter", "butterfly", "butterfly", size=(1024, None)),
            rule("scan", "recursive-doubling", "recursive_doubling"),
        ]
        decisions = self.write("d.json", json.dumps(table("openmpi", self.version, rules)))
        self.succeed("emit", decisions, "-o", self.folder / "tuned")
        for name in ["openmpi/rules.conf", "openmpi/mca-params.conf", "env.sh", "modulefile"]:
            self.assertEqual(self.checks(self.folder / "tuned" / name), [], name)
        proof = self.succeed("prove", self.folder / "tuned", "--json", *SHORT, timeout=180).json()
        self.assertEqual({row["collective"] for row in proof}, {one["collective"] for one in rules})
        self.assertEqual({row["verdict"] for row in proof}, {"in force"})

    def test_a_file_that_says_more_than_the_rules_is_found(self):
        decisions = self.write("d.json", json.dumps(table("openmpi", self.version, [rule("allgather", "linear", "linear", (3, 3), (1024, 4095))])))
        self.succeed("emit", decisions, "-o", self.folder / "tuned")
        rules = self.folder / "tuned" / "openmpi" / "rules.conf"
        self.assertIn("\n12288 0 0 0", rules.read_text())  # of all three ranks
        for before, after, beside in (("12288 0", "16384 0", 4096), ("3072 1", "2048 1", 1016)):
            text = rules.read_text()
            rules.write_text(text.replace(f"\n{before} 0 0", f"\n{after} 0 0"))
            result = runner.postage("prove", self.folder / "tuned", "--json", "-n", "4", timeout=120)
            self.assertEqual(result.status, 1)
            wrong = [row for row in result.json() if row["verdict"] == "NOT IN FORCE"]
            self.assertEqual([(row["ranks"], row["bytes"]) for row in wrong], [(3, beside)])
            self.assertIn("without the files", wrong[0]["reason"])
            rules.write_text(text)

    def test_a_file_that_is_not_read_is_said(self):
        decisions = self.write("d.json", json.dumps(table("openmpi", self.version, [rule("bcast", "linear", "basic_linear")])))
        self.succeed("emit", decisions, "-o", self.folder / "tuned")
        script = self.folder / "tuned" / "env.sh"
        script.write_text(script.read_text().replace("use_dynamic_rules=\"1\"", "use_dynamic_rules=\"0\""))
        result = runner.postage("prove", self.folder / "tuned", "-n", "2", timeout=120)
        self.assertEqual(result.status, 1)
        self.assertIn("NOT IN FORCE", result.out)
        self.assertIn("the file is not read", result.out)


def leaf(name):
    return {f"algorithm=MPIR_{name}": {}}


@unittest.skipUnless(MPICH, "MPICH with its static library is not here")
class Mpich(Files):
    """What lint says of a tree is what MPICH does with it."""

    def setUp(self):
        super().setUp()
        self.version = release("mpirun.mpich", r"Version:\s+(\S+)")
        if not self.version.startswith("4.0"):
            self.skipTest("these trees are for MPICH 4.0")
        decisions = self.write("d.json", json.dumps(table("mpich", self.version, [rule("scan", "recursive-doubling", "recursive_doubling")])))
        self.succeed("emit", decisions, "-o", self.folder / "tuned")
        self.whole = json.loads((self.folder / "tuned/mpich/generic.json").read_text())

    def outcome(self, collective, rules, ranks, size=64):
        """Whether a call works with a whole tree whose rules of one collective are these, and what lint says of it."""
        tree = dict(self.whole)
        tree[f"collective={collective}"] = {**tree[f"collective={collective}"], "comm_type=intra": rules}
        path = self.write("tree.json", json.dumps(tree, indent=1))
        _, status = start("mpich", ranks, [f"{collective}:{ranks}:{size}"], {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(path)})
        return status == 0, self.checks(path, "--version", self.version)

    def test_trees(self):
        binomial = leaf("Bcast_intra_binomial")
        cases = [
            ("bcast", {"comm_size<=2": binomial, "comm_size=any": leaf("Bcast_intra_scatter_ring_allgather")}, 3, True, []),
            ("bcast", {"avg_msg_size<=100": binomial}, 2, False, ["no-any"]),
            ("allgather", {"comm_size=any": leaf("Allgather_intra_recursive_doubling")}, 3, False, ["needs-power-of-two"]),
            ("allgather", {"avg_msg_size<=9": leaf("Allgather_intra_ring"), "avg_msg_size=any": leaf("Allgather_intra_ring")}, 2, False,
             ["undefined-key"]),
            ("allreduce", {"is_op_built_in=yes": leaf("Allreduce_intra_reduce_scatter_allgather"),
                           "is_op_built_in=no": leaf("Allreduce_intra_recursive_doubling")}, 4, False, ["needs-count"]),
        ]  # fmt: skip
        if EXHAUSTIVE:
            cases += [
                ("bcast", {"comm_size<=2": binomial, **leaf("Bcast_intra_binomial")}, 3, False, ["siblings"]),
                ("bcast", {"collective=reduce": leaf("Reduce_intra_binomial"), "comm_size=any": binomial}, 3, True, ["never-reached"]),
                ("bcast", {"comm_size=any": {"algorithm=MPIR_Bcast_intra_binomial": {"k=4": {}}}}, 3, True, ["parameter"]),
                ("bcast", {"comm_size=any": {"composition=MPIDI_Bcast_intra_composition_beta": {}}}, 3, False, ["mixed"]),
                ("bcast", {"avg_msg_size=any": binomial, "avg_msg_size<=10": binomial}, 2, False, ["behind-any"]),
                ("bcast", {"avg_msg_siz<=10": binomial, "avg_msg_size=any": binomial}, 2, False, ["key"]),
                ("bcast", {"comm_size=any": leaf("Bcast_intra_nothing")}, 2, False, ["algorithm"]),
                ("bcast", {"comm_size=any": leaf("Allreduce_intra_recursive_doubling")}, 2, False, ["algorithm"]),
                ("bcast", {"avg_msg_size=any": {}}, 2, False, ["empty"]),
                ("reduce_scatter", {"comm_size=any": leaf("Reduce_scatter_intra_noncommutative")}, 3, False,
                 ["needs-power-of-two", "needs-equal-blocks"]),
                ("alltoall", {"comm_size<=4": leaf("Alltoall_allcomm_nb"), "comm_size=any": leaf("Alltoall_allcomm_nb")}, 3, True, []),
            ]  # fmt: skip
        for collective, rules, ranks, works, checks in cases:
            size = 16 if checks == ["needs-count"] else 64
            self.assertEqual(self.outcome(collective, rules, ranks, size), (works, checks), rules)

    def test_parameters(self):
        """MPI_Bcast handed to a tree of MPI_Ibcast: what it cannot do with is found."""
        for parameters, works, checks in [
            ({"tree_type": 1, "k": 2, "chunk_size": 1024}, True, []),
            ({"tree_type": 1, "k": 1, "chunk_size": 1024}, False, ["parameter-value"]),
            ({"tree_type": 1, "k": 2, "chunk_size": "4K"}, False, ["parameter-value"]),
            ({"tree_type": 7, "k": 2, "chunk_size": 0}, False, ["tree-type"]),
        ]:
            below = {f"{name}={value}": {} for name, value in parameters.items()}
            self.whole["collective=ibcast"] = {**self.whole["collective=ibcast"],
                "comm_type=intra": {"comm_size=any": {"algorithm=MPIR_Ibcast_intra_tsp_tree": below}}}  # fmt: skip
            self.assertEqual(self.outcome("bcast", {"comm_size=any": leaf("Bcast_allcomm_nb")}, 3), (works, checks), parameters)

    def test_json_that_json_c_takes(self):
        text = json.dumps(self.whole, indent=1)
        for changed, works, checks in [
            ("// tuned\n" + text, True, []),
            (text.replace('"', "'"), True, []),
            (text.rstrip()[:-1] + ",}", True, []),
            ("# tuned\n" + text, False, ["syntax"]),
        ]:
            path = self.write("tree.json", changed)
            _, status = start("mpich", 2, ["bcast:2:64"], {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(path)})
            self.assertEqual((status == 0, self.checks(path)), (works, checks), changed[:10])

    def test_missing_collectives(self):
        path = self.write("tree.json", json.dumps({"collective=bcast": {"comm_type=intra": leaf("Bcast_intra_binomial")}}))
        _, status = start("mpich", 2, ["allreduce:2:64"], {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(path)})
        self.assertNotEqual(status, 0)
        self.assertIn("missing-collectives", self.checks(path))

    def test_defaults_are_the_librarys_own(self):
        """Where no rule holds, the emitted tree decides as the built-in one does."""
        calls = [f"{collective}:{ranks}:{size}" for collective in ["bcast", "allreduce", "reduce", "allgather", "alltoall", "reduce_scatter"]
                 for ranks in ([2, 3, 4] if EXHAUSTIVE else [3, 4]) for size in [8, 2048, 16384, 262144]]  # fmt: skip
        usual, status = start("mpich", 4, calls, {})
        self.assertEqual((status, len(usual)), (0, len(calls)))
        tree = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(self.folder / "tuned/mpich/generic.json")}
        self.assertEqual(start("mpich", 4, calls, tree), (usual, 0))

    def test_rules_are_in_force(self):
        rules = [
            rule("barrier", "dissemination", "dissemination"),
            rule("bcast", "knomial", "nb+tsp_tree+knomial_1", (2, 3), (1024, None), 4096, radix=2),
            rule("bcast", "scatter-ring-allgather", "scatter_ring_allgather", (4, None), (1024, None)),
            rule("reduce", "rabenseifner", "reduce_scatter_gather"),
            rule("allreduce", "rabenseifner", "reduce_scatter_allgather", size=(0, 4095)),
            rule("allgather", "recursive-doubling", "recursive_doubling", size=(512, None)),
            rule("alltoall", "bruck", "brucks", size=(256, 4095)),
            rule("reduce_scatter", "pairwise", "pairwise"),
        ]
        decisions = self.write("d.json", json.dumps(table("mpich", self.version, rules)))
        self.succeed("emit", decisions, "-o", self.folder / "tuned", "--force")
        for name in ["mpich/generic.json", "mpich/ch4.json", "env.sh", "modulefile"]:
            self.assertEqual(self.checks(self.folder / "tuned" / name), [], name)
        proof = self.succeed("prove", self.folder / "tuned", "--json", *SHORT, timeout=180).json()
        self.assertEqual({row["collective"] for row in proof}, {one["collective"] for one in rules})
        self.assertEqual({row["verdict"] for row in proof}, {"in force"})


if __name__ == "__main__":
    runner.main()
