"""`postage tune`, on a simulated cluster."""

import json
import os
import random
import resource
import signal
import subprocess

import runner

CLUSTER = ["--virtual", "flat16", "--ranks", "4"]
SMALL = ["--collectives", "bcast,barrier", "--sizes", "8,64K"]
NAMES = {"bcast": {"flattree", "NTSL", "NTSB", "binomial_tree", "ompi_pipeline", "mvapich2_knomial_intra_node",
                   "scatter_rdb_allgather", "scatter_LR_allgather"}}  # fmt: skip


class Choices(runner.CliTest):
    def page_faults(self, *words):
        """Of the ranks that time MPICH's reductions of a MiB, each of which allocates a vector."""
        points, times = self.folder / "points", self.folder / "times"
        points.write_text("2 reduce:binomial:1M; MPIR_CVAR_REDUCE_INTRA_ALGORITHM=binomial\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        program = runner.BUILD / "bin" / "postage-choices-mpich"
        subprocess.run(["mpiexec.mpich", "-n", "2", program, points, times, "1s", *words], check=True, timeout=120, capture_output=True)
        self.assertEqual(len(times.read_text().splitlines()), 2)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    def test_memory_that_a_library_frees_is_kept_where_that_is_asked_for(self):
        self.assertGreater(self.page_faults(), 2 * self.page_faults("keep"))


class Tune(runner.CliTest):
    @classmethod
    def setUpClass(cls):
        folder = runner.SOURCE.__class__(os.environ.get("TMPDIR", "/tmp"))
        cls.platform = folder / f"postage-tune-{os.getpid()}.json"
        done = runner.postage("measure", *CLUSTER, "--quick", "--models", "flow", "-o", cls.platform, timeout=300)
        assert done.status == 0, done.err

    @classmethod
    def tearDownClass(cls):
        cls.platform.unlink()

    def tune(self, *words):
        return ["tune", "--platform", self.platform, *CLUSTER, *SMALL, "-o", self.folder / "tuned", *words]

    def test_rules_hold_what_they_promise(self):
        beside = self.folder / "beside.json"
        tables = self.succeed(*self.tune("--json", "--held-out", beside), timeout=300).json()
        written = json.loads((self.folder / "tuned" / "decisions-smpi.json").read_text())
        self.assertEqual(tables, [written])
        self.assertEqual(written["target"], "smpi")
        self.assertTrue(written["rules"])
        for rule in written["rules"]:
            self.assertGreater(rule["gain"]["interval"][0], 0.02)
            self.assertEqual(rule["gain"]["source"], "measured")
            if rule["collective"] in NAMES:
                self.assertIn(rule["choice"]["library_name"], NAMES[rule["collective"]])
        for cell in written["cells"]:
            self.assertLessEqual(cell["tuned_seconds"], cell["default_seconds"] * (1 + 1e-9))
        rows = json.loads(beside.read_text())
        self.assertTrue(rows)
        for row in rows:
            self.assertLess(row["tuned"], 1.02 * row["default"], row)

    def test_what_is_there_is_kept(self):
        self.succeed(*self.tune(), timeout=300)
        self.refuse(*self.tune(), mentions=["decisions-smpi.json", "--force"])
        self.succeed(*self.tune("--force"), timeout=300)

    def kill_when(self, reached):
        """Kills a run as soon as `reached` is true; false if it ended before."""
        with subprocess.Popen([str(runner.POSTAGE), *map(str, self.tune())], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, cwd=self.folder) as process:  # fmt: skip
            runner.wait_for(lambda: reached() or process.poll() is not None)
            process.send_signal(signal.SIGKILL)
        return process.returncode != 0

    def test_a_killed_run_goes_on_to_the_same_result(self):
        tuned = self.folder / "tuned"
        names = ["decisions-smpi.json", "decisions-smpi.svg", "state/smpi-4x1.json"]
        self.succeed(*self.tune(), timeout=300)
        whole = [(tuned / name).read_bytes() for name in names]
        last = len(json.loads(whole[2])["times"])
        tuned.rename(self.folder / "whole")
        self.assertTrue(self.kill_when(lambda: True))
        before = []
        for moment in sorted(random.Random(20).sample(range(1, last), 3)):
            state = tuned / names[2]
            if not self.kill_when(lambda: state.exists() and len(json.loads(state.read_text())["times"]) >= moment):
                break
            after = json.loads(state.read_text())["times"]
            for times in before:
                self.assertIn(times, after)
            before = after
        self.assertTrue(before)
        if not (tuned / names[0]).exists():
            self.succeed(*self.tune(), timeout=300)
        self.assertEqual([(tuned / name).read_bytes() for name in names], whole)

    def test_what_was_measured_for_another_job_is_not_taken(self):
        self.succeed(*self.tune(), timeout=300)
        (self.folder / "tuned" / "decisions-smpi.json").unlink()
        self.refuse(*self.tune("--selector", "mpich"), status=1, mentions=["smpi-4x1.json", "--force"])

    def test_libraries_that_are_not_here_are_decided_for_by_prediction(self):
        words = ["tune", "--platform", self.platform, *SMALL, "-o", self.folder / "other", "--for", "openmpi,ucc:1.2.0,preload"]
        tables = self.succeed(*words, "--json").json()
        self.assertEqual([table["target"] for table in tables], ["openmpi", "ucc", "preload"])
        self.assertEqual(tables[1]["target_version"], "1.2.0")
        for table in tables:
            self.assertTrue(table["rules"])
            for rule in table["rules"]:
                self.assertEqual((rule["gain"]["source"], rule["gain"]["pairs"]), ("predicted", 0))
        for name in ("env.sh", "README.md", "openmpi", "ucc", "decisions-preload.json"):
            self.assertTrue((self.folder / "other" / name).exists(), name)

    def test_bad_input(self):
        self.refuse(*self.tune("--for", "lam"), mentions=["lam", "openmpi", "mpich"])
        self.refuse(*self.tune("--for", "ucc,ucc@1.2"), mentions=["ucc", "twice"])
        self.refuse(*self.tune("--for", "openmpi:new"), mentions=["new", "4.1.4"])
        self.refuse("tune", *CLUSTER, "--for", "mpich,openmpi:9.0.0", "-o", self.folder / "new", mentions=["9.0.0"])
        for release in ("2018", "2021.14"):
            self.refuse(*self.tune("--for", f"intel@{release}"), mentions=[release, "2021 to 2021.12"])
        self.assertFalse((self.folder / "new").exists())
        other = self.folder / "other.json"
        for text in ("{}", "[]", "3", '{"ranks": 4}', self.platform.read_text(), '{"implementation": "x", "ranks": 4, "results": []}'):
            other.write_text(text)
            self.refuse(*self.tune("--guidelines", other), mentions=["other.json", "postage-guidelines"])
        other.write_text('{"format": "postage-guidelines", "version": 2}')
        self.refuse(*self.tune("--guidelines", other), mentions=["other.json has version 2", "use a newer one"])
        other.write_text('{"format": "postage-guidelines", "version": 1}')
        self.refuse(*self.tune("--guidelines", other), mentions=["other.json", "/ranks"])
        # Before anything is measured, so that no folder stays.
        self.refuse("tune", *CLUSTER, "--for", "foo", "-o", self.folder / "new", mentions=["foo", "openmpi"])
        self.refuse("tune", *CLUSTER, "--collectives", "talk", "-o", self.folder / "new", mentions=["talk"])
        self.assertFalse((self.folder / "new").exists())
        words = ["tune", "--platform", self.platform, *CLUSTER, "-o", self.folder / "x"]
        self.refuse(*words, "--collectives", "talk", mentions=["talk", "bcast"])
        self.refuse(*words, "--collectives", "bcast,barrier,bcast", mentions=["bcast twice"])
        self.refuse(*words, "--collectives", "", mentions=["--collectives", "allreduce"])
        for budget in ("0", "-5s"):
            self.refuse(*words, "--tuning-budget", budget, mentions=["--tuning-budget", budget, "60s"])
        for cluster in ("mixed16", "seed:17"):
            self.refuse("tune", "--platform", self.platform, "--virtual", cluster, *SMALL, "-o", self.folder / "x",
                        mentions=["flat16", cluster])  # fmt: skip
        measured = json.loads(self.platform.read_text())
        other.write_text(json.dumps({**measured, "implementation": "Open MPI 4.1.4"}))
        self.refuse("tune", "--platform", other, "--mpi", "mpich", *SMALL, "-o", self.folder / "x",
                    mentions=["Open MPI 4.1.4", "--mpi mpich"])  # fmt: skip
        self.refuse(*self.tune("--per-node", "0"), mentions=["--per-node"])
        self.refuse(*self.tune("--nodes", "1", "--per-node", "1"), mentions=["--nodes"])
        self.refuse("tune", "--platform", self.platform, "-o", self.folder / "x", mentions=["--virtual"])
        self.refuse("tune", "--platform", self.folder / "none.json", "-o", self.folder / "x", mentions=["none.json"])

    def test_missing_program(self):
        # Nothing but postage itself and what measures: no simulation of an algorithm could be made.
        for name in ("postage", "postage-measure-smpi"):
            (self.folder / name).write_bytes((runner.BUILD / "bin" / name).read_bytes())
            (self.folder / name).chmod(0o755)
        for words in ([], ["--platform", str(self.platform)]):
            done = subprocess.run([self.folder / "postage", "tune", *CLUSTER, *words, "-o", self.folder / "t"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stderr, r"\Apostage: postage-batch-smpi was not built.+\n\Z")

    def test_says_that_the_default_could_not_be_traced(self):
        for name in ("postage", "postage-measure-mpich", "postage-choices-mpich"):
            (self.folder / name).symlink_to(runner.BUILD / "bin" / name)
        postage, tracer = self.folder / "postage", self.folder / "postage-prove-mpich"
        postage.unlink()
        postage.write_bytes((runner.BUILD / "bin" / "postage").read_bytes())
        tracer.write_text("#!/bin/sh\necho 'no tracer today' >&2\nexit 3\n")
        for program in (postage, tracer):
            program.chmod(0o755)
        words = ["tune", "--mpi", "mpich", "-n", "2", "--budget", "3s", "--tuning-budget", "2s", "--collectives", "bcast",
                 "--sizes", "64K", "-o", self.folder / "t"]  # fmt: skip
        done = subprocess.run([postage, *words], capture_output=True, text=True, timeout=300)
        self.assertRegex(done.stderr, r"(?m)^postage: calls at \d+ points could not be traced.+default.+status 3: no tracer")
        self.assertEqual(done.stderr.count("could not be traced"), 1)
        self.assertTrue((self.folder / "t" / "decisions-mpich.json").exists(), done.stderr)


if __name__ == "__main__":
    runner.main()
