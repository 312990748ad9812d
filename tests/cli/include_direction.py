"""Holds the folders of src/ and include/postage/ to the one direction in which they may include one another."""

import re
import sys

import runner

sys.path.insert(0, str(runner.SOURCE / "scripts"))
import includes  # noqa: E402


class IncludeDirection(runner.CliTest):
    def test_this_tree(self):
        found, files = includes.violations(runner.SOURCE)
        self.assertGreater(files, 20)
        self.assertEqual(found, [])

    def test_the_folders_are_built_in_that_order(self):
        text = (runner.SOURCE / "src" / "CMakeLists.txt").read_text()
        built = re.search(r"foreach\(folder ([a-z ]+)\)", text)[1].split()
        self.assertEqual(built, [folder for folder in includes.ORDER if folder in built])

    def test_the_picture_shows_this_tree(self):
        kept = (runner.SOURCE / includes.PICTURE).read_text()
        self.assertEqual(includes.picture(runner.SOURCE), kept, "run scripts/includes.py --draw")

    def check(self, place, line):
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#pragma once\n{line}\n")
        found, files = includes.violations(self.folder)
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

    def test_finds_other_folders_private_headers(self):
        for place, line in [
            ("src/samples/samples.cpp", '#include "platform/platform_json.hpp"'),
            ("include/postage/samples/samples.hpp", '#include "samples/samples_json.hpp"'),
            ("src/cli/measure.cpp", "#include <base/text.hpp>"),
        ]:
            with self.subTest(place=place, line=line):
                found = self.check(place, line)
                self.assertEqual(len(found), 1)
                self.assertIn("private", found[0])

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
