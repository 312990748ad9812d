"""What `postage doctor` says of the machine that the tests run on, and of made-up surroundings."""

import os

import runner


class Doctor(runner.CliTest):
    def report(self, **options):
        result = runner.postage("doctor", "--json", **options)
        report = result.json()
        self.assertEqual(result.status, 0 if report["can_measure"] else 1, result.err)
        return report, {finding["topic"]: finding for finding in report["findings"]}

    def test_looks_at_everything(self):
        _, topics = self.report()
        for topic in ["topology", "binding", "quota", "load", "clock rate", "kernel copy", "shared memory"]:
            self.assertIn(topic, topics)
            self.assertIn(topics[topic]["status"], ["ok", "warning"])
        self.assertRegex(topics["topology"]["seen"], r"\d+ sockets?, \d+ NUMA nodes?, \d+ cores?, \d+ hardware threads?")

    def test_warnings_come_with_advice(self):
        report, _ = self.report()
        for finding in report["findings"]:
            if finding["status"] != "ok":
                self.assertTrue(finding["advice"], finding)

    def test_sees_the_binding(self):
        one = min(os.sched_getaffinity(0))
        everything = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, everything)
        os.sched_setaffinity(0, {one})
        _, topics = self.report()
        self.assertIn(f"1 of the {os.cpu_count()} processors that are online ({one})", topics["binding"]["seen"])

    def test_without_a_launcher_measuring_is_impossible(self):
        nowhere = {"PATH": str(self.folder)}
        report, topics = self.report(environment=nowhere)
        self.assertFalse(report["can_measure"])
        self.assertEqual(topics["MPI"]["status"], "problem")
        self.refuse_with_table(nowhere)

    def refuse_with_table(self, environment):
        result = self.refuse("doctor", status=1, mentions=["measuring is impossible"], environment=environment)
        self.assertIn("topology", result.out)

    def test_the_table_fits_the_terminal(self):
        for width in [60, 80, 120]:
            result = runner.postage("doctor", environment={"COLUMNS": str(width)})
            lines = result.out.splitlines()
            self.assertRegex(lines[0], r"\Atopic +status +seen +advice\Z")
            self.assertLessEqual(max(map(len, lines)), width)


runner.main()
