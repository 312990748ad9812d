"""Platform files of several campaigns: compared, merged, and grouped by what a site says of its switches."""

import json

import runner

SWITCHES = "SwitchName=s0 Nodes=node[0-1]\nSwitchName=s1 Nodes=node[2-3] # further ones\nSwitchName=top Switches=s[0-1]\n"


class PlatformsTest(runner.CliTest):
    """Simulated clusters of hosts on one switch."""

    def cluster(self, hosts, bandwidth=1e9):
        name = self.folder / f"{'-'.join(hosts)}-{bandwidth:.0f}.xml"
        routes = "".join(f'<route src="{a}" dst="{b}"><link_ctn id="l{a}"/><link_ctn id="l{b}"/></route>'
                         for i, a in enumerate(hosts) for b in hosts[i + 1:])
        name.write_text('<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
                        '<zone id="world" routing="Full">' + "".join(f'<host id="{h}" speed="1Gf"/>' for h in hosts) +
                        "".join(f'<link id="l{h}" bandwidth="{bandwidth}Bps" latency="5us"/>' for h in hosts) + routes +
                        "</zone></platform>")
        return name

    def words(self, hosts, output, *more, bandwidth=1e9, models="hockney,loggp"):
        (self.folder / "hosts").write_text("".join(f"{h}\n" for h in hosts))
        return ["measure", "--virtual", self.cluster(hosts, bandwidth), "--hostfile", self.folder / "hosts", "-n", len(hosts),
                "--models", models, "-o", output, *more]

    def measured(self, hosts, name, *more, **options):
        output = self.folder / name
        self.succeed(*self.words(hosts, output, *more, **options))
        return output


class Diff(PlatformsTest):
    def test_same(self):
        a = self.measured(["a", "b", "c"], "a.json")
        self.assertRegex(self.succeed("diff", a, a).out, r"\d+ parameters are the same")
        self.assertTrue(self.succeed("diff", a, a, "--json").json()["same"])

    def test_a_slower_network(self):
        a = self.measured(["a", "b", "c"], "a.json")
        b = self.measured(["a", "b", "c"], "b.json", bandwidth=0.8e9)
        result = runner.postage("diff", a, b)
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"\Apostage: .*a\.json and .*b\.json differ: .*\n\Z")
        self.assertIn("hockney: beta", result.out)
        found = json.loads(runner.postage("diff", a, b, "--json").out)
        [beta] = [c for c in found["changes"] if c["model"] == "hockney" and c["symbol"] == "beta"]
        self.assertAlmostEqual(beta["change"], 0.25, delta=0.01)
        self.assertGreater(beta["effect"], 0.2)
        effects = [c.get("effect", -1) for c in found["changes"]]
        self.assertEqual(effects, sorted(effects, reverse=True))
        [large] = [p for p in found["predictions"] if p["model"] == "hockney" and p["collective"] == "bcast binomial of 1M"]
        self.assertAlmostEqual(large["after"] / large["before"], 1.25, delta=0.02)
        self.succeed("diff", a, b, "--least", 30)

    def test_other_hosts_and_models(self):
        a = self.measured(["a", "b", "c"], "a.json")
        b = self.measured(["a", "b", "d"], "b.json", models="hockney")
        result = runner.postage("diff", a, b)
        self.assertEqual(result.status, 1)
        self.assertIn("1 host is only in the first file: c", result.out)
        self.assertIn("1 host is only in the second file: d", result.out)
        self.assertIn("1 model is only in the first file: loggp", result.out)

    def test_files_that_are_none(self):
        a = self.measured(["a", "b"], "a.json")
        self.refuse("diff", a, self.folder / "none.json", mentions=["none.json"])
        (self.folder / "x.json").write_text("{}")
        self.refuse("diff", self.folder / "x.json", a, mentions=["x.json"])
        self.refuse("diff", a)


class Allocations(PlatformsTest):
    def samples(self, hosts, name, **options):
        self.measured(hosts, f"{name}-platform.json", "--samples", self.folder / name, **options)
        return self.folder / name

    def test_overlapping_allocations_are_one_platform(self):
        monday = self.samples(["a", "b", "c"], "monday")
        tuesday = self.samples(["d", "c", "b"], "tuesday")
        output = self.folder / "both.json"
        result = self.succeed("estimate", monday, tuesday, "-o", output)
        platform = json.loads(output.read_text())
        self.assertEqual([node["name"] for node in platform["nodes"]], ["a", "b", "c", "d"])
        self.assertEqual(len(platform["ranks"]), 4)
        self.assertNotIn("contradicts", result.err)
        pairs = {tuple(sorted((p["source"], p["target"]))) for p in platform["points"]}
        self.assertEqual(pairs, {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)})

    def test_disjoint_allocations_are_said_to_be(self):
        result = self.succeed("estimate", self.samples(["a", "b"], "monday"), self.samples(["c", "d"], "tuesday"), "-o",
                              self.folder / "both.json")
        self.assertIn("no experiment in common", result.err)

    def test_a_contradiction_is_named(self):
        monday = self.samples(["a", "b", "c"], "monday")
        tuesday = self.samples(["b", "c", "d"], "tuesday", bandwidth=0.7e9)
        result = self.succeed("estimate", monday, tuesday, "-o", self.folder / "both.json")
        self.assertRegex(result.err, r"warning: \S*tuesday/campaign-1.json contradicts")
        self.assertIn("roundtrip", result.err)


class SiteTopology(PlatformsTest):
    HOSTS = ["node0", "node1", "node2", "node3"]

    def conf(self, text):
        path = self.folder / "topology.conf"
        path.write_text(text)
        return path

    def test_groups_are_those_of_the_switches(self):
        conf = self.conf(SWITCHES)
        samples = self.folder / "samples"
        platform = self.measured(self.HOSTS, "p.json", "--topology", conf, "--samples", samples)
        network = json.loads(platform.read_text())["network"]
        self.assertEqual([(g["name"], g["hosts"]) for g in network["groups"]], [("s0", "0-1"), ("s1", "2-3")])
        self.assertIn("s0: node[0-1], s1: node[2-3]", self.succeed("topology", "--platform", platform).out)
        again = self.folder / "again.json"
        self.succeed("estimate", samples, "--topology", conf, "-o", again)
        groups = json.loads(again.read_text())["network"]["groups"]
        self.assertEqual([(g["name"], g["hosts"]) for g in groups], [("s0", "0-1"), ("s1", "2-3")])

    def test_contradictions_are_refused_before_measuring(self):
        def refuse(text, *mentions):
            self.refuse(*self.words(self.HOSTS, self.folder / "p.json", "--topology", self.conf(text)), mentions=mentions)
            self.assertFalse((self.folder / "p.json").exists())

        refuse("SwitchName=s0 Nodes=node[0-2]\n", "topology.conf", "host node3")
        refuse("SwitchName=s0 Nodes=node[0-3]\nSwitchName=s1 Nodes=node3\n", "topology.conf:2:", "node3")
        refuse("SwitchName=s0 Switches=s1\nSwitchName=s1 Switches=s0\n", "topology.conf:1:", "above itself")
        refuse("SwitchName=s0 Nodes=node[0-3]\nSwitchName=s1 Switches=s[0,2]\n", "topology.conf:2:", "s2")
        self.refuse(*self.words(self.HOSTS, self.folder / "p.json", "--topology", self.folder / "none"), mentions=["--topology"])


if __name__ == "__main__":
    runner.main()
