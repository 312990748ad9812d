#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <algorithm>
#include <array>

namespace postage {
namespace {

using Shape = ParameterShape;
using Owner = ParameterOwner;
using Parameters = std::vector<ParameterDescription>;

constexpr ParameterDescription kGamma{"gamma",          "s/B", "combining a byte in a reduction", Shape::kValue, "",
                                      Owner::kPlatform, false};
constexpr ParameterDescription kL{"L", "s", "latency"};
constexpr ParameterDescription kSmallG{"g", "s", "gap between messages"};
constexpr ParameterDescription kLargeG{"G", "s/B", "gap per byte"};
constexpr ParameterDescription kSend{
    .symbol = "o_s", .unit = "s", .meaning = "overhead of sending", .falls_back_to = "o"};
constexpr ParameterDescription kReceive{
    .symbol = "o_r", .unit = "s", .meaning = "overhead of receiving", .falls_back_to = "o"};

ParameterDescription curve(std::string_view symbol, std::string_view meaning) {
  return {symbol, "s", meaning, Shape::kCurve};
}

ParameterDescription surface(std::string_view symbol, std::string_view over, std::string_view meaning) {
  return {symbol, "s", meaning, Shape::kSurface, over};
}

ParameterDescription optional(ParameterDescription parameter) {
  parameter.required = false;
  return parameter;
}

ParameterDescription threshold(std::string_view symbol, std::string_view meaning) {
  return {symbol, "B", meaning, Shape::kValue, "", Owner::kPlatform, false};
}

ParameterDescription correction(std::string_view symbol, std::string_view meaning) {
  return {.symbol = symbol,
          .unit = "s/B",
          .meaning = meaning,
          .owner = Owner::kPlatform,
          .required = false,
          .may_be_negative = true};
}

std::vector<ModelDescription> loggp_family() {
  return {
      {"hockney",
       "Hockney",
       "alpha + beta*m",
       "R. W. Hockney, Parallel Computing 20(3), 1994; by pair of ranks Lastovetsky and Rychkov, IJHPCA 23(2), 2009, "
       "section 3",
       {{"alpha", "s", "latency"}, {"beta", "s/B", "inverse bandwidth"}, kGamma},
       "alpha=10us,beta=1ns"},
      {"logp",
       "LogP",
       "o_s + L + o_r, for a small message; a longer one as several of w bytes, one every max(g, o)",
       "D. Culler et al., LogP, PPOPP 1993",
       {kL, kSend, kReceive, kSmallG,
        optional({"w", "B", "bytes that one small message carries; without it every message is one"}), kGamma},
       "L=5us,o=1us,g=2us"},
      {"loggp",
       "LogGP",
       "o_s + L + (m-1)*G + o_r; next message after g + (m-1)*G",
       "A. Alexandrov et al., LogGP, SPAA 1995",
       {kL, kSend, kReceive, kSmallG, kLargeG, kGamma},
       "L=5us,o=1us,g=2us,G=1ns"},
      {"loggps",
       "LogGPS",
       "LogGP, and h more at the sender where m > S",
       "F. Ino et al., LogGPS, PPOPP 2001",
       {kL,
        kSend,
        kReceive,
        kSmallG,
        kLargeG,
        {"S", "B", "largest message that is sent without a rendezvous"},
        optional({"h", "s", "rendezvous; 2*(L + o_s + o_r), a request and its reply, where not given"}),
        kGamma},
       "L=5us,o=1us,g=2us,G=1ns,S=64K"},
      {"loggph",
       "LogGPH",
       "LogGP with a set of parameters for each channel",
       "Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, sections 2 and 5",
       {kL, kSend, kReceive, kSmallG, kLargeG, kGamma},
       "[shared-cache] L=0.5us,o=0.2us,g=0.5us,G=0.1ns [inter-node] L=20us,o=1us,g=2us,G=1ns"},
      {"loggpc",
       "LoGPC",
       "LogGP + C(m, n)",
       "C. A. Moritz, M. I. Frank, LoGPC, IEEE TPDS 12(4), 2001",
       {kL, kSend, kReceive, kSmallG, kLargeG, surface("C", "n", "what a message waits for the n - 1 others"), kGamma},
       "L=5us,o=1us,g=2us,G=1ns,C=0/2:1us;64K/2:30us;0/8:4us;64K/8:200us"},
      {"lopc",
       "LoPC",
       "LogP + C(m, n)",
       "M. I. Frank, A. Agarwal, M. K. Vernon, LoPC, PPOPP 1997",
       {kL, kSend, kReceive, kSmallG, surface("C", "n", "what a message waits for the n - 1 others"), kGamma},
       "L=5us,o=1us,g=2us,C=0/2:1us;4K/2:1us;0/8:4us;4K/8:4us"},
  };
}

std::vector<ModelDescription> curve_family() {
  return {
      {"plogp",
       "PLogP",
       "L + g(m); next message after g(m), which is at least o_s(m) and o_r(m)",
       "T. Kielmann, H. E. Bal, K. Verstoep, IPDPS 2000",
       {kL,
        {.symbol = "o_s", .unit = "s", .meaning = "overhead of sending", .shape = Shape::kCurve, .falls_back_to = "o"},
        {.symbol = "o_r",
         .unit = "s",
         .meaning = "overhead of receiving",
         .shape = Shape::kCurve,
         .falls_back_to = "o"},
        curve("g", "gap between messages"),
        kGamma},
       "L=20us,o_s=0:1us;64K:40us,o_r=0:1us;64K:50us,g=0:2us;64K:80us"},
      {"plogp-cell",
       "extended PLogP",
       "L(m) + C(m, n); a message that leaves before the one before it has arrived: g(m) after that",
       "Q. Ali, S. P. Midkiff, V. S. Pai, PPoPP 2010, section 3",
       {curve("L", "latency, with the overheads in it"), curve("g", "gap between messages"),
        optional(surface("C", "n", "congestion of n messages that cross the channel")),
        optional({"g_ack", "s", "gap between acknowledgements: bounds the interval X"}), kGamma},
       "L=16:0.2us;32K:2us,g=16:0.1us;32K:1.5us,gamma=0.05ns"},
      {"lmo",
       "LMO",
       "C_i + m*t_i + C_j + m*t_j + m/beta_ij, and L_ij more where a link has a latency of its own",
       "A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 5; L_ij: with M. O'Flynn, IJHPCA 24(1), 2010",
       {{"C", "s", "fixed delay of a processor", Shape::kValue, "", Owner::kProcessor},
        {"t", "s/B", "delay of a processor per byte", Shape::kValue, "", Owner::kProcessor},
        {"beta", "B/s", "transmission rate of a link"},
        optional({"L", "s", "latency of a link that keeps no processor; 0 where C holds it, as in the paper"}),
        threshold("S", "linear scatter: larger blocks are serialised"),
        threshold("M_1", "linear gather: below it the time is linear"),
        threshold("M_2", "linear gather: above it the time is linear again"),
        correction("kappa_1", "linear gather: correction of the slope below M_1"),
        correction("kappa_2", "linear gather: correction of the slope above M_2"),
        {"E", "s", "linear gather: longest escalation seen between M_1 and M_2", Shape::kValue, "", Owner::kPlatform,
         false},
        kGamma},
       "C=40us,t=4ns,beta=100MB/s [processor 0] C=30us,t=3ns [pair 0 1] beta=110MB/s"},
  };
}

std::vector<ModelDescription> transfer_family() {
  const Parameters middleware{curve("o_mw", "middleware, contiguous: sender's and receiver's half"),
                              optional(surface("l_mw", "stride", "middleware: on top of o_mw for a strided message")),
                              optional(surface("l_hand", "stride", "the same where the program packs and unpacks"))};
  const auto with = [](Parameters list, const Parameters& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  const Parameters implicit{
      curve("o_i", "implicit transfer i = 0 .. n-1, contiguous"),
      optional(surface("l_i", "stride", "implicit transfer i: on top of o_i for a strided message")), kGamma};
  return {
      {"lognp", "log_nP", "sum of o_i + l_i over i = 0 .. n-1",
       "K. W. Cameron, R. Ge, X.-H. Sun, IEEE Transactions on Computers 56(3), 2007; Tu et al., 2009, eq. 1", implicit,
       "o_0=0:1us;16K:6us,l_0=0/8:1us;16K/8:9us;0/512:1us;16K/512:20us,o_1=0:20us;16K:150us,o_2=0:1us;16K:6us"},
      {"log3p", "log_3P", "o_mw + l_mw + o_net",
       "K. W. Cameron, R. Ge, X.-H. Sun, IEEE Transactions on Computers 56(3), 2007; Tu et al., 2009, eq. 3",
       with(middleware, {curve("o_net", "network"), kGamma}),
       "o_mw=0:2us;16K:12us,l_mw=0/8:1us;16K/8:18us,o_net=0:20us;16K:150us"},
      {"mlognp", "mlog_nP", "sum of o_i + l_i over i = 0 .. n-1, with n, o and l of each channel",
       "Tu et al., Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009, section III.A",
       implicit,
       "[shared-cache] o_0=0:1us;16K:4us,o_1=0:1us;16K:4us [inter-node] o_0=0:1us;16K:6us,o_1=0:20us;16K:150us,"
       "o_2=0:1us;16K:6us"},
      {"2log23p", "2log_{2,3}P", "o_mw + l_mw within a node, o_mw + l_mw + o_net between nodes",
       "Tu et al., Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009, eq. 4-5",
       with(middleware, {optional(curve("o_net", "network; none within a node")), kGamma}),
       "[shared-cache] o_mw=0:1us;16K:8us,l_mw=0/8:1us;16K/8:10us [inter-node] o_mw=0:2us;16K:12us,"
       "l_mw=0/8:1us;16K/8:18us,o_net=0:20us;16K:150us"},
      {"taulop",
       "tau-Lop",
       "o(m) + the sum of L(m, tau) over the message's transfers",
       "Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, section 3",
       {curve("o", "overhead, until data enters the channel"),
        surface("L", "tau", "time of tau concurrent transfers of m bytes each"),
        {"n", "1", "transfers of a message on the channel: 2 through a shared buffer, 1 over a network"},
        optional({"n@c", "1", "transfers of a message on channel c, half of them at each end: memory and NIC"}),
        optional({"S", "B", "messages through a shared buffer go in segments of this size"}),
        kGamma},
       "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/4:0.4us;64K/4:25us,n=2 "
       "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/4:20us;64K/4:240us,n=1,n@shared-cache=2"},
  };
}

std::vector<ModelDescription> flow_family() {
  const auto limit = [](std::string_view symbol, std::string_view meaning) {
    return optional({symbol, "B/s", meaning});
  };
  return {{"flow",
           "flows",
           "o_s(m) + L + G*m + o_r(m) alone; together max-min fair within B_pair, B_send, B_receive and B_node",
           "D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2; P. Velho et al., ACM TOMACS 23(4), 2013",
           {{.symbol = "o_s",
             .unit = "s",
             .meaning = "overhead of sending",
             .shape = Shape::kCurve,
             .owner = Owner::kProcessor,
             .falls_back_to = "o"},
            {.symbol = "o_r",
             .unit = "s",
             .meaning = "overhead of receiving",
             .shape = Shape::kCurve,
             .owner = Owner::kProcessor,
             .falls_back_to = "o"},
            kL,
            kLargeG,
            optional(curve("w", "what a message takes longer whose bytes its sender wrote since they were last sent")),
            limit("B_pair",
                  "rate of all messages from a rank to another together; without it, and the following, they "
                  "do not hinder one another"),
            limit("B_send", "rate of all messages that leave a rank"),
            limit("B_receive", "rate of all messages that enter a rank"),
            limit("B_node", "rate of all messages that leave a node, and of all that enter one; of all inside a node"),
            optional({"x", "1", "what a message's acknowledgements take of the way back, as a share of its rate"}),
            optional({"v", "1", "standard deviation of L and of G m, as a share of each"}),
            optional({"S", "B", "larger messages keep their sender until they have arrived"}),
            optional({"E", "B", "messages of at least so many bytes leave only when they are awaited"}),
            optional({"R", "1", "larger messages than S that a rank takes in at a time: 1, or without it all"}),
            {"c", "s", "what a rank takes to copy within its own memory; without it nothing", Shape::kCurve, "",
             Owner::kPlatform, false},
            {"t_x", "s", "what a rank needs more in a round in which it both sends and receives", Shape::kCurve, "",
             Owner::kPlatform, false},
            {"t_0", "s", "what ranks need once for each collective, to begin it and to see its end", Shape::kValue, "",
             Owner::kPlatform, false},
            {"t_p", "s", "what a rank takes in each round to follow its program", Shape::kValue, "", Owner::kPlatform,
             false},
            {"t_b", "s", "what a rank needs more in a collective's first round if it both sends and receives in it",
             Shape::kValue, "", Owner::kPlatform, false},
            {"t_a", "s", "what a rank needs more for its first round in which it sends after it has received",
             Shape::kValue, "", Owner::kPlatform, false},
            kGamma},
           "L=5us,o=1us,G=1ns,B_node=1GB/s,S=64K"}};
}

std::vector<ModelDescription> join_families() {
  std::vector<ModelDescription> all;
  for (const auto& family : {loggp_family(), curve_family(), transfer_family(), flow_family()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace

bool ParameterDescription::matches(std::string_view name) const {
  if (symbol.ends_with("_i")) {
    const std::string_view stem = symbol.substr(0, symbol.size() - 1);
    const std::string_view index = name.substr(std::min(stem.size(), name.size()));
    return name.starts_with(stem) && !index.empty() &&
           std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  if (symbol.ends_with("@c")) {
    const std::string_view stem = symbol.substr(0, symbol.size() - 1);
    return name.starts_with(stem) && name.size() > stem.size();
  }
  return name == symbol;
}

std::span<const ModelDescription> models() {
  static const std::vector<ModelDescription> list = join_families();
  return list;
}

const ModelDescription& find_model(std::string_view name) {
  std::string valid;
  for (const ModelDescription& model : models()) {
    if (model.name == name) {
      return model;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(model.name);
  }
  throw UsageError(unknown_name("model", std::string(name), valid));
}

std::span<const std::string_view> models_by_accuracy() {
  static constexpr std::array<std::string_view, 16> kNames{
      "flow", "2log23p", "mlognp", "loggp",   "loggps", "loggpc", "taulop",     "loggph",
      "logp", "plogp",   "log3p",  "hockney", "lognp",  "lmo",    "plogp-cell", "lopc"};
  return kNames;
}

}  // namespace postage
