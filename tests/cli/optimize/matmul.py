"""examples/matmul on 16 simulated mixed hosts: the product is right by MPI's collectives and by postage's, which take less time."""

import json
import shutil
import subprocess
import sys

import runner


class Matmul(runner.CliTest):
    def test_both_versions_multiply(self):
        found = self.folder / "times.json"
        words = [sys.executable, "-B", runner.SOURCE / "examples" / "matmul" / "simulate", "--build", runner.BUILD, "--sizes", "150",
                 "--check", "--json", found]
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        [row] = json.loads(found.read_text())
        self.assertAlmostEqual(row["native"]["computing"], row["postage"]["computing"], 6)
        self.assertLess(row["postage"]["communication"], 0.95 * row["native"]["communication"])

    def test_real_ranks_multiply_along_schedule_files(self):
        """Open MPI and MPICH execute what optimize tree wrote: scatterv, gatherv and the broadcast of each column."""
        lmo = ["--model", "lmo", "--params", "C=50us,t=10ns,beta=100MB/s", "--per-node", 1]
        speeds, plan = self.folder / "speeds", self.folder / "plan"
        speeds.write_text("1\n3\n2\n1\n2\n")
        for flavour in ("openmpi", "mpich"):
            program, launcher = runner.BUILD / "bin" / f"test-matmul-{flavour}", shutil.which(f"mpirun.{flavour}")
            if launcher is None or not program.exists():
                continue
            options = ["--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if flavour == "openmpi" else []

            def multiply(*words):
                command = [launcher, *options, "-n", 5, program, 101, "column-broadcasts", "--speeds", speeds, *words]
                return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      timeout=200)

            self.assertEqual(multiply("--plan", plan).returncode, 0)
            for name in ("scatterv", "gatherv"):
                self.succeed("optimize", "tree", name, *lmo, "--nodes", 5, "--counts", plan / f"{name}.counts", "--element", 8, "-o",
                             plan / f"{name}.json")
            columns = [line.split() for line in (plan / "columns").read_text().splitlines()]
            for column, width in set(map(tuple, columns)):
                ranks = sum(one == column for one, _ in columns)
                self.succeed("optimize", "tree", "bcast", *lmo, "--nodes", ranks, "-m", 8 * 101 * int(width), "-o",
                             plan / f"bcast-{column}.json")
            done = multiply("--trees", plan, "--check")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("error 0\n", done.stdout)


if __name__ == "__main__":
    runner.main()
