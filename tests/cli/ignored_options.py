"""No option is ignored silently: one that would have no effect is refused, by one sentence that names it and what it belongs to."""

import json

import runner

LOGGP = ["--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]
PREDICT = ["predict", "bcast", "-P", 4, "-m", "1K", *LOGGP]
NO_EFFECT = [
    # words, the option, what it has no effect with or without
    (["bench", "--preload"], ["--seconds", "1ms"], "--preload"),
    (["bench", "--preload"], ["--experiment", "skew"], "--preload"),
    (["bench", "--preload"], ["--cache-misses"], "--preload"),
    (["bench"], ["--mpi", "mpich"], "--preload"),
    (["bench", "-n", 4], ["--pairs", "shared-cache"], "--ranks"),
    (PREDICT, ["--levels", "shared-cache:2,inter-node", "--platform", "p.json"], "--platform"),
    (["predict", "bcast", "--platform", "p.json"], ["--levels", "inter-node"], "--params"),
    (PREDICT, ["--element", 8], "--counts"),
    (PREDICT, ["--run", 8], "--stride"),
    (PREDICT, ["--by-hand"], "--stride"),
    (PREDICT, ["--to-goal", "x.goal"], "--trace"),
    (["predict", "--trace", "x.goal"], ["--size", "1K"], "--trace"),
    (["predict", "--trace", "x.goal"], ["--evaluator", "rounds"], "--trace"),
    ([*PREDICT, "--formula", "all"], ["--what-if", "all.bandwidth=x2"], "--formula"),
    (["predict", "p2p", "--expression", "L(8K)", *LOGGP], ["--size", "1K"], "--expression"),
    (["explain", "bcast", "--platform", "p.json", "--against", "s"], ["--size", "1K"], "--against"),
    (["compare", "bcast", "-P", 4, "-m", "1K", *LOGGP, "--json"], ["--top", 3], "--json"),
    (["schedule", "--list"], ["--ranks", 4], "--list"),
    (["schedule", "gatherv", "linear", "--counts", "c.txt"], ["--size", 8], "--counts"),
    (["measure", "--virtual", "flat16"], ["--per-node", 2], "--dry-run"),
    (["measure", "--dry-run"], ["--samples", "s"], "--dry-run"),
    (["measure", "--virtual", "flat16", "--json"], ["--parameters"], "--json"),
    (["measure", "--virtual", "flat16"], ["--mpi", "mpich"], "--virtual"),
    (["measure", "--shm"], ["--hostfile", "hosts"], "--shm"),
    (["measure", "--launcher", "srun"], ["--ranks", 4], "--launcher"),
    (["measure"], ["--smpi-arg=--cfg=a:b"], "--virtual"),
    (["measure", "-o", "p.json"], ["--force"], "--output"),
    (["estimate", "samples", "-o", "p.json"], ["--force"], "--output"),
    (["estimate", "samples"], ["--levels", "inter-node"], "--osu or --imb"),
    (["validate", "--platform", "p.json"], ["--seeds", "1:2"], "--suite"),
    (["validate", "--suite", "quick"], ["--platform", "p.json"], "--suite"),
    (["validate", "--suite", "quick"], ["--passes", 3], "--suite"),
    (["topology"], ["--least", 5], "--outliers"),
    (["topology"], ["--samples", "s"], "--outliers"),
    (["topology", "--outliers"], ["--output", "x.svg"], "--outliers"),
    (["diff", "a.json", "b.json", "--json"], ["--rows", 5], "--json"),
    (["models", "--formulas"], ["hockney"], "--formulas"),
    (["watch", "--baseline", "b.json"], ["--runs", 2], "--record"),
    (["watch", "--baseline", "b.json", "--record"], ["--reframe"], "--record"),
    (["tune", "--platform", "p.json"], ["--passes", 3], "--platform"),
    (["tune"], ["--selector", "mpich"], "--virtual"),
    (["optimize", "mapping", "--pattern", "ring", "--nodes", 2, "--per-node", 2, "-m", 8, *LOGGP], ["--virtual", "flat16"], "--verify"),
    (["lab", "status", "--json"], ["--topology-conf"], "--json"),
]  # fmt: skip
OTHERWISE = [
    # words that name what is given in vain, and what would be right
    (["predict", "allreduce", "-P", 4, "-m", "1K", *LOGGP, "--root", 1], ["allreduce has no root", "--root"]),
    (["schedule", "allreduce", "ring", "--root", 1], ["allreduce has no root", "--root"]),
    ([*PREDICT, "--set", "radx=4"], ["--set radx", "radix"]),
    (["compare", "bcast", "-P", 4, "-m", "1K", *LOGGP, "--set", "radx=4"], ["--set radx", "radix"]),
    ([*PREDICT, "--algorithm", "linear", "--within", "linear", "--among", "binomial", "--nodes", 2, "--per-node", 2], ["--within and --among"]),
    (["schedule", "bcast", "binomial", "--within", "linear", "--among", "binomial", "--nodes", 2, "--per-node", 4], ["--within and --among"]),
    (["compare", "bcast", "-P", 4, "-m", "1K", *LOGGP, "--segment", "1K"], ["--segment", "compare --help"]),
    (["explain", "bcast", "-P", 4, "-m", "1K", *LOGGP, "--max-extrapolation", 2], ["--max-extrapolation", "explain --help"]),
    (["measure", "--virtual", "flat16", "--hostfile", "hosts"], ["--hostfile", "flat16"]),
    (["validate", "--suite", "random", "--seeds", "1", "--on", "flat16"], ["--on", "--seeds"]),
    (["validate", "--suite", "quick", "--seeds", "1"], ["--seeds", "--on"]),
    (["tune", "--shm"], ["--shm"]),
]  # fmt: skip


class Ignored(runner.CliTest):
    def test_what_has_no_effect_is_refused(self):
        for words, option, other in NO_EFFECT:
            with self.subTest(words=words, option=option):
                self.refuse(*words, *option, mentions=["has no effect with", other], cwd=self.folder)

    def test_what_does_not_fit_is_refused(self):
        for words, mentions in OTHERWISE:
            with self.subTest(words=words):
                self.refuse(*words, mentions=mentions, cwd=self.folder)

    def test_a_simulator_that_takes_no_nodes(self):
        platform = self.folder / "p.json"
        self.succeed("measure", "--virtual", "flat16", "-n", 3, "--quick", "--models", "hockney,loggp", "-o", platform)
        self.refuse("export", "--platform", platform, "--for", "loggopsim", "--nodes", 4, mentions=["--nodes", "smpi"])
        self.refuse("tune", "--platform", platform, "--virtual", "flat16", "--ranks", 4, mentions=["--ranks 4", "--nodes"])
        rows = self.succeed("predict", "bcast", "--platform", platform, "-m", 8, "--set", "radix=3", "--json").json()
        self.assertTrue(json.dumps(rows))


if __name__ == "__main__":
    runner.main()
