"""examples/matmul on 16 simulated mixed hosts: the product is right by MPI's collectives and by postage's, which take less time."""

import json
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


if __name__ == "__main__":
    runner.main()
