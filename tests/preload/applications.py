"""Programs as others write them print the same with the library as without: applications.py FLAVOUR."""

import re
import sys
import unittest

import running

# MPICH's ranks poll, so that more of them than cores are slow.
RANKS = (2, 3, 5) if running.FLAVOUR == "openmpi" or running.EXHAUSTIVE else (2,)
ALWAYS = {"POSTAGE_PRELOAD": "always"}
PART = re.compile(r"^[a-z ]+: [0-9A-Fa-f]{16}$", re.MULTILINE)


@unittest.skipUnless(running.LIBRARY.exists(), "the preload library is not built")
class Applications(unittest.TestCase):
    def check(self, name, parts):
        """A line a part, which is the same whatever carries the calls out."""
        if not running.program(name).exists():
            self.skipTest("there is no compiler for it")
        for ranks in RANKS:
            plain = running.run(ranks, name, preload=[], timeout=120)
            self.assertEqual(plain.status, 0, plain.out[-4000:])
            expected = PART.findall(plain.out)
            self.assertEqual(len(expected), parts, plain.out)
            for environment in (ALWAYS, {**ALWAYS, "POSTAGE_PRETENDED_NODES": "0,1,0,1,1"}, {"POSTAGE_PRETENDED_CORES": "8"}):
                with self.subTest(ranks=ranks, environment=environment):
                    result = running.run(ranks, name, environment={**environment, "POSTAGE_STATS": "off"}, timeout=120)
                    self.assertEqual(result.status, 0, result.out[-4000:])
                    self.assertEqual(PART.findall(result.out), expected)
                    self.assertNotIn("postage: ", result.out)
                    calls, replaced = running.collectives_of(result.statistics)["allreduce"]
                    self.assertGreater(calls, 0)
                    if environment == ALWAYS:
                        self.assertGreater(replaced, 0)

    def test_c(self):
        """It leaves a message that nobody receives, which statistics are not to be mixed up with."""
        self.check("application", 6)

    def test_fortran(self):
        for interface in ("mpif", "module", "f08"):
            with self.subTest(interface=interface):
                self.check(f"application-{interface}", 8)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
