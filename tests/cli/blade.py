"""`postage-blade`: a simulated Cell blade's parameters, and collectives on it."""

import json
import subprocess

import runner


class Blade(runner.CliTest):
    def blade(self, *arguments):
        command = [str(runner.BUILD / "bin" / "postage-blade"), *map(str, arguments)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        return runner.Result(done.returncode, done.stdout, done.stderr)

    def points(self, *lines):
        path = self.folder / f"points{len(list(self.folder.iterdir()))}"
        path.write_text("\n".join(lines) + "\n")
        return path

    def test_its_parameters_predict(self):
        path = self.folder / "chip.json"
        self.assertEqual(self.blade("parameters", "--of", "chip", "-o", path).status, 0)
        barrier = ["predict", "barrier", "--algorithm", "dissemination", "-P", 8, "--platform", path]
        row = self.succeed(*barrier, "--model", "plogp-cell", "--json").json()[0]
        # Three puts of 10 + 30 + 100 + 118 + 2 + 24 cycles at 3.2 GHz and 3.4 hops of 2 cycles.
        self.assertAlmostEqual(row["seconds"], 3 * 290.857 / 3.2e9, 12)

    def test_collectives(self):
        points = self.points("2 bcast:binomial:128  # a comment", "", "16 allgather:hybrid:4K x=3", "16 allgather:ring:16K")
        result = self.blade("run", points)
        self.assertEqual((result.status, result.err), (0, ""))
        first, second, third = json.loads(result.out)
        # Address and acknowledgement of 290 cycles each, and a get of 304.
        self.assertAlmostEqual(first["seconds"], 884 / 3.2e9, 15)
        self.assertEqual((second["ranks"], second["parameters"]), (16, {"x": 3}))
        self.assertIsNone(third["seconds"])  # a local store holds 256 KB
        self.assertGreater(third["local_store_bytes"], 256 * 1024)
        self.assertEqual(self.blade("run", points).out, result.out)

    def test_cluster(self):
        result = self.blade("cluster", "--blades", 2, "--sizes", "64,1K").json()
        self.assertGreater(result["barrier"], 35e-6)  # two overheads of 5 us and 25 us between
        self.assertEqual([row["bytes"] for row in result["bcast"]], [64, 1024])

    def test_mistakes(self):
        for arguments, mention in [
            (["run", self.points("16 bcast:nothing:64")], "line 1"),
            (["run", self.points("32 bcast:binomial:64")], "16 SPEs"),
            (["run", self.points("16 allgather:hybrid:64 x:3")], "NAME=VALUE"),
            (["parameters", "--of", "rack"], "cluster"),
            (["parameters", "--gap", "other"], "kielmann"),
        ]:
            result = self.blade(*arguments)
            self.assertEqual(result.status, 2, result.err)
            self.assertIn(mention, result.err)


if __name__ == "__main__":
    runner.main()
