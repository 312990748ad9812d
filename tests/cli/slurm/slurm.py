"""docs/slurm.md, whose job is also the README's, as it is printed, on Debian's Slurm with two nodes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import runner
import cluster as slurm_cluster

APPLICATION = r"""
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; ++i) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""

# What a test has no time for; nothing else of a command is changed.
SHORTER = {
    "postage measure": "postage measure --quick --budget 1s --held-out 0 --passes 1 --least 2 --most 20",
    "postage tune": "postage tune --collectives bcast --sizes 1K --tuning-budget 1s",
    "--mpi custom": "--mpi openmpi",
    "--time=30": "--time=10",
}


def blocks(page, heading):
    """The blocks of shell commands below a heading that holds this word."""
    text = (runner.SOURCE / page).read_text()
    sections = [section for section in re.split(r"^#+ ", text, flags=re.M) if heading in section.split("\n")[0]]
    return [block for section in sections for block in re.findall(r"^```sh\n(.*?)^```", section, flags=re.M | re.S)]


def shorter(command):
    for printed, tried in SHORTER.items():
        command = re.sub(re.escape(printed) + r"\b", tried, command)
    return command


def commands_with(*words):
    """Numbers of running processes whose command line holds all words."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):  # not by a glob: it fails where one ends meanwhile
        try:
            text = pathlib.Path("/proc", process, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if all(word in text for word in words):
            found.append(text)
    return found


@unittest.skipIf(slurm_cluster.missing(), slurm_cluster.missing())
class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="postage-slurm-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.cluster = cls.enterClassContext(slurm_cluster.SlurmCluster(cls.folder))
        cls.cluster.environment["PATH"] = f"{runner.BUILD}/bin:{cls.cluster.environment['PATH']}"

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def run_line(self, line, status=0):
        done = self.cluster.run("sh", "-c", shorter(line), cwd=self.work, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def submit(self, script):
        (self.work / "campaign.sh").write_text(script)
        said = self.run_line("sbatch -o said campaign.sh").out
        return re.fullmatch(r"Submitted batch job (\d+)", said)[1]

    def wait_for(self, state, what):
        end = time.monotonic() + 300
        while not state():
            self.assertLess(time.monotonic(), end, f"{what}: {self.said()}")
            time.sleep(0.1)

    def said(self):
        file = self.work / "said"
        return file.read_text() if file.exists() else ""

    def finish(self, job):
        self.wait_for(lambda: self.cluster.run("squeue", "-h", "-j", job).out == "", "the job does not end")
        details = self.cluster.run("scontrol", "show", "job", job).out
        self.assertIn("ExitCode=0:0", details, self.said())

    def check_platform(self, file, mpi, ranks):
        platform = json.loads((self.work / file).read_text())
        self.assertEqual([node["name"] for node in platform["nodes"]], list(slurm_cluster.NODES))
        self.assertEqual(len(platform["ranks"]), ranks)
        self.assertIn(mpi, platform["implementation"])
        channels = {channel["name"] if isinstance(channel, dict) else channel for channel in platform["channels"]}
        self.assertIn("inter-node", channels)

    def test_ranks_are_where_a_mapping_puts_them(self):
        (self.work / "app.goal").write_text("num_ranks 4\n" + "".join(
            f"rank {rank} {{ s: send 65536b to {(rank + 2) % 4}\nr: recv 65536b from {(rank + 2) % 4} }}\n" for rank in range(4)))
        self.run_line("postage optimize mapping --pattern app.goal --nodes 2 --per-node 2 --hosts n[1-2] -o ranks --model loggph --params "
                      "'[shared-cache] L=1us,o=1us,g=1us,G=0.1ns [inter-node] L=9us,o=1us,g=1us,G=1ns'")
        wanted = (self.work / "ranks" / "slurm-hosts").read_text().split()
        self.assertEqual([wanted[0], wanted[1]], [wanted[2], wanted[3]], "those that talk share a node")
        said = self.run_line("SLURM_HOSTFILE=ranks/slurm-hosts srun --distribution=arbitrary -n 4 sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME'").out
        self.assertEqual(sorted(said.splitlines()), [f"{rank} {host}" for rank, host in enumerate(wanted)])

    def test_job_of_the_page(self):
        (self.work / "app.c").write_text(APPLICATION)
        subprocess.run(["mpicc.openmpi", self.work / "app.c", "-o", self.work / "app"], check=True)
        [script] = blocks("docs/slurm.md", "As a job")
        self.finish(self.submit(shorter(script)))
        self.check_platform("cluster.json", "Open MPI", 2)
        decisions = json.loads((self.work / "tuned" / "decisions-openmpi.json").read_text())
        self.assertEqual(decisions["library"]["name"] if "library" in decisions else decisions["target"], "openmpi")
        self.assertTrue((self.work / "tuned" / "env.sh").exists())
        self.assertRegex(self.said(), r"postage: 2 ranks, 2 nodes, openmpi")
        self.assertRegex(self.said(), r"Allreduce +4-8 +200 ")

    def test_login_node_of_the_page(self):
        [block] = blocks("docs/slurm.md", "From a login node")
        done = self.run_line("set -e\n" + block)
        self.check_platform("cluster.json", "Open MPI", 2)
        self.assertIn("bcast", done.out)

    def test_readme_has_the_job_of_the_page(self):
        """So what is run for one is run for both; a reader's MPI is rarely Debian's."""
        self.assertEqual([shorter(block) for block in blocks("README.md", "Slurm")],
                         [shorter(block) for block in blocks("docs/slurm.md", "As a job")])  # fmt: skip

    def test_mpich(self):
        self.run_line('postage measure --mpi mpich --launcher "srun --mpi=pmi2 -N 2" -o mpich.json')
        self.check_platform("mpich.json", "MPICH", 2)

    def test_ranks_that_do_not_find_one_another(self):
        for mpi, wrong, right in [("mpich", "pmix", "--mpi=pmi2 for MPICH"), ("openmpi", "none", "--mpi=pmix for Open")]:
            said = self.run_line(f'postage measure --mpi {mpi} --launcher "srun --mpi={wrong} -N 2" -o x.json', 1).stderr
            self.assertRegex(said, r"(\A|\n)postage: srun started .+\n\Z")
            self.assertIn(right, said)
            self.assertFalse((self.work / "x.json").exists())

    def test_cancelled_job_leaves_nothing_behind(self):
        job = self.submit("#!/bin/sh\n#SBATCH --nodes=2\npostage measure --budget 10min --mpi openmpi --launcher srun\n")
        ranks = lambda: commands_with("postage-measure-openmpi", "--budget 10min")
        self.wait_for(lambda: len(ranks()) >= 2, "the ranks do not start")
        self.run_line(f"scancel {job}")
        self.wait_for(lambda: not ranks(), "the ranks do not end")
        self.wait_for(lambda: self.cluster.run("squeue", "-h", "-j", job).out == "", "the job does not end")
        self.assertEqual(sorted(path.name for path in self.work.iterdir()), ["campaign.sh", "said"])


if __name__ == "__main__":
    runner.main()
