#include "program/parts.hpp"

#include <algorithm>

namespace postage {
namespace {

void append(Ranges& ranges, Bytes begin, Bytes end) {
  if (!ranges.empty() && ranges.back().end == begin) {
    ranges.back().end = end;
  } else if (begin < end) {
    ranges.push_back({begin, end});
  }
}

}  // namespace

Ranges ranges_of(const Schedule& schedule, const RoundPosition& position, const Transfer& transfer) {
  const BlockLayout& layout = schedule.layout;
  const Index segments = schedule.stages[position.stage].segments;
  Ranges ranges;
  for_each_run(transfer.pattern->blocks, transfer.virtual_position, [&](BlockRun run) {
    if (segments == 1) {
      append(ranges, layout.offset(run.first), layout.offset(run.first + run.count));
      return;
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      const Bytes size = layout.size(block);
      const Bytes piece = segment_bytes(size, 0, segments, layout.element_bytes());
      const Bytes begin = layout.offset(block) + std::min(size, position.segment * piece);
      append(ranges, begin, begin + segment_bytes(size, position.segment, segments, layout.element_bytes()));
    }
  });
  return ranges;
}

Bytes total_bytes(const Ranges& ranges) {
  Bytes bytes = 0;
  for (const ByteRange& range : ranges) {
    bytes += range.end - range.begin;
  }
  return bytes;
}

void append(Parts& parts, const Placed& part) {
  if (!parts.empty() && parts.back().end == part.begin &&
      advanced(parts.back().at, parts.back().end - parts.back().begin) == part.at) {
    parts.back().end = part.end;
  } else {
    parts.push_back(part);
  }
}

Region region_of(const Placed& part) {
  return {part.at, part.end - part.begin};
}

bool is_somewhere(const Placed& part) {
  return part.at.memory != Memory::kNowhere;
}

bool are_somewhere(const Parts& parts) {
  return std::all_of(parts.begin(), parts.end(), is_somewhere);
}

std::vector<Region> regions_of(const Parts& parts) {
  std::vector<Region> regions;
  for (const Placed& part : parts) {
    if (!regions.empty() && advanced(regions.back().at, regions.back().bytes) == part.at) {
      regions.back().bytes += part.end - part.begin;
    } else {
      regions.push_back(region_of(part));
    }
  }
  return regions;
}

Parts parts_of(const Values& values, const Ranges& ranges) {
  Parts parts;
  for (const ByteRange& range : ranges) {
    values.for_each(range.begin, range.end, [&](Bytes begin, Bytes end, const Address* at) {
      append(parts, {begin, end, at == nullptr ? Address{Memory::kNowhere, begin} : *at});
    });
  }
  return parts;
}

}  // namespace postage
