#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/loggps.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

LogGPSLink read_link_of_loggps(const GroupReader& group) {
  const LogGPLink message = read_loggp(group);
  const Seconds request_and_reply = 2 * (message.latency + message.send_overhead + message.receive_overhead);
  return {message, static_cast<Bytes>(group.exact("S")), group.value_or("h", request_and_reply)};
}

Model build_loggps(const BuildRequest& request) {
  return make_model(request, LogGPS{build_links(request, read_link_of_loggps)});
}

}  // namespace

ModelDescriptor loggps() {
  return {.name = "loggps",
          .title = "LogGPS",
          .equation = "LogGP, and h more at the sender where m > S",
          .source = "F. Ino et al., LogGPS, PPOPP 2001",
          .parameters = {kLatency,
                         kSendOverhead,
                         kReceiveOverhead,
                         kGap,
                         kGapPerByte,
                         {"S", "B", "largest message that is sent without a rendezvous"},
                         optional(latency(
                             {"h", "s", "rendezvous; 2*(L + o_s + o_r), a request and its reply, where not given"}))},
          .example = "L=5us,o=1us,g=2us,G=1ns,S=64K",
          .build = build_loggps,
          .properties = LogGPS::kProperties,
          .needs = {"overheads", "trains"},
          .order = 40,
          .accuracy_rank = 3};
}

}  // namespace postage::model_descriptors
