"""Holds names and texts to the field's words (scripts/words), and files and folders to their sizes (scripts/structure)."""

import importlib.machinery
import importlib.util

import runner


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(runner.SOURCE / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Words(runner.CliTest):
    words = script("words")

    def test_this_tree(self):
        self.assertEqual(self.words.check(runner.SOURCE), [])

    def test_finds_a_word_however_it_is_written(self):
        for line in ("kPastCaches", "past_caches", "past the caches", "a request that cannot be meant", "WayJudge judge;"):
            with self.subTest(line=line):
                self.assertEqual(len(self.words.complaints("src/base/units.cpp", line)), 1)

    def test_finds_a_file_by_its_name(self):
        self.assertEqual(len(self.words.complaints("src/shm/way_judge.cpp", "")), 1)

    def test_lets_the_fields_words_pass(self):
        for line in ("list.push_back(MPI_IN_PLACE);", "std::exchange(value, 0)", "half of the way", "rank placement"):
            with self.subTest(line=line):
                self.assertEqual(self.words.complaints("src/shm/endpoint.cpp", line), [])


class Structure(runner.CliTest):
    structure = script("structure")

    def test_this_tree(self):
        found, files = self.structure.check(runner.SOURCE)
        self.assertGreater(files, 20)
        self.assertEqual(found, [])

    def test_finds_what_is_too_large(self):
        folder = self.folder / "src"
        folder.mkdir()
        for i in range(30):
            (folder / f"{i}.cpp").write_text("\n" * 10)
        self.assertEqual(self.structure.check(self.folder)[0], [])
        (folder / "long.cpp").write_text("\n" * 301)
        found = self.structure.check(self.folder)[0]
        self.assertEqual(found, ["src: 31 files; at most 30", "src/long.cpp: 301 lines; at most 300"])


runner.main()
