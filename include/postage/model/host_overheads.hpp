#pragma once

#include <postage/base/units.hpp>
#include <postage/model/curve.hpp>
#include <postage/model/descriptor.hpp>

#include <vector>

namespace postage {

/// What the executor of a collective and the host that it runs on add to the cost of messages. They belong to the
/// platform, not to a model: any model whose table holds them gets them (a member `HostOverheads host`, filled by
/// make_model). The evaluator of flows uses them.
struct HostOverheads {
  Seconds start = 0;               ///< t_0: start-up overhead, once for each collective
  Seconds first_response = 0;      ///< t_a: delay of a rank's first message after one that it received
  Seconds simultaneous_start = 0;  ///< t_b: delay of a first round in which ranks send to and receive from one another
  Seconds executor = 0;            ///< t_p: executor overhead, for each round of a rank
  CostCurve exchange{};            ///< t_x(m): for each round of a rank with a send and a receive
  /// c(m): copying m bytes within a rank's memory; without points copies take no time.
  CostCurve copy{};
};

/// The same of messages over one link.
struct HostLinkOverheads {
  CostCurve rewritten;      ///< w(m): of a message whose buffer its sender has rewritten since it was last sent
  CostCurve handshake;      ///< h(m): of a message no larger than S that is sent as a rendezvous
  CostCurve rewritten_get;  ///< d(m): w of such a message, beside h
  CostCurve crossing;       ///< y(m): of a message that its receiver fetches while its sender fetches one from there
  CostCurve unawaited;      ///< z(m): of a message that is sent before its receiver waits for it
  CostCurve acknowledged;   ///< a(m): from a message's arrival, of one larger than S, until its sender goes on
  /// b(m): of m bytes that one rank's processor moves in a collective, larger messages than S and copies, of which its
  /// caches hold only a part
  CostCurve spilled;
  /// u(m): of writing m bytes in a rank's memory that others have fetched from there, beside c or gamma. w has it, too.
  CostCurve overwriting;
  double scatter = 0;  ///< v: standard deviation of a message's time, as a share of it
};

/// c, t_x, t_0, t_p, t_b and t_a, for the list of parameters of a model that has them.
[[nodiscard]] std::vector<ParameterDescription> host_overhead_parameters();

struct BuildRequest;
class GroupReader;

/// Those of the table; 0 or without points where it has none.
[[nodiscard]] HostOverheads read_host_overheads(const BuildRequest& request);
[[nodiscard]] HostLinkOverheads read_host_link_overheads(const GroupReader& group);

}  // namespace postage
