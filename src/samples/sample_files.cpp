#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/samples/sample_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postage {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::exists(path)) {
    throw UsageError(fmt::format("samples {0} do not exist; postage measure --samples {0} writes some", path.string()));
  }
  if (!fs::is_directory(path)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    throw UsageError(fmt::format("folder {} holds no samples; postage measure --samples {} writes some", path.string(),
                                 path.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

fs::path save_samples(const fs::path& folder, const SampleSet& samples) {
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw UsageError(fmt::format("{} is a file; --samples takes a folder", folder.string()));
  }
  for (int number = 1;; ++number) {
    fs::path file = folder / fmt::format("campaign-{}.json", number);
    if (!fs::exists(file)) {
      write_json(file, to_json(samples));
      return file;
    }
  }
}

SampleSet load_samples(const std::vector<std::string>& paths) {
  std::vector<SampleSet> campaigns;
  std::vector<std::string> names;
  std::set<fs::path> read;
  for (const std::string& path : paths) {
    for (const fs::path& file : files_in(path)) {
      if (!read.insert(fs::weakly_canonical(file)).second) {
        throw UsageError(fmt::format("samples {} are given twice: they would count as two campaigns", file.string()));
      }
      campaigns.push_back(samples_from_json(read_json(file), file));
      names.push_back(file.string());
    }
  }
  return merge_samples(std::move(campaigns), names);
}

}  // namespace postage
