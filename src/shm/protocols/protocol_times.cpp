#include <postage/shm/protocol_times.hpp>

namespace postage {

const char* name_of(ShmProtocol protocol) {
  switch (protocol) {
    case ShmProtocol::kEager:
      return "eager";
    case ShmProtocol::kBuffered:
      return "buffered";
    case ShmProtocol::kBufferedWindow:
      return "in a window";
    case ShmProtocol::kSingleCopy:
      return "single copy";
    case ShmProtocol::kCooperative:
      break;
  }
  return "cooperative";
}

}  // namespace postage
