"""The drawing of a platform, and what is slow on it: on simulated clusters of which one host has a slow cable."""

import json
import xml.etree.ElementTree as ElementTree

import runner

HOSTS = 6


def cluster_of(slow=None, factor=1.0):
    """A SimGrid platform: hosts on one switch, one of them with a slower cable."""
    links = "".join(f'<link id="l{i}" bandwidth="{1e9 / (factor if i == slow else 1)}Bps" latency="5us"/>' for i in range(HOSTS))
    routes = "".join(f'<route src="n{i}" dst="n{j}"><link_ctn id="l{i}"/><link_ctn id="l{j}"/></route>'
                     for i in range(HOSTS) for j in range(i + 1, HOSTS))
    hosts = "".join(f'<host id="n{i}" speed="1Gf"/>' for i in range(HOSTS))
    return ('<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
            f'<zone id="world" routing="Full">{hosts}{links}{routes}</zone></platform>')


class TopologyTest(runner.CliTest):
    def measured(self, name, *words, slow=None, factor=1.0):
        (self.folder / "cluster.xml").write_text(cluster_of(slow, factor))
        (self.folder / "hosts").write_text("".join(f"n{i}\n" for i in range(HOSTS)))
        platform = self.folder / f"{name}.json"
        self.succeed("measure", "--virtual", self.folder / "cluster.xml", "--hostfile", self.folder / "hosts", "-n", HOSTS,
                     "--models", "hockney", "--sizes", "1,1K,64K,1M", "--name", name, "-o", platform, *words)
        return platform


class Drawing(TopologyTest):
    def test_text_json_and_svg_agree(self):
        platform = self.measured("star")
        drawing = self.folder / "star.svg"
        out = self.succeed("topology", "--platform", platform, "-o", drawing).out
        self.assertIn("6 hosts alike: n[0-5]", out)
        self.assertIn("one message alone", out)
        self.assertIn("star.svg", out)
        text = " ".join(ElementTree.parse(drawing).getroot().itertext())
        self.assertIn("6 hosts alike", text)
        parsed = self.succeed("topology", "--platform", platform, "--json").json()
        self.assertEqual(parsed["parts"][0]["count"], HOSTS)
        [level] = parsed["levels"]
        # Two links of 5 us; SMPI adds an envelope of 16 bytes.
        self.assertAlmostEqual(level["latency"]["value"], 10e-6 + 17e-9, delta=1e-7)
        self.assertAlmostEqual(level["rate"]["value"] / 1e9, 1, delta=0.01)

    def test_is_the_first_picture_of_the_report(self):
        report = self.folder / "report.html"
        self.succeed("report", "--platform", self.measured("star"), "-o", report)
        self.assertIn("6 hosts alike", report.read_text())

    def test_invalid_requests(self):
        self.refuse("topology", "--platform", self.folder / "none.json", mentions=["none.json"])
        platform = self.measured("star")
        self.refuse("topology", "--platform", platform, "-o", self.folder / "x.png", mentions=["--output", ".svg"])
        self.refuse("topology", "--platform", platform, "--samples", "x", mentions=["--samples", "--outliers"])
        three = runner.SOURCE / "tests" / "fuzz" / "corpus" / "platform" / "held-out.json"
        self.refuse("topology", "--platform", three, "--outliers", mentions=["at least 4 hosts", "3 were measured"])
        self.refuse("topology", "--platform", platform, "--outliers", "-o", self.folder / "x.svg", mentions=["--outliers"])


class SimGridsClusters(runner.CliTest):
    """As SimGrid's own files describe them, with SMPI's own settings: a receive takes as long as its message."""

    def measured(self, hosts, attributes, policy="SPLITDUPLEX", per_host=1, options=()):
        (self.folder / "cluster.xml").write_text(
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
            f'<cluster id="c" prefix="h" suffix="" radical="0-{hosts - 1}" speed="10Gf" bw="1.25GBps" lat="1us" '
            f'sharing_policy="{policy}" core="{per_host}" {attributes}/></platform>')
        (self.folder / "hosts").write_text("".join(f"h{i}\n" * per_host for i in range(hosts)))
        platform = self.folder / "cluster.json"
        self.succeed("measure", "--virtual", self.folder / "cluster.xml", "--hostfile", self.folder / "hosts", "-n", hosts * per_host,
                     "--models", "flow", "--held-out", 0, "-o", platform, *options)
        return json.loads(platform.read_text())

    def found(self, hosts, attributes, policy="SPLITDUPLEX"):
        return self.measured(hosts, attributes, policy)["network"]

    def test_links_of_one_direction_at_a_time(self):
        platform = self.measured(4, "", policy="SHARED")
        (flow,) = (table for table in platform["models"] if table["model"] == "flow")
        link = next(group for group in flow["groups"] if group["scope"].get("channel") == "inter-node")
        self.assertEqual(platform["network"]["rails"], 1)
        self.assertAlmostEqual(link["parameters"]["x"], 1, delta=0.02)
        self.assertAlmostEqual(link["parameters"]["B_send"] / 1.25e9, 1, delta=0.02)

    def test_a_fat_tree_with_two_spines(self):
        network = self.found(8, 'topology="FAT_TREE" topo_parameters="2;4,2;1,2;1,1"')
        self.assertEqual([group["hosts"] for group in network["groups"]], ["0-3", "4-7"])
        self.assertEqual(network["levels"][0]["ways"], 2)
        self.assertAlmostEqual(network["levels"][0]["bandwidth"] / 1.25e9, 1, delta=0.02)

    def test_two_spines_with_two_cables_to_each(self):
        network = self.found(8, 'topology="FAT_TREE" topo_parameters="2;4,2;1,2;1,2"')
        self.assertEqual((network["levels"][0]["ways"], network["levels"][0]["cables"]), (4, 2))
        self.assertAlmostEqual(network["levels"][0]["bandwidth"] / 1.25e9, 1, delta=0.02)

    def test_cables_of_one_direction_at_a_time(self):
        network = self.found(8, 'topology="FAT_TREE" topo_parameters="2;4,2;1,2;1,2"', policy="SHARED")
        self.assertTrue(network["half_duplex"])
        self.assertEqual((network["levels"][0]["ways"], network["levels"][0]["cables"]), (4, 2))
        self.assertAlmostEqual(network["levels"][0]["bandwidth"] / 1.25e9, 1, delta=0.02)

    def test_a_backbone(self):
        network = self.found(6, 'bb_bw="2GBps" bb_lat="2us"')
        self.assertEqual((network["groups"], network["rails"]), ([], 1))
        self.assertAlmostEqual(network["backbone"] / 2e9, 1, delta=0.02)

    def test_a_backbone_that_carries_all_pairs_in_one_direction_only(self):
        network = self.found(8, 'bb_bw="5GBps" bb_lat="2us"')
        self.assertEqual((network["groups"], network["rails"]), ([], 1))
        self.assertAlmostEqual(network["backbone"] / 5e9, 1, delta=0.02)
        (alike,) = network["classes"]
        for direction in ("send", "receive"):
            self.assertAlmostEqual(alike[direction] / 1.25e9, 1, delta=0.02)

    def test_memory_that_carries_any_number_of_messages_at_once(self):
        platform = self.measured(3, 'loopback_bw="3GBps" loopback_lat="400ns"', per_host=2,
                                 options=["--smpi-arg=--cfg=smpi/async-small-thresh:65536"])
        (flow,) = (table for table in platform["models"] if table["model"] == "flow")
        memory = next(group for group in flow["groups"] if group["scope"].get("channel") == "shared-cache")
        self.assertAlmostEqual(memory["parameters"]["G"] * 3e9, 1, delta=0.02)
        self.assertNotIn("B_pair", memory["parameters"])


class Outliers(TopologyTest):
    def test_none(self):
        result = self.succeed("topology", "--outliers", "--platform", self.measured("star"))
        self.assertIn("no host", result.out)

    def test_a_slow_cable(self):
        samples = self.folder / "samples"
        platform = self.measured("slow", "--samples", samples, "--all-pairs", slow=4, factor=1.25)
        for more in [(), ("--samples", samples)]:
            result = runner.postage("topology", "--outliers", "--platform", platform, *more)
            self.assertEqual(result.status, 1, result.err)
            self.assertRegex(result.err, r"\Apostage: host n4 is slower")
            self.assertIn("host n4", result.out)
            found = json.loads(runner.postage("topology", "--outliers", "--platform", platform, "--json", *more).out)
            [slow] = found["outliers"]
            self.assertEqual((slow["kind"], slow["names"]), ("host", ["n4"]))
            self.assertAlmostEqual(slow["slower"]["value"], 0.25, delta=0.03)
        self.succeed("topology", "--outliers", "--least", 40, "--platform", platform)

    def test_samples_of_other_hosts(self):
        platform = self.measured("star")
        samples = self.folder / "other"
        self.succeed("measure", "--virtual", "flat16", "-n", 4, "--models", "hockney", "--sizes", "1,64K,1M", "--samples", samples,
                     "-o", self.folder / "other.json")
        self.refuse("topology", "--outliers", "--platform", platform, "--samples", samples, mentions=["--samples", "none of platform"])


if __name__ == "__main__":
    runner.main()
