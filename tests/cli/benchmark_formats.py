"""What OSU's micro-benchmarks since 2.0 and Intel's since 3.2 print, in the shapes that sites post: headings, further columns, labels
of launchers, and lines without a time."""

import json

import runner

ROWS = [(1, 1.5), (1024, 2.02), (65536, 14.61), (4194304, 839.4)]

OSU = {
    "2.0": "# OSU MPI Latency Test (Version 2.0)\n# Size\t\tLatency (us) \n",
    "3.1.1": "# OSU MPI Latency Test v3.1.1\n# Size            Latency (us)\n",
    "5.9": "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n",
    "5.9 with CUDA": "# OSU MPI-CUDA Latency Test v5.9\n# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n# Size          Latency (us)\n",
    "7.2": "[n1:22411] Rank 0 bound to package[0][core:0]\n\n# OSU MPI Latency Test v7.2\n# Size          Latency (us)\n# Datatype: MPI_CHAR.\n",
    "7.5": "\n# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n",
    "7.5 -z": "# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
              "# Size       Avg Latency(us)  P50 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)\n",
    "7.5 -c": "# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)        Validation\n",
}  # fmt: skip
FURTHER = {"7.5 -z": "              9.00              9.10              9.90", "7.5 -c": "              Pass"}

IMB_HEAD = """#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks {version}, MPI-1 part
#----------------------------------------------------------------
# Date                  : Fri Jun 27 02:00:00 2025
# MPI Version           : 3.1
# Calling sequence was:
# ./IMB-MPI1 pingpong
# Minimum message length in bytes:   0
# MPI_Datatype                   :   MPI_BYTE

# List of Benchmarks to run:
# PingPong

#---------------------------------------------------
# Benchmarking PingPong{blank}
# #processes = 2{blank}
#---------------------------------------------------
{titles}
"""
IMB = {
    "3.2": ("       #bytes #repetitions      t[usec]   Mbytes/sec", "{0:>13}{1:>13}{2:>13.2f}{3:>13.2f}"),
    "2019 Update 6": ("       #bytes #repetitions      t[usec]   Mbytes/sec", "{0:>13}{1:>13}{2:>13.2f}{3:>13.2f}"),
    "2021.3": ("       #bytes #repetitions      t[usec]   Mbytes/sec", "{0:>13}{1:>13}{2:>13.2f}{3:>13.2f}"),
    "2021.7 P2P": ("       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec", "{0:>13}{1:>13}{2:>13.2f}{3:>13.2f}        81627"),
}  # fmt: skip
OTHER_TABLE = """
#-----------------------------------------------------------------------------
# Benchmarking Sendrecv
# #processes = 2
#-----------------------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
            0         1000         0.28         0.28         0.28         0.00
"""


class Formats(runner.CliTest):
    def roundtrips(self, option, name, text):
        """Half roundtrips by size, as an estimate takes them."""
        path = self.folder / f"{name.replace(' ', '-')}.txt"
        path.write_text(text)
        output = self.folder / "platform.json"
        self.succeed("estimate", option, path, "-o", output)
        return {point["bytes"]: 1e6 * point["one_way"] for point in runner.points_of(json.loads(output.read_text()))}

    def check(self, found):
        self.assertEqual(sorted(found), [size for size, _ in ROWS])
        for size, microseconds in ROWS:
            self.assertAlmostEqual(found[size] / microseconds, 1, 6)

    def test_osu(self):
        for name, head in OSU.items():
            with self.subTest(version=name):
                lines = "".join(f"{size:<10}{time:>18.2f}{FURTHER.get(name, '')}\n" for size, time in ROWS)
                self.check(self.roundtrips("--osu", name, head + lines))

    def test_imb(self):
        for name, (titles, row) in IMB.items():
            with self.subTest(version=name):
                head = IMB_HEAD.format(version=name, titles=titles, blank=" " if name.startswith("2021") else "")
                lines = "".join(row.format(size, 1000, time, size / time) + "\n" for size, time in ROWS)
                self.check(self.roundtrips("--imb", name, head + lines + OTHER_TABLE + "\n# All processes entering MPI_Finalize\n"))

    def test_lines_without_a_time(self):
        head = IMB_HEAD.format(version="2021.3", titles=IMB["3.2"][0], blank="")
        lines = "".join(IMB["3.2"][1].format(size, 1000, time, 0) + "\n" for size, time in ROWS)
        failed = ('      8388608 out-of-mem.; needed X=   0.016 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)\n'
                  "     16777216 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over\n")  # fmt: skip
        self.check(self.roundtrips("--imb", "failed", head + lines + failed))

    def test_labels_of_launchers(self):
        text = OSU["7.5"] + "".join(f"{size:<10}{time:>18.2f}\n" for size, time in ROWS)
        for label in ("[1,0]<stdout>:", "[1,0]<stdout>: ", "0: "):
            with self.subTest(label=label):
                labelled = "".join(f"{label}{line}\n" for line in text.splitlines())
                self.check(self.roundtrips("--osu", "labelled", labelled + "[1,1]<stderr>:1 2\n"))


if __name__ == "__main__":
    runner.main()
