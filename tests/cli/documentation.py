"""The pages in docs/ that are written by programs say what the programs say today."""

import subprocess
import sys

import runner


class Documentation(runner.CliTest):
    def test_pages_of_collectives_are_current(self):
        fresh = self.folder / "collectives"
        script = runner.SOURCE / "scripts" / "collective_pages"
        subprocess.run([sys.executable, script, runner.POSTAGE, fresh], check=True)
        kept = runner.SOURCE / "docs" / "collectives"
        names = sorted(path.name for path in fresh.iterdir())
        self.assertGreater(len(names), 60)
        self.assertEqual(names, sorted(path.name for path in kept.iterdir()), "run scripts/collective_pages")
        for name in names:
            self.assertEqual((fresh / name).read_text(), (kept / name).read_text(), f"{name}: run scripts/collective_pages")


if __name__ == "__main__":
    runner.main()
