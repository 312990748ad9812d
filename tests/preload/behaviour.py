"""What programs live through under the preload library: behaviour.py FLAVOUR."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import running

ALWAYS = {"POSTAGE_PRELOAD": "always"}
# MPICH's ranks poll, so that more of them than cores are slow.
RANKS = (2, 3) if running.FLAVOUR == "openmpi" or running.EXHAUSTIVE else (2,)


def shared_memory():
    """What of ours lies in /dev/shm."""
    return {entry.name for entry in pathlib.Path("/dev/shm").iterdir() if "postage" in entry.name}


def has_mpi4py(python):
    return pathlib.Path(python).exists() and subprocess.run([python, "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode == 0


class Behaviour(unittest.TestCase):
    def setUp(self):
        self.before = shared_memory()

    def tearDown(self):
        self.assertEqual(shared_memory() - self.before, set(), "left in /dev/shm")

    def run_well(self, ranks, name, *arguments, **options):
        options.setdefault("environment", ALWAYS)
        result = running.run(ranks, name, *arguments, **options)
        self.assertEqual(result.status, 0, result.out[-4000:])
        return result

    def test_messages_progress_inside_collectives(self):
        for ranks in RANKS:
            self.assertIn("0 of them wrong", self.run_well(ranks, "deadlock", timeout=120).out)

    def test_communicators_come_and_go(self):
        times = 20000 if running.EXHAUSTIVE else 2000
        self.assertIn("no leak", self.run_well(2, "churn", times, timeout=1200).out)

    def test_two_threads_on_two_communicators(self):
        seeds = range(1, 21 if running.EXHAUSTIVE else 2)
        for seed in seeds:
            result = self.run_well(2, "threads", seed, 100, timeout=300)
            self.assertEqual(result.out.count(", 0 mistakes on all"), 2, result.out)

    def test_a_rank_dies(self):
        for how in ("kill", "abort"):
            with self.subTest(how=how):
                result = running.run(3, "killed", how, environment=ALWAYS, timeout=300)
                self.assertNotEqual(result.status, 0)
                self.assertNotIn("nobody died", result.out)
                self.assertEqual(shared_memory() - self.before, set())

    def test_fortran(self):
        for interface in ("mpif", "module", "f08"):
            if not running.program(interface).exists():
                self.skipTest("there is no Fortran compiler")
            for ranks in RANKS:
                with self.subTest(interface=interface, ranks=ranks):
                    result = self.run_well(ranks, interface, timeout=120)
                    self.assertIn("results that are wrong: 0", result.out)
                    if result.statistics:
                        counts = running.collectives_of(result.statistics)
                        # Each call is seen once on each rank, whichever entries of the library it goes through.
                        self.assertEqual(counts["scan"][0], 24 * ranks)
                        self.assertEqual(counts["bcast"][0], 24 * ranks)
                        self.assertGreater(counts["bcast"][1], 0)

    def test_fortran_messages(self):
        for interface in ("mpif", "module", "f08"):
            name = f"messages-{interface}"
            if not running.program(name).exists():
                self.skipTest("there is no Fortran compiler")
            with self.subTest(interface=interface):
                result = self.run_well(2, name, timeout=120)
                self.assertIn("values that are wrong: 0", result.out)
                if result.statistics:
                    calls = {row["name"]: row for row in result.statistics["other_calls"]}
                    # Ten of each on each rank, each of 4 kB and seen once.
                    for call in ("sendrecv", "isend", "irecv", "waitall", "send", "recv"):
                        self.assertEqual(calls[call]["calls"], 20, call)
                    for call in ("sendrecv", "isend", "send"):
                        self.assertEqual(calls[call]["bytes"], 20 * 4096, call)
                    sent = result.statistics["messages"]["point_to_point"]
                    self.assertEqual(sum(row["messages"] for row in sent), 60)
                    self.assertEqual(sum(row["bytes"] for row in sent), 60 * 4096)

    def write_decisions(self, folder, *rules):
        path = pathlib.Path(folder) / "decisions.json"
        path.write_text(json.dumps(running.decisions(*rules)))
        return path

    def allreduces(self, decisions, ranks=2, **environment):
        """Those of `repeated`, and how many were replaced."""
        environment = {"POSTAGE_DECISIONS": str(decisions), "POSTAGE_PROBES": "off", **environment}
        result = self.run_well(ranks, "repeated", 100, environment=environment)
        self.assertIn("sums right", result.out)
        return result, running.collectives_of(result.statistics)["allreduce"]

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "on one hardware thread everything passes through")
    def test_decisions_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            on_one_node = self.write_decisions(folder, running.rule("allreduce", "direct", ranks=[2, 2], bytes=[8, 8]))
            _, counts = self.allreduces(on_one_node)
            self.assertEqual(counts, (200, 2 * 93))
            for other in ({"ranks": [3, None]}, {"bytes": [9, None]}, {"bytes": [0, 7]}):
                rule = running.rule("allreduce", "direct", **{"ranks": [2, 2], "bytes": [0, None], **other})
                self.assertEqual(self.allreduces(self.write_decisions(folder, rule))[1], (200, 0))
            # A file that says nothing of one node leaves that to what is built in.
            rule = running.rule("allreduce", "ring", nodes=[2, 2], ranks=[2, 2])
            self.assertEqual(self.allreduces(self.write_decisions(folder, rule))[1], (200, 2 * 93))
            result, counts = self.allreduces(self.write_decisions(folder, rule), POSTAGE_PRETENDED_NODES="0,1")
            self.assertEqual(counts, (200, 2 * 93))
            self.assertIn("node-aware", result.out)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_more_ranks_than_cores_pass_through(self):
        cores = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, cores)
        os.sched_setaffinity(0, {min(cores)})
        with unittest.mock.patch.dict(os.environ, {"OMPI_MCA_hwloc_base_binding_policy": "none"}):
            result = self.run_well(2, "repeated", 100, environment={})
            self.assertEqual(running.collectives_of(result.statistics)["allreduce"], (200, 0))
            self.assertTrue(result.statistics["more_ranks_than_cores"])
            self.assertIn("a node has more ranks than hardware threads", result.out)
            result = self.run_well(2, "repeated", 100)
            self.assertEqual(running.collectives_of(result.statistics)["allreduce"], (200, 2 * 93))

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_decisions_that_are_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = pathlib.Path(folder) / "none.json"
            broken = pathlib.Path(folder) / "broken.json"
            broken.write_text('{"format": "postage-decisions", "version": 1')
            foreign = pathlib.Path(folder) / "foreign.json"
            foreign.write_text(json.dumps({**running.decisions(), "target": "ucc"}))
            for file, mention in ((missing, "none.json"), (broken, "broken.json"), (foreign, "decisions for ucc")):
                with self.subTest(file=file.name):
                    result, counts = self.allreduces(file)
                    self.assertEqual(counts, (200, 0))
                    said = [line for line in result.out.splitlines() if "nothing is replaced" in line]
                    self.assertEqual(len(said), 1, result.out)
                    self.assertIn(mention, said[0])

    @unittest.skipUnless(running.POSTAGE.exists(), "the postage command is not built")
    def test_run_refuses_decisions_that_are_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            foreign = pathlib.Path(folder) / "foreign.json"
            foreign.write_text(json.dumps({**running.decisions(), "target": "ucc"}))
            for file, mention in ((foreign, "decisions for ucc"), (foreign.with_name("none"), "none")):
                command = [str(running.POSTAGE), "run", "--decisions", str(file), "--", "true"]
                done = subprocess.run(command, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(mention, done.stderr)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_nodes_are_left_alone_unless_a_file_says_otherwise(self):
        result = self.run_well(2, "repeated", 100, environment={"POSTAGE_PRETENDED_NODES": "0,1"})
        self.assertEqual(running.collectives_of(result.statistics)["allreduce"], (200, 0))

    def test_an_mpi_that_is_linked_statically(self):
        program = running.program("static")
        if not program.exists() or not running.POSTAGE.exists():
            self.skipTest("there is no static MPICH, or no postage command")
        done = subprocess.run(
            [str(running.POSTAGE), "run", "--", "mpirun.mpich", "-n", "2", str(program), "100"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sums right", done.stdout)
        self.assertIn("linked statically; nothing is replaced", done.stderr)

    @unittest.skipUnless(running.FLAVOUR == "openmpi", "Debian builds mpi4py for Open MPI")
    def test_mpi4py(self):
        python = next(filter(has_mpi4py, ("/usr/bin/python3", sys.executable)), None)
        if python is None:
            self.skipTest("python3-mpi4py is not installed")
        program = running.FOLDER / "programs" / "reductions.py"
        result = running.run_command(2, python, program, environment=ALWAYS, timeout=120)
        self.assertIn("verified", result.out)
        if result.statistics:
            self.assertGreater(running.collectives_of(result.statistics)["allreduce"][1], 2 * 30)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_other_tools(self):
        tool = running.BUILD / "bin" / f"test-preload-tool-{running.FLAVOUR}.so"
        # In front of us, a tool that calls PMPI has all calls; behind us it gets those that pass through.
        for libraries, replaces, seen in (([tool, running.LIBRARY], True, 100), ([running.LIBRARY, tool], False, 100)):
            with self.subTest(libraries=libraries):
                environment = ALWAYS if replaces else {"POSTAGE_PRELOAD": "off"}
                result = self.run_well(2, "repeated", 100, preload=libraries, environment=environment)
                self.assertIn("sums right", result.out)
                self.assertIn(f"tool: initialised 1, allreduces {seen}", result.out)

    @unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
    def test_another_mpi(self):
        other = {"openmpi": "mpich", "mpich": "openmpi"}[running.FLAVOUR]
        library = running.BUILD / "bin" / f"libpostage-{other}.so"
        if library.exists():
            result = self.run_well(2, "repeated", 100, preload=[library], environment={})
            self.assertIn("sums right", result.out)
            self.assertIn("postage", result.out)
            self.assertEqual(result.statistics, {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
