"""postage lab: networks of namespaces, what runs on them, and that nothing of them is ever left behind."""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import time
import unittest

import runner

# A lab of one's own: whoever tests may have one up.
LAB = f"test{os.getpid()}"
STATE = pathlib.Path("/run/postage")
AS_ROOT = unittest.skipUnless(os.geteuid() == 0, "labs need root, and this is not root")
MEASURE = runner.BUILD / "bin"


def namespaces():
    folder = pathlib.Path("/run/netns")
    return sorted(p.name for p in folder.iterdir() if p.name.startswith(f"postage-{LAB}-")) if folder.exists() else []


def processes_in_namespaces(names):
    inodes = {os.stat(f"/run/netns/{name}").st_ino for name in names}
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.stat(entry / "ns" / "net").st_ino in inodes:
                    found.append(int(entry.name))
            except OSError:
                pass
    return found


class LabTest(runner.CliTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(lambda: runner.postage("lab", "down", "--name", LAB))

    def up(self, *more, hosts=3, **options):
        return self.succeed("lab", "up", "--name", LAB, "--hosts", hosts, *more, **options)

    def run_on(self, *words, **options):
        return self.succeed("lab", "run", "--name", LAB, *words, **options)

    def status(self):
        return self.succeed("lab", "status", "--name", LAB, "--json").json()

    def expect_nothing_left(self):
        self.assertEqual(namespaces(), [])
        self.assertFalse((STATE / LAB).exists())

    def down(self):
        """Takes it down, and whatever ran in it."""
        running = processes_in_namespaces(namespaces())
        self.assertIn("is gone", self.succeed("lab", "down", "--name", LAB).out)
        self.expect_nothing_left()
        for pid in running:
            self.assertFalse(pathlib.Path(f"/proc/{pid}/ns/net").exists(), pid)
        self.assertIn("there is no lab", self.succeed("lab", "down", "--name", LAB).out)

    def fake(self, name, script):
        """A PATH on which a program of our own making comes first; it may go on to $REAL."""
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(f"#!/bin/sh\nREAL={shutil.which(name)}\nCOUNT={folder}/{name}.count\n"
                        "echo >>$COUNT\ncalls=$(wc -l <$COUNT)\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}


@AS_ROOT
class Life(LabTest):
    def test_up_status_down(self):
        for more in [(), ("--bridge",), ("--rates", "100M", "--latency", "50us"), ("--rates", "10M,20M,1G", "--bridge", "--mtu", 1500),
                     ("--switches", 2, "--uplink", "10M", "--uplink-latency", "1ms"), ("--switches", 2, "--uplink", "10M,20M", "--bridge")]:
            with self.subTest(more=more):
                self.assertIn("is up", self.up(*more).out)
                self.assertEqual(len(namespaces()), 4)
                status = self.status()
                self.assertTrue(status["whole"])
                self.assertEqual(status["processes"], 0)
                self.down()

    def test_rates_and_latencies_are_each_hosts_own(self):
        self.up("--rates", "10M,20M,1G", "--latency", "0,5us,1ms")
        self.assertEqual(self.status()["hosts"], [{"rate": 1.25e6, "latency": 0}, {"rate": 2.5e6, "latency": 5e-6},
                                                  {"rate": 125e6, "latency": 1e-3}])
        self.assertRegex(self.succeed("lab", "status", "--name", LAB).out, r"h1 +s0 +20Mbit +5 us")

    def test_switches_are_told(self):
        self.up("--rates", "100M", "--switches", 2, "--uplink", "10M,20M")
        status = self.status()
        self.assertEqual([host["switch"] for host in status["hosts"]], ["s0", "s0", "s1"])
        self.assertEqual(status["switches"], [{"rate": 1.25e6, "latency": 0}, {"rate": 2.5e6, "latency": 0}])
        self.assertRegex(self.succeed("lab", "status", "--name", LAB).out, r"s1 +core +20Mbit")
        self.assertEqual(self.succeed("lab", "status", "--name", LAB, "--topology-conf").out,
                         "SwitchName=s0 Nodes=h0,h1\nSwitchName=s1 Nodes=h2\nSwitchName=core Switches=s[0-1]\n")

    def test_up_twice(self):
        self.up()
        before = namespaces()
        self.refuse("lab", "up", "--name", LAB, "--hosts", 5, status=1, mentions=["up already", f"lab down --name {LAB}"])
        self.assertEqual(namespaces(), before)
        self.assertTrue(self.status()["whole"])

    def test_a_dead_switch_is_noticed(self):
        self.up()
        [switch] = processes_in_namespaces([f"postage-{LAB}-switch"])
        os.kill(switch, signal.SIGKILL)
        self.wait_for(lambda: not self.status()["whole"])
        self.refuse("lab", "run", "--name", LAB, "--", "true", status=1, mentions=["not whole", "lab down"])
        self.down()

    def wait_for(self, condition):
        self.assertTrue(runner.wait_for(condition), "did not happen within two minutes")


@AS_ROOT
class Accidents(LabTest):
    def test_up_is_killed_at_any_command(self):
        """SIGKILL at every call of ip and tc: nothing can be cleaned up then, but 'down' knows what to do."""
        for name, most in (("ip", 8), ("tc", 3)):
            for call in range(1, most + 1):
                with self.subTest(program=name, call=call):
                    # The parent of ip is the supervisor, whose parent is postage.
                    kill = "kill -KILL $(cut -d' ' -f4 /proc/$PPID/stat); exit 1"
                    environment = self.fake(name, f'[ $calls = {call} ] && {{ {kill}; }}\nexec $REAL "$@"\n')
                    result = runner.postage("lab", "up", "--name", LAB, "--hosts", 3, "--rates", "10M", "--bridge",
                                            environment=environment)
                    self.assertEqual(result.status, -signal.SIGKILL)
                    self.assertTrue((STATE / LAB).exists())
                    self.assertFalse(self.status()["whole"])
                    self.refuse("lab", "up", "--name", LAB, "--hosts", 2, status=1, mentions=["half built", "lab down"])
                    self.down()
                    shutil.rmtree(self.folder / "bin")

    def test_up_cleans_up_what_fails(self):
        for name in ("ip", "tc"):
            with self.subTest(program=name):
                environment = self.fake(name, '[ $calls = 3 ] && { echo no such thing >&2; exit 1; }\nexec $REAL "$@"\n')
                self.refuse("lab", "up", "--name", LAB, "--hosts", 3, "--rates", "10M", "--bridge", status=1,
                            mentions=["nothing is left", "no such thing"], environment=environment)
                self.expect_nothing_left()

    def test_up_cleans_up_when_interrupted(self):
        environment = self.fake("ip", f'[ $calls = 5 ] && {{ touch {self.folder}/there; sleep 30; }}\nexec $REAL "$@"\n')
        process = subprocess.Popen([str(runner.POSTAGE), "lab", "up", "--name", LAB, "--hosts", "3"],
                                   env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not (self.folder / "there").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("was interrupted", errors)
        self.expect_nothing_left()

    def test_down_finds_namespaces_without_a_record(self):
        self.up()
        shutil.rmtree(STATE / LAB)
        self.refuse("lab", "up", "--name", LAB, "--hosts", 2, status=1, mentions=["half built"])
        self.down()

    def test_down_ends_what_runs(self):
        self.up()
        process = subprocess.Popen([str(runner.POSTAGE), "lab", "run", "--name", LAB, "--", "sleep", "600"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if self.status()["processes"] >= 6:  # mpirun, two agents, three sleeps
                break
            time.sleep(0.1)
        self.down()
        self.assertNotEqual(process.wait(timeout=60), 0)

    def test_a_name_that_begins_like_another(self):
        self.up()
        self.addCleanup(lambda: runner.postage("lab", "down", "--name", LAB + "b"))
        self.succeed("lab", "up", "--name", LAB + "b", "--hosts", 2)
        self.down()
        self.assertTrue(self.succeed("lab", "status", "--name", LAB + "b", "--json").json()["whole"])


@AS_ROOT
class Jobs(LabTest):
    def flavours(self):
        return [f for f in ("openmpi", "mpich") if (MEASURE / f"postage-measure-{f}").exists() and shutil.which(f"mpirun.{f}")]

    def test_ranks_are_on_their_hosts(self):
        self.up()
        self.assertTrue(self.flavours())
        for flavour in self.flavours():
            with self.subTest(flavour=flavour):
                script = "echo $(hostname) $(ls /sys/class/net | tr '\\n' ' ') $(wc -l </etc/hosts)"
                lines = self.run_on("--mpi", flavour, "--per-host", 2, "-n", 5, "--", "sh", "-c", script).out
                self.assertEqual(sorted(lines.splitlines()), ["h0 lo v0 4"] * 2 + ["h1 lo v0 4"] * 2 + ["h2 lo v0 4"])

    def test_status_of_the_job_is_passed_on(self):
        self.up()
        self.assertEqual(runner.postage("lab", "run", "--name", LAB, "--", "sh", "-c", "exit 3").status, 3)

    def test_messages_take_at_least_what_was_imposed(self):
        """How much longer they take is the machine's business; that they take no less is the lab's."""
        rates, latencies = [10e6, 20e6, 1e9], [100e-6, 200e-6, 0]
        for more in [("--latency", "100us,200us,0")], [("--bridge",)]:
            self.up("--rates", "10M,20M,1G", *more[0])
            for flavour in self.flavours():
                with self.subTest(more=more, flavour=flavour):
                    output = self.folder / "p.json"
                    self.succeed("measure", "--lab", LAB, "--mpi", flavour, "--models", "hockney", "--sizes",
                                 "1,8K,64K", "--train-sizes", "none", "--budget", "2s", "--least", 3, "--warm-up", 1, "-o", output, timeout=100)
                    platform = json.loads(output.read_text())
                    self.assertEqual([node["name"] for node in platform["nodes"]], ["h0", "h1", "h2"])
                    points = list(runner.points_of(platform))
                    self.assertEqual(len(points), 9)
                    for point in points:
                        self.check(point, rates, latencies if len(more[0]) == 2 else None)
            self.down()

    def test_choices_are_timed_until_the_last_rank_is_through(self):
        # 1 ms and more a direction. By each rank's own clock, from a barrier on, a broadcast of 8 B takes some microseconds.
        self.up("--latency", "1ms", hosts=2)
        points, times = self.folder / "points", self.folder / "times"
        points.write_text("2 bcast:linear:8; coll_tuned_bcast_algorithm=1\n2 allgather:ring:8\n")
        self.run_on("--mpi", "openmpi", "--", MEASURE / "postage-choices-openmpi", points, times, "2s", timeout=100)
        rounds = [[float(word) for word in line.split()] for line in times.read_text().splitlines()]
        self.assertEqual(len(rounds), 3)
        for seconds in rounds:
            self.assertGreater(sorted(seconds)[len(seconds) // 2], 0.7e-3)

    def test_messages_between_switches_take_the_slow_cable(self):
        for more in [("--uplink-latency", "1ms")], [("--bridge",)]:
            self.up("--rates", "100M", "--switches", 2, "--uplink", "10M", *more[0])
            with self.subTest(more=more):
                output = self.folder / "p.json"
                self.succeed("measure", "--lab", LAB, "--models", "hockney", "--sizes", "1,256K", "--train-sizes", "none",
                             "--budget", "2s", "--least", 3, "--warm-up", 1, "-o", output, timeout=100)
                times = {(min(p["source"], p["target"]), max(p["source"], p["target"]), p["bytes"]):
                         p["one_way"] for p in runner.points_of(json.loads(output.read_text()))}
                slow = [times[0, 2, 262144], times[1, 2, 262144]]
                # What a bucket holds passes at once, at both ends of both cables.
                self.assertGreater(min(slow), 8 * (262144 - 8 * 18028) / 10e6 if len(more[0]) == 1 else 8 * 262144 / 10e6)
                self.assertGreater(min(slow), 1.5 * times[0, 1, 262144])
                if len(more[0]) == 2:
                    self.assertGreaterEqual(min(times[0, 2, 1], times[1, 2, 1]), 2e-3)
            self.down()

    def test_hosts_that_share_a_cable_are_found(self):
        """Without latency: only large messages tell of it."""
        self.up("--switches", 2, "--uplink", "50M", hosts=6)
        none = ["step", "reply", "strided", "echo", "handshake", "rewriting", "pipelined", "handshake-echo", "train",
                "answered-train", "one-to-two", "concurrent", "fan", "butterfly", "sweep", "copy", "reduction"]
        output = self.folder / "p.json"
        self.succeed("measure", "--lab", LAB, "--models", "flow", "--quick", "--held-out", 0,
                     "--sizes", "0,1,4,16,64,16K,64K,256K", "--permutation-sizes", "256K",
                     *[word for kind in none for word in (f"--{kind}-sizes", "none")], "-o", output, timeout=200)
        topology = self.succeed("topology", "--platform", output, "--json").json()
        self.assertEqual([group["hosts"] for group in topology["parts"]], [["h[0-2]", "h[3-5]"]])
        # Hosts of one switch get some hundred MB/s; how close to the cable's rate a short campaign comes is the machine's
        # business, and what a bucket holds passes at once.
        within, across = (level["rate"]["value"] for level in topology["levels"])
        self.assertGreater(across, 0.8 * 50e6 / 8)
        self.assertLess(across, 8 * 50e6 / 8)
        self.assertGreater(within, 2 * across)
        self.down()

    def check(self, point, rates, latencies):
        i, j = point["source"], point["target"]
        one_way = point["one_way"]
        if latencies:
            self.assertGreaterEqual(one_way, latencies[i] + latencies[j] + 8 * point["bytes"] / min(rates[i], rates[j]))
        elif point["bytes"] > 100e3:
            # Buckets at both ends let at most this much pass at once, there and back.
            rate = min(rates[i], rates[j])
            bucket = 2 * max(18028, rate / 8 * 600e-6)
            self.assertGreaterEqual(one_way, 8 * (point["bytes"] - bucket) / rate)

    def test_more_ranks_than_slots(self):
        self.up()
        self.refuse("lab", "run", "--name", LAB, "-n", 4, "--", "true", mentions=["3 hosts", "4 ranks"])
        self.refuse("lab", "run", "--name", LAB, "--mpi", "lam", "--", "true", mentions=["openmpi, mpich"])

    def test_the_agent_is_called_like_ssh(self):
        self.up()
        agent = STATE / LAB / "agent"
        done = subprocess.run([agent, "-x", "h1", "hostname;", "echo 'a  b'"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.stdout, "h1\na  b\n")
        wrong = subprocess.run([agent, "h9", "true"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("h0 to h2", wrong.stderr)


class Refusals(LabTest):
    def test_without_root(self):
        as_nobody = [] if os.geteuid() else ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        # The build folder may not be open to everybody.
        program = self.folder / "postage"
        shutil.copy(runner.POSTAGE, program)
        self.folder.chmod(0o755)
        for words in (["up", "--hosts", "2"], ["status"], ["down"]):
            done = subprocess.run([*as_nobody, program, "lab", *words, "--name", LAB], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, done)
            self.assertRegex(done.stderr, r"\Apostage: .*root.*\n\Z")

    @AS_ROOT
    def test_without_ip_or_tc(self):
        folder = self.folder / "empty"
        folder.mkdir()
        for present, missing in (("tc", "ip"), ("ip", "tc")):
            (folder / present).symlink_to(shutil.which(present))
            self.refuse("lab", "up", "--name", LAB, "--hosts", 2, status=1, mentions=[missing, "iproute2"],
                        environment={"PATH": str(folder)})
            (folder / present).unlink()
        self.expect_nothing_left()

    def test_invalid_requests(self):
        up = ["lab", "up", "--name", LAB]
        self.refuse(*up, "--hosts", 1)
        self.refuse(*up)
        self.refuse(*up, "--hosts", 3, "--rates", "10M,20M", mentions=["3 hosts", "2 values"])
        self.refuse(*up, "--hosts", 2, "--rates", "quick", mentions=["quick", "100M"])
        self.refuse(*up, "--hosts", 2, "--rates", "10", mentions=["1Mbit"])
        self.refuse(*up, "--hosts", 2, "--latency", "5 parsecs", mentions=["5 parsecs"])
        self.refuse(*up, "--hosts", 2, "--latency", "5us", "--bridge", mentions=["bridge"])
        self.refuse(*up, "--hosts", 2, "--mtu", 10, mentions=["MTU"])
        self.refuse(*up, "--hosts", 2, "--switches", 3, mentions=["2 hosts", "3 switches"])
        self.refuse(*up, "--hosts", 2, "--uplink", "5M", mentions=["--switches"])
        self.refuse(*up, "--hosts", 4, "--switches", 2, "--uplink", "5M,5M,5M", mentions=["--uplink", "2 switches", "3 values"])
        self.refuse("lab", "up", "--name", "a-b", "--hosts", 2, mentions=["a-b", "letters"])
        self.refuse("lab")
        self.refuse("measure", "--lab", LAB, "--virtual", "flat16", mentions=["--virtual"])

    @AS_ROOT
    def test_where_none_is_up(self):
        self.refuse("lab", "status", "--name", "nowhere", status=1, mentions=["lab up"])
        self.refuse("lab", "run", "--name", LAB, "--", "true", status=1, mentions=["not up", "lab up"])
        self.refuse("measure", "--lab", LAB, "-o", self.folder / "p.json", status=1, mentions=["not up"])


if __name__ == "__main__":
    runner.main()
