"""The pages in docs/ that are written by programs say what the programs say today, and the version is everywhere the same."""

import re
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

    def test_there_is_one_version(self):
        text = lambda *names: runner.SOURCE.joinpath(*names).read_text()
        version = self.succeed("--version").out.split()[1]
        self.assertIn(f"project(postage VERSION {version} ", text("CMakeLists.txt"))
        self.assertIn(f'version("{version}")', text("packaging", "spack", "package.py"))
        self.assertEqual(re.search(r"^## (\S+),", text("CHANGELOG.md"), re.MULTILINE)[1], version)


if __name__ == "__main__":
    runner.main()
