"""The channel inside a node as the command line sees it: measuring it and what goes wrong."""

import json

import runner

QUICK = ["--sizes", "1:64K:x16", "--train-sizes", "1", "--budget", "1s"]
SIZES = ["eager", "single_copy", "joint_copy", "skewed_single_copy"]


class MeasureChannel(runner.CliTest):
    def test_thresholds_come_with_the_platform_and_are_used(self):
        path = self.folder / "channel.json"
        result = self.succeed("measure", "--channel", "-n", 2, *QUICK, "-o", path, timeout=110)
        self.assertIn("single copy from", result.out)
        platform = json.loads(path.read_text())
        self.assertEqual(platform["implementation"], "postage channel")
        self.assertEqual({model["model"] for model in platform["models"]}, {"hockney", "loggp"})
        measured = platform["channel_thresholds"]
        self.assertTrue({row["channel"] for row in measured} <= {"shared-cache", "intra-socket", "inter-socket"})
        for row in measured:
            self.assertLessEqual(row["single_copy"], row["joint_copy"])
            self.assertLessEqual(row["single_copy"], row["skewed_single_copy"])
            self.assertTrue(all(row[size] >= 0 for size in SIZES))
        words = ["validate", "--platform", path, "--channel", "--sizes", "48,3K", "--collective", "barrier:dissemination:0"]
        self.succeed(*words, "--budget", "1s", timeout=110)
        platform["channel_thresholds"][0]["joint_copy"] = 0
        platform["channel_thresholds"][0]["single_copy"] = 1
        path.write_text(json.dumps(platform))
        self.refuse(*words, "--budget", "1s", status=1, mentions=["joint copy 0"])

    def test_other_launchers_are_refused(self):
        for further in (["--mpi", "openmpi"], ["--launcher", "srun"], ["--virtual", "flat16"], ["--lab", "lab"]):
            self.refuse("measure", "--channel", *further, mentions=["--channel" if "flat16" in further else further[0]])


if __name__ == "__main__":
    runner.main()
