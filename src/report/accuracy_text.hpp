#pragma once

namespace postage {

/// Parts of the accuracy page that do not depend on the figures, in Markdown.
struct AccuracyText {
  static const char* const kIntroduction;
  static const char* const kKnownPlatforms;
  static const char* const kExplanation;
  static const char* const kRealNoise;
  static const char* const kPublished;
  static const char* const kLibrary;
};

}  // namespace postage
