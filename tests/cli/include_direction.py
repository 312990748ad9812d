"""Holds the folders of src/ and include/postage/ to the one direction in which they may include one another."""

import pathlib
import re

import runner

# Each folder may include those before it.
ORDER = [
    "base", "platform", "model", "schedule", "program", "predict", "shm", "transport", "samples", "measure",
    "estimate", "launch", "validate", "optimize", "report", "bench", "cli",
]  # fmt: skip
# ... except these: a model knows no schedule, nor a schedule a model; estimating never measures; shared memory passes
# messages and knows nothing of their use.
FORBIDDEN = {("schedule", "model"), ("program", "model"), ("estimate", "measure")} | {
    ("shm", folder) for folder in ("model", "schedule", "program", "predict")
}
# Where <mpi.h> may stand: folders, and files by the beginning of their path below src/.
MPI_PLACES = ("transport/mpi/", "measure/programs/mpi", "bench/programs/mpi")

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def complaint(folder, place, included):
    """Why the file at `place` (below src/ or include/postage/, in `folder`) may not include `included`, or None."""
    if included in ("mpi.h", "smpi/smpi.h"):
        return None if place.startswith(MPI_PLACES) else "MPI is for transport/mpi and the MPI drivers of measure and bench"
    target = included.removeprefix("postage/")
    to = target.split("/")[0]
    if to not in ORDER or "/" not in target:
        return None if not included.startswith("postage/") else "no such folder"
    if ORDER.index(to) > ORDER.index(folder) or (folder, to) in FORBIDDEN:
        return f"{folder}/ may not include {to}/"
    return None


def violations(root):
    """One line for each include below `root` that points the wrong way, and how many files there were."""
    found = []
    files = 0
    for base in [root / "src", root / "include" / "postage"]:
        for path in sorted(base.rglob("*.[ch]pp")):
            files += 1
            place = path.relative_to(base).as_posix()
            folder = place.split("/")[0]
            if folder not in ORDER:
                found.append(f"{path.relative_to(root)}: {folder}/ has no place in the order of folders")
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                include = INCLUDE.match(line)
                why = include and complaint(folder, place, include[1])
                if why:
                    found.append(f"{path.relative_to(root)}:{number}: {why}: {line.strip()}")
    return found, files


class IncludeDirection(runner.CliTest):
    def test_this_tree(self):
        found, files = violations(runner.SOURCE)
        self.assertGreater(files, 20)
        self.assertEqual(found, [])

    def test_the_folders_are_built_in_that_order(self):
        text = (runner.SOURCE / "src" / "CMakeLists.txt").read_text()
        built = re.search(r"foreach\(folder ([a-z ]+)\)", text)[1].split()
        self.assertEqual(built, [folder for folder in ORDER if folder in built])

    def check(self, place, line):
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#pragma once\n{line}\n")
        found, files = violations(self.folder)
        path.unlink()
        self.assertEqual(files, 1)
        return found

    def test_finds_what_points_the_wrong_way(self):
        for place, line in [
            ("src/base/units.cpp", "#include <postage/platform/platform.hpp>"),
            ("src/base/units.cpp", '#include "cli/table.hpp"'),
            ("src/model/loggp.cpp", "#include <postage/schedule/schedule.hpp>"),
            ("src/schedule/bcast.cpp", "#include <postage/model/model.hpp>"),
            ("src/estimate/fit.cpp", "#include <postage/measure/campaign.hpp>"),
            ("src/measure/campaign.cpp", "#include <postage/estimate/estimate.hpp>"),
            ("include/postage/predict/timeline/timeline.hpp", "  #  include <postage/transport/transport.hpp>"),
            ("src/cli/measure.cpp", "#include <mpi.h>"),
            ("src/measure/campaign.cpp", "#include <mpi.h>"),
            ("src/transport/executor.cpp", "#include <mpi.h>"),
            ("src/predict/timeline.cpp", "#include <postage/typo/timeline.hpp>"),
            ("src/elsewhere/thing.cpp", "#include <vector>"),
        ]:
            with self.subTest(place=place, line=line):
                self.assertEqual(len(self.check(place, line)), 1)

    def test_names_the_line(self):
        found = self.check("src/base/units.cpp", "#include <postage/platform/platform.hpp>")
        self.assertTrue(found[0].startswith("src/base/units.cpp:2: base/ may not include platform/"), found)

    def test_lets_the_right_way_pass(self):
        for place, line in [
            ("src/cli/predict.cpp", "#include <postage/predict/timeline/timeline.hpp>"),
            ("src/cli/predict.cpp", '#include "cli/table.hpp"'),
            ("src/estimate/fit.cpp", "#include <postage/samples/samples.hpp>"),
            ("src/estimate/fit.cpp", "#include <postage/model/model.hpp>"),
            ("src/transport/mpi/transport.cpp", "#include <mpi.h>"),
            ("src/measure/programs/mpi_main.cpp", "#include <mpi.h>"),
            ("src/base/units.cpp", "#include <fmt/format.h>"),
        ]:
            with self.subTest(place=place, line=line):
                self.assertEqual(self.check(place, line), [])


runner.main()
