#include "measure/programs/mpi_settings.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace postage {
namespace {

constexpr int kTextLength = 4096;

std::optional<int> number_in(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// The number of a name in the library's own enumeration.
std::optional<int> number_of_name(MPI_T_enum names, const std::string& wanted) {
  int count = 0;
  std::array<char, kTextLength> text{};
  int length = kTextLength;
  MPI_T_enum_get_info(names, &count, text.data(), &length);
  for (int i = 0; i < count; ++i) {
    int value = 0;
    length = kTextLength;
    MPI_T_enum_get_item(names, i, &value, text.data(), &length);
    if (wanted == text.data()) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace

LibraryVariables::LibraryVariables() {
  int provided = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
    throw Error("this MPI library has no tool interface, through which its algorithms could be chosen");
  }
}

LibraryVariables::~LibraryVariables() {
  for (auto& [name, variable] : variables_) {
    MPI_T_cvar_handle_free(&variable.handle);
  }
  MPI_T_finalize();
}

LibraryVariables::Variable& LibraryVariables::find(const std::string& name) {
  if (const auto known = variables_.find(name); known != variables_.end()) {
    return known->second;
  }
  int count = 0;
  MPI_T_cvar_get_num(&count);
  for (int i = 0; i < count; ++i) {
    std::array<char, kTextLength> own_name{};
    std::array<char, kTextLength> description{};
    int name_length = kTextLength;
    int description_length = kTextLength;
    int verbosity = 0;
    int binding = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Variable variable;
    if (MPI_T_cvar_get_info(i, own_name.data(), &name_length, &verbosity, &type, &variable.names, description.data(),
                            &description_length, &binding, &scope) != MPI_SUCCESS ||
        name != own_name.data()) {
      continue;
    }
    int elements = 0;
    if (scope == MPI_T_SCOPE_CONSTANT || scope == MPI_T_SCOPE_READONLY ||
        MPI_T_cvar_handle_alloc(i, nullptr, &variable.handle, &elements) != MPI_SUCCESS) {
      throw Error(fmt::format("{} of this MPI library cannot be changed while a program runs", name));
    }
    variable.description = description.data();
    MPI_T_cvar_read(variable.handle, &variable.first);
    variable.current = variable.first;
    return variables_.emplace(name, variable).first->second;
  }
  throw Error(fmt::format("this MPI library has no variable {}", name));
}

void LibraryVariables::write(Variable& variable, const std::string& name, int value) {
  if (variable.current == value) {
    return;
  }
  int found = 0;
  if (MPI_T_cvar_write(variable.handle, &value) != MPI_SUCCESS ||
      MPI_T_cvar_read(variable.handle, &found) != MPI_SUCCESS || found != value) {
    throw Error(fmt::format("{} of this MPI library does not take the value {}", name, value));
  }
  variable.current = value;
}

int LibraryVariables::number_of(const Variable& variable, const LibrarySetting& setting) {
  if (const auto number = number_in(setting.value)) {
    return *number;
  }
  if (variable.names != MPI_T_ENUM_NULL) {
    if (const auto number = number_of_name(variable.names, setting.value)) {
      return *number;
    }
  }
  if (const auto number = number_in_description(variable.description, setting.value)) {
    return *number;
  }
  throw Error(fmt::format("{} of this MPI library does not know {}", setting.variable, setting.value));
}

void LibraryVariables::apply(const std::vector<LibrarySetting>& settings) {
  for (auto& [name, variable] : variables_) {
    const bool is_set = std::any_of(settings.begin(), settings.end(),
                                    [&](const LibrarySetting& setting) { return setting.variable == name; });
    if (!is_set) {
      write(variable, name, variable.first);
    }
  }
  for (const LibrarySetting& setting : settings) {
    Variable& variable = find(setting.variable);
    write(variable, setting.variable, number_of(variable, setting));
  }
}

}  // namespace postage
