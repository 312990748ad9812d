"""`postage optimize mapping`: patterns, rank files, and what it refuses."""

import os
import re
import shutil
import subprocess
import unittest

import runner

# 4 nodes of 8 cores like those of the simulated cluster multicore4x8 (docs/measuring.md), by hand.
TAU_LOP = [
    "--model", "taulop", "--params",
    "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/8:0.5us;64K/8:40us,n=2 "
    "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/8:40us;64K/8:480us,n=1,n@shared-cache=2",
]
JOB = ["--nodes", 4, "--per-node", 8, *TAU_LOP]


def placements_in(rankfile):
    found = re.findall(r"rank (\d+)=(\S+) slot=(\d+)\n", rankfile.read_text())
    return {int(rank): (host, int(slot)) for rank, host, slot in found}


class OptimizeMapping(runner.CliTest):
    def mapping(self, *words, **options):
        return self.succeed("optimize", "mapping", *words, **options)

    def test_a_ring_stays_in_order(self):
        found = self.mapping("--pattern", "ring", *JOB, "-m", "64K", "--json").json()
        seconds = {one["placement"]: one["seconds"] for one in found["placements"]}
        self.assertEqual(found["best"], "block")
        self.assertGreater(seconds["cyclic"] / seconds["block"], 4)
        self.assertLessEqual(seconds["search"], seconds["scotch"] * 1.0001)

    def test_a_scattered_ring_is_put_in_order(self):
        goal = self.folder / "app.goal"
        ring = [5 * i % 32 for i in range(32)]
        lines = ["num_ranks 32\n"]
        for rank in range(32):
            at = ring.index(rank)
            after, before = ring[(at + 1) % 32], ring[at - 1]
            lines.append(f"rank {rank} {{ s: send 65536b to {after}\nr: recv 65536b from {before} }}\n")
        goal.write_text("".join(lines))
        found = self.mapping("--pattern", goal, *JOB, "--json", "-o", self.folder / "ranks", "--hosts", "n[1-4]").json()
        self.assertGreater(found["placements"][0]["seconds"] / min(one["seconds"] for one in found["placements"]), 2)
        placed = placements_in(self.folder / "ranks" / "rankfile")
        self.assertEqual(len(set(placed.values())), 32)
        leaving = sum(placed[ring[i]][0] != placed[ring[i - 1]][0] for i in range(32))
        self.assertEqual(leaving, 4, "one message leaves each node")
        hosts = (self.folder / "ranks" / "slurm-hosts").read_text().split()
        self.assertEqual(hosts, [placed[rank][0] for rank in range(32)])
        by_runs = [host for line in (self.folder / "ranks" / "hostfile").read_text().split()
                   for host in [line.split(":")[0]] * int(line.split(":")[1])]
        self.assertEqual(by_runs, hosts)
        again = self.succeed("predict", "--trace", goal, *JOB, "--mapping", self.folder / "ranks" / "mapping", "--json")
        best = min(one["seconds"] for one in found["placements"])
        self.assertAlmostEqual(again.json()[0]["seconds"] / best, 1, 9)

    def test_other_patterns(self):
        for pattern in ("2d-halo", "2d-halo:4x8", "3d-halo", "allreduce,bcast:binomial"):
            found = self.mapping("--pattern", pattern, *JOB, "-m", "4K", "--swaps", 2000, "--json").json()
            self.assertEqual(sorted(found["slot_of_rank"]), list(range(32)))
            first = found["placements"][0]["seconds"]
            self.assertLessEqual(min(one["seconds"] for one in found["placements"]), first)
        self.assertIn("no mapping", self.mapping("--pattern", "alltoall", *JOB, "-m", "4K").out)

    def test_same_input_same_output(self):
        words = ["--pattern", "2d-halo", *JOB, "-m", "4K", "--swaps", 3000, "--json"]
        self.assertEqual(self.mapping(*words).out, self.mapping(*words).out)

    def test_simulated_ring(self):
        """Paper 001, Figure 8: the ring by sequential ranks on 4 nodes of 8 cores against round robin."""
        if shutil.which("smpirun") is None:
            self.skipTest("no SimGrid")
        today = self.folder / "cyclic"
        today.write_text("".join(f"{rank % 4} {rank // 4}\n" for rank in range(32)))
        words = ["--pattern", "ring", *JOB, "-m", "256K", "--mapping", today, "--verify", "--virtual", "multicore4x8", "--json"]
        simulated = self.mapping(*words).json()["simulated"]
        self.assertAlmostEqual(simulated["today_seconds"] / simulated["best_seconds"], 6, delta=2.5)

    @unittest.skipIf(os.geteuid() != 0 or shutil.which("tc") is None, "a lab needs root and tc")
    def test_launchers_place_ranks_as_the_files_say(self):
        goal = self.folder / "app.goal"
        # Ranks 0 and 3, 1 and 4, 2 and 5 talk.
        goal.write_text("num_ranks 6\n" + "".join(
            f"rank {rank} {{ s: send 65536b to {(rank + 3) % 6}\nr: recv 65536b from {(rank + 3) % 6} }}\n" for rank in range(6)))
        ranks = self.folder / "ranks"
        self.mapping("--pattern", goal, "--nodes", 3, "--per-node", 2, *TAU_LOP, "--hosts", "h[0-2]", "-o", ranks)
        wanted = placements_in(ranks / "rankfile")
        self.assertEqual([wanted[rank][0] for rank in range(3)], [wanted[rank + 3][0] for rank in range(3)])
        self.assertEqual(len({wanted[rank][0] for rank in range(3)}), 3)
        name = f"map{os.getpid()}"
        self.succeed("lab", "up", "--name", name, "--hosts", 3)
        self.addCleanup(runner.postage, "lab", "down", "--name", name)
        agent = f"/run/postage/{name}/agent"
        who = self.folder / "who"
        who.write_text('echo $OMPI_COMM_WORLD_RANK$PMI_RANK $(hostname) $(sed -n "s/Cpus_allowed_list:.//p" /proc/self/status)\n')

        if shutil.which("mpirun.openmpi") and (runner.BUILD / "bin" / "postage-phases-openmpi").exists():
            found = self.mapping("--pattern", goal, "--nodes", 3, "--per-node", 2, *TAU_LOP, "--hosts", "h[0-2]", "--verify", "--mpi",
                                 "openmpi", "--lab", name, "--json").json()
            self.assertGreater(found["measured"]["times_faster"], 0)
            self.assertEqual(found["measured"]["pairs"], 7)

        # MPICH's launcher hands rank 0 the end of its input, and dies of SIGPIPE where that rank has ended before: this one does not end.
        endless, held_open = os.pipe()
        self.addCleanup(os.close, endless)
        self.addCleanup(os.close, held_open)

        def places(command):
            done = subprocess.run([agent, "h0", f"{command} sh {who}"], stdin=endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, done.stderr)
            words = [line.split() for line in done.stdout.splitlines()]
            return {int(rank): (host, cores) for rank, host, cores in words}

        if shutil.which("mpirun.openmpi"):
            found = places(f"mpirun.openmpi --allow-run-as-root -n 6 --host h0:2,h1:2,h2:2 --rankfile {ranks}/rankfile --mca plm rsh "
                           f"--mca plm_rsh_agent {agent} --mca plm_rsh_no_tree_spawn 1 --mca oob tcp --mca oob_tcp_if_include v0")
            self.assertEqual({rank: host for rank, (host, _) in found.items()}, {rank: host for rank, (host, _) in wanted.items()})
            if (os.cpu_count() or 1) == 2:
                self.assertEqual({rank: cores for rank, (_, cores) in found.items()}, {rank: str(core) for rank, (_, core) in wanted.items()})
        if shutil.which("mpiexec.mpich"):
            found = places(f"mpiexec.mpich -f {ranks}/hostfile -n 6 -bind-to none -launcher ssh -launcher-exec {agent} -iface v0")
            self.assertEqual({rank: host for rank, (host, _) in found.items()}, {rank: host for rank, (host, _) in wanted.items()})

    def test_one_rank_is_as_fast_anywhere(self):
        alone = ["--nodes", 1, "--per-node", 1, "--model", "hockney", "--params", "alpha=1us,beta=1ns"]
        found = self.succeed("optimize", "mapping", "--pattern", "ring", "-m", 8, *alone, "--json").json()
        self.assertEqual({one["times_faster_than_block"] for one in found["placements"]}, {1})

    def test_bad_input(self):
        def refused(words, *mentions):
            self.refuse("optimize", "mapping", *words, mentions=mentions)

        goal = self.folder / "app.goal"
        goal.write_text("num_ranks 40\n" + "".join(f"rank {rank} {{ }}\n" for rank in range(40)))
        refused(["--pattern", goal, *JOB], "40 ranks", "32")
        refused(["--pattern", goal, *JOB, "-m", 8], "-m has no effect")
        goal.write_text("num_ranks 2\nrank 0 { s: sned 8b to 1 }\n")
        refused(["--pattern", goal, *JOB], "app.goal")
        refused(["--pattern", "missing.goal", *JOB], "no such file")
        refused(["--pattern", "2d-halo:3x5", *JOB, "-m", 8], "15 ranks", "32")
        refused(["--pattern", "2d-halo:4x4x2", *JOB, "-m", 8], "2 sides")
        refused(["--pattern", "2d-halo:4x8x", *JOB, "-m", 8], "''", "2d-halo:16x8")
        refused(["--pattern", "bcast,", *JOB, "-m", 8], "unknown collective ''")
        refused(["--pattern", "rings", *JOB, "-m", 8], "rings", "2d-halo")
        refused(["--pattern", "ring", *JOB], "-m SIZE")
        refused(["--pattern", "", *JOB, "-m", 8], "--pattern is empty")
        many = ["--nodes", 100000, "--per-node", 100000, "--model", "hockney", "--params", "alpha=1us,beta=1ns"]
        refused(["--pattern", "ring", *many, "-m", 8], "10000000000 ranks")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--verify"], "--virtual")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--mpi", "openmpi"], "--verify")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--verify", "--mpi", "opnmpi"], "opnmpi", "mpich")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--verify", "--mpi", "openmpi"], "--hosts")
        refused(["--pattern", "ring", *JOB, "-m", 8, "-o", self.folder / "ranks", "--hosts", "n[1-3]"], "3 hosts")
        refused(["--pattern", "ring", *JOB, "-m", 8, "-o", self.folder / "ranks", "--hosts", "n[1-3],n2"], "n2 twice")
        self.assertFalse((self.folder / "ranks").exists())
        today = self.folder / "today"
        today.write_text("0 0\n0 0\n")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--mapping", today], "is taken since line 1")
        today.write_text("0 0\n0 1\n")
        refused(["--pattern", "ring", *JOB, "-m", 8, "--mapping", today], "places 2 ranks, but there are 32")
        today.write_text("".join(f"{rank % 8} {rank // 8}\n" for rank in range(32)))
        refused(["--pattern", "ring", *JOB, "-m", 8, "--mapping", today], "node 4", "--nodes 4")


if __name__ == "__main__":
    runner.main()
