#include "program/iovec.hpp"

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
  const Stage& stage = schedule.stages[position.stage];
  Ranges ranges;
  for_each_run(transfer.pattern->blocks, transfer.virtual_position, [&](BlockRun run) {
    if (stage.segments == 1) {
      append(ranges, layout.offset(run.first), layout.offset(run.first + run.count));
      return;
    }
    for (Index block = run.first; block < run.first + run.count; ++block) {
      const Bytes size = layout.size(block);
      const Bytes full_segment = segment_bytes(stage, size, 0, layout.element_bytes());
      const Bytes begin = layout.offset(block) + std::min(size, position.segment * full_segment);
      append(ranges, begin, begin + segment_bytes(stage, size, position.segment, layout.element_bytes()));
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

void append(IovecSegments& segments, const IovecSegment& segment) {
  if (!segments.empty() && segments.back().end == segment.begin &&
      advanced(segments.back().at, segments.back().end - segments.back().begin) == segment.at) {
    segments.back().end = segment.end;
  } else {
    segments.push_back(segment);
  }
}

Region region_of(const IovecSegment& segment) {
  return {segment.at, segment.end - segment.begin};
}

bool is_assigned(const IovecSegment& segment) {
  return segment.at.memory != Memory::kUnassigned;
}

bool all_assigned(const IovecSegments& segments) {
  return std::all_of(segments.begin(), segments.end(), is_assigned);
}

std::vector<Region> regions_of(const IovecSegments& segments) {
  std::vector<Region> regions;
  for (const IovecSegment& segment : segments) {
    if (!regions.empty() && advanced(regions.back().at, regions.back().bytes) == segment.at) {
      regions.back().bytes += segment.end - segment.begin;
    } else {
      regions.push_back(region_of(segment));
    }
  }
  return regions;
}

IovecSegments iovec_of(const Values& values, const Ranges& ranges) {
  IovecSegments segments;
  for (const ByteRange& range : ranges) {
    values.for_each(range.begin, range.end, [&](Bytes begin, Bytes end, const Address* at) {
      append(segments, {begin, end, at == nullptr ? Address{Memory::kUnassigned, begin} : *at});
    });
  }
  return segments;
}

}  // namespace postage
