"""Tables of other benchmarks as samples, and exports to simulators, which are run on them."""

import json
import re
import shutil
import subprocess
import unittest

import runner

SIZES = [0] + [2**k for k in range(23)]


def one_way(size):
    """Seconds: two protocols."""
    return 1.5e-6 + size / 10e9 + (2e-6 if size >= 8192 else 0)


def osu_latency(seconds=one_way, version="7.4"):
    datatype = "# Datatype: MPI_CHAR.\n" if version >= "7" else ""
    lines = "".join(f"{size:<10}{1e6 * seconds(size):>18.4f}\n" for size in SIZES)
    return f"\n# OSU MPI Latency Test v{version}\n{datatype}# Size          Latency (us)\n{lines}"


def osu_bw():
    lines = "".join(f"{size:<10}{size / max(size / 11e9, 2e-7) / 1e6:>18.2f}\n" for size in SIZES[1:])
    return f"# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n{lines}"


IMB = """#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         2.00         0.00
            8         1000         2.01         3.98
         1024         1000         3.02       339.07
        65536          640        67.54       970.34
#---------------------------------------------------
# Benchmarking Allreduce
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.02         0.03         0.02
# All processes entering MPI_Finalize
"""


class Benchmarks(runner.CliTest):
    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def estimate(self, *words):
        output = self.folder / "platform.json"
        result = self.succeed("estimate", *words, "-o", output)
        return result, json.loads(output.read_text())

    def groups(self, platform, model):
        return next(table["groups"] for table in platform["models"] if table["model"] == model)

    def test_osu_latency_gives_hockney(self):
        for version in ("3.1.1", "7.4"):
            result, platform = self.estimate("--osu", self.file("latency.txt", "[node07] warning\n" + osu_latency(version=version)))
            values = [group["parameters"] for group in self.groups(platform, "hockney")]
            for found, alpha in zip(values, (1.5e-6, 3.5e-6), strict=True):
                self.assertAlmostEqual(runner.value_of(found["alpha"]) / alpha, 1, 3)
                self.assertAlmostEqual(runner.value_of(found["beta"]) * 10e9, 1, 2)
            self.assertIn("estimated hockney", result.err)

    def test_predictions_from_two_levels(self):
        inside = self.file("inside.txt", osu_latency(lambda size: one_way(size) / 10))
        latency, bandwidth = self.file("l.txt", osu_latency()), self.file("bw.txt", osu_bw())
        _, platform = self.estimate("--osu", latency, "--osu", bandwidth)
        self.assertEqual([table["model"] for table in platform["models"]], ["hockney", "plogp-cell", "taulop"])
        self.estimate("--osu", latency, "--osu", f"shared-cache={inside}", "--levels", "shared-cache:8,inter-node")
        predict = ["predict", "p2p", "--platform", self.folder / "platform.json", "--nodes", 4, "--per-node", 8, "-m", 1024, "--json", "--model", "hockney"]
        for target, factor in ((7, 0.1), (8, 1)):
            [row] = self.succeed(*predict, "--dst", target).json()
            self.assertAlmostEqual(row["seconds"] / one_way(1024) / factor, 1, 2)

    def test_imb(self):
        result, platform = self.estimate("--imb", self.file("imb.txt", IMB))
        [group] = self.groups(platform, "hockney")
        self.assertAlmostEqual(runner.value_of(group["parameters"]["alpha"]) * 1e6, 2, 1)
        self.assertAlmostEqual(runner.value_of(group["parameters"]["beta"]) * 1e9, 1, 2)
        self.assertIn("IMB Allreduce", result.err)

    def test_refusals_name_file_and_line(self):
        good = self.file("good.txt", osu_latency())
        for text, words in [
            ("# OSU MPI Latency Test v7.4\n# Size\n0  1.0\n8  fast\n", ["bad.txt, line 4", "8  fast", "OSU MPI Latency Test"]),
            ("# OSU MPI Latency Test v7.4\n8\n", ["bad.txt, line 2", "a size in bytes and a time"]),
            ("# OSU MPI Latency Test v7.4\n1.5 2\n", ["bad.txt, line 2"]),
            ("# OSU MPI Latency Test v7.4\n8 0.00\n", ["bad.txt, line 2", "time above 0"]),
            ("# OSU MPI Latency Test v7.4\n8 nan\n", ["bad.txt, line 2"]),
            ("# OSU MPI Latency Test v7.4\n", ["bad.txt", "no lines"]),
            ("hello\n", ["bad.txt", "# OSU MPI Latency Test"]),
            (osu_bw(), ["inter-node", "osu_latency"]),
        ]:
            with self.subTest(text=text[:60]):
                self.refuse("estimate", "--osu", self.file("bad.txt", text), "-o", self.folder / "p.json", mentions=words)
        self.assertFalse((self.folder / "p.json").exists())
        self.refuse("estimate", "--osu", f"shared-cache={good}", mentions=["shared-cache", "--levels"])
        self.refuse("estimate", "--osu", f"near={good}", "--levels", "shared-cache:4,inter-node", mentions=["near", "shared-cache, inter-node"])
        self.refuse("estimate", "--osu", self.folder / "none.txt", mentions=["none.txt"])
        self.refuse("estimate", mentions=["--osu"])
        self.refuse("estimate", good, "--osu", good, mentions=["--osu"])

    @unittest.skipUnless((runner.BUILD / "bin" / "postage-measure-smpi").exists(), "no simulated MPI")
    def test_what_measure_prints_as_osu_is_read_back(self):
        measure = ["measure", "--virtual", "flat16", "-n", 2, "--sizes", "0,8,1K,64K,1M", "--train-sizes", "1K", "--held-out", 0]
        printed = self.succeed(*measure, "--collective", "bcast:library:1K", "--format", "osu", "-o", self.folder / "measured.json")
        self.assertRegex(printed.out, r"# OSU MPI Latency Test v.*\n# ranks 0 and 1, inter-node\n# Size .*P50.*P90.*P99")
        self.assertRegex(printed.out, r"# OSU MPI Broadcast Latency Test v.*\n# bcast library\n.*\n1024 ")
        self.assertRegex(printed.out, r"# OSU MPI Bandwidth Test v.*\n.*\n# Size +Bandwidth \(MB/s\)\n1 ")
        measured = json.loads((self.folder / "measured.json").read_text())
        _, read = self.estimate("--osu", self.file("osu.txt", printed.out))
        values = [[runner.value_of(group["parameters"][name]) for group in self.groups(platform, "hockney")
                   if "alpha" in group["parameters"] for name in ("alpha", "beta")]
                  for platform in (measured, read)]  # fmt: skip
        for a, b in zip(*values, strict=True):
            self.assertAlmostEqual(a / b, 1, 2)


PING_PONG = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* buffer = malloc(1 << 22);
  for (int i = 1; i < argc; ++i) {
    int bytes = atoi(argv[i]);
    double start = MPI_Wtime();
    for (int to = 0; to < 2; ++to) {
      if (rank == to) MPI_Send(buffer, bytes, MPI_CHAR, 1 - to, 0, MPI_COMM_WORLD);
      if (rank == 1 - to) MPI_Recv(buffer, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0) printf("%d %.12g\n", bytes, (MPI_Wtime() - start) / 2);
  }
  MPI_Finalize();
}
"""


class Exports(runner.CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "l.txt").write_text(osu_latency())
        (self.folder / "inside.txt").write_text(osu_latency(lambda size: one_way(size) / 10))
        self.platform = self.folder / "p.json"
        self.succeed("estimate", "--osu", self.folder / "l.txt", "--osu", f"shared-cache={self.folder}/inside.txt",
                     "--levels", "shared-cache:4,inter-node", "-o", self.platform)  # fmt: skip

    @unittest.skipUnless(shutil.which("smpicc"), "no SMPI")
    def test_smpi_takes_the_measured_times(self):
        source = self.folder / "ping_pong.c"
        source.write_text(PING_PONG)
        program = self.folder / "ping_pong"
        subprocess.run(["smpicc", "-O1", source, "-o", program], check=True)
        xml = self.folder / "cluster.xml"
        result = self.succeed("export", "--platform", self.platform, "--for", "smpi", "--nodes", 2, "--per-node", 2, "-o", xml)
        self.assertRegex(result.err, r"inter-node: within 0\.0 %")
        self.assertRegex(result.err, r"shared-cache: within [0-9.]+ %")
        sizes = [1, 1000, 4096, 8191, 8192, 65536, 1 << 20]
        command = ["smpirun", "-np", 2, "-platform", xml, "--cfg=smpi/wtime:0", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/host-speed:1Gf"]
        for placed, tolerance, share in (("node0\nnode1\n", 0.005, 1), ("node0:2\n", 0.02, 0.1)):
            hosts = self.folder / "hosts"
            hosts.write_text(placed)
            words = [str(word) for word in [*command, "-hostfile", hosts, program, *sizes]]
            done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            times = dict(map(float, line.split()) for line in done.stdout.splitlines() if re.match(r"\d+ \d", line))
            self.assertEqual(len(times), len(sizes), done.stdout)
            for size in sizes:
                [row] = self.succeed("predict", "p2p", "-m", size, "--platform", self.platform, "--model", "hockney", "--json",
                                     "--nodes", 2, "--per-node", 2, "--dst", 2 if share == 1 else 1).json()  # fmt: skip
                self.assertAlmostEqual(times[size] / row["seconds"], 1, delta=tolerance)

    def test_the_command_line_of_smpi_is_one_for_a_shell(self):
        xml = self.folder / "it's&$HOME.xml"
        line = self.succeed("export", "--platform", self.platform, "--for", "smpi", "-o", xml).out
        words = subprocess.run(["sh", "-c", f"printf '%s\\n' {line}"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(words.splitlines(), ["smpirun", "-np", "2", "-platform", str(xml), "-hostfile", f"{xml}.hosts", "PROGRAM"])

    def test_loggopsim(self):
        result = self.succeed("export", "--platform", self.platform, "--for", "loggopsim")
        self.assertRegex(result.out, r"\ALogGOPSim -f TRACE\.bin --LogGOPS_L=1500 --LogGOPS_o=0 --LogGOPS_g=0 --LogGOPS_G=0\.(1|09\d+|10\d+) "
                                     r"--LogGOPS_O=0 --LogGOPS_S=65535\n\Z")  # fmt: skip
        self.assertIn("o and g are 0", result.err)
        self.assertRegex(result.err, r"within \d+ %.*the farthest at 8K")

    def test_goal_of_any_schedule_is_played_as_the_schedule_is_predicted(self):
        loggp = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns", "--json"]
        goal = self.folder / "a.goal"
        exceptions = set()
        for one in self.succeed("schedule", "--list", "--json").json():
            collective, algorithm = one["collective"], one["algorithm"]
            with self.subTest(f"{collective} {algorithm}"):
                written = self.succeed("schedule", collective, algorithm, "-P", 8, "-m", "4K", "--goal", goal)
                if "has the messages alone" in written.err:
                    exceptions.add(algorithm)
                    continue
                text = goal.read_text()
                self.assertTrue(text.startswith("num_ranks 8\n"))
                messages = self.succeed("schedule", collective, algorithm, "-P", 8, "-m", "4K", "--json").json()["messages"]
                self.assertEqual(len(re.findall(r": send ", text)), messages)
                [played] = self.succeed("predict", "--trace", goal, *loggp).json()
                size = [] if collective == "barrier" else ["-m", "4K"]
                [row] = self.succeed("predict", collective, "--algorithm", algorithm, "-P", 8, *size, *loggp, "--evaluator", "timeline").json()
                self.assertAlmostEqual(played["seconds"] / row["seconds"], 1, 9)
        self.assertEqual(exceptions, {"binomial-opt", "binomial-simple", "segmented-binomial", "hybrid-segmented",
                                      "reduce-scatter-gather-bcast", "hybridA", "hybridB", "hybrid"})  # fmt: skip

    def test_refusals(self):
        self.refuse("export", "--platform", self.platform, "--for", "ns3", mentions=["ns3"])
        spaced = self.folder / "a b.xml"
        self.refuse("export", "--platform", self.platform, "--for", "smpi", "-o", spaced, mentions=["white space", "a b.xml"])
        self.assertFalse(spaced.exists())
        self.refuse("export", "--platform", self.folder / "none.json", "--for", "smpi", mentions=["none.json"])
        document = json.loads(self.platform.read_text())
        # Latencies alone: nothing can be made of them.
        halves = json.loads(self.platform.read_text())
        for table in halves["models"]:
            for group in table["groups"] if table["model"] == "hockney" else []:
                group["parameters"].pop("beta", None)
        half = self.folder / "half.json"
        half.write_text(json.dumps(halves))
        for simulator in ("smpi", "loggopsim"):
            self.refuse("export", "--platform", half, "--for", simulator, status=1, mentions=["Hockney"])
        document["models"] = [table for table in document["models"] if table["model"] != "hockney"]
        self.platform.write_text(json.dumps(document))
        self.refuse("export", "--platform", self.platform, "--for", "smpi", status=1, mentions=["Hockney"])


if __name__ == "__main__":
    runner.main()
