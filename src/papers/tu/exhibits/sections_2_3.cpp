#include "papers/builtin_papers.hpp"
#include "papers/tu/by_hand.hpp"

#include <postage/predict/given_parameters.hpp>

namespace postage::tu_paper {
namespace {

Seconds message(std::string_view model, const std::string& parameters, Rank target,
                const Strides& strides = kHandStrides) {
  return predict_message(0, target, kHandBytes, hand_model(model, parameters, strides)).seconds;
}

ExhibitResult equation_1(PaperContext&) {
  const std::string four = "o_0=3us,l_0=0/8:1us,o_1=4us,o_2=5us,o_3=6us,l_3=0/8:7us";
  return {
      .rows = {number_row("n = 4: (3 + 1) + 4 + 5 + (6 + 7) us", 26e-6, message("lognp", four, 1), AxisUnit::kSeconds),
               number_row("n = 4, contiguous: 3 + 4 + 5 + 6 us", 18e-6, message("lognp", four, 1, {}),
                          AxisUnit::kSeconds),
               number_row("n = 1: 3 + 1 us", 4e-6, message("lognp", "o_0=3us,l_0=0/8:1us", 1), AxisUnit::kSeconds)},
      .why = "n is as large as the parameters o_0, o_1, ... that are given; l is charged to strided messages only."};
}

ExhibitResult equation_2(PaperContext&) {
  return {
      .rows = {number_row("(3 + 5) + (20 + 0) + (4 + 6) us", 38e-6,
                          message("lognp", "o_0=3us,l_0=0/8:5us,o_1=20us,o_2=4us,l_2=0/8:6us", 1), AxisUnit::kSeconds)},
      .why = "Equation 1 for n = 3; l_1 = 0, because packets are contiguous."};
}

ExhibitResult equation_3(PaperContext&) {
  const std::string parameters = "o_mw=7us,l_mw=0/8:11us,o_net=20us";
  return {
      .rows = {number_row("7 + 11 + 20 us, within a node and between nodes", 38e-6, message("log3p", parameters, 1),
                          AxisUnit::kSeconds),
               number_row("contiguous: 7 + 20 us", 27e-6, message("log3p", parameters, 63, {}), AxisUnit::kSeconds)},
      .why = "o_mw = o_0 + o_2 = 7 us, l_mw = l_0 + l_2 = 11 us, o_net = o_1 = 20 us."};
}

ExhibitResult equation_4(PaperContext&) {
  return {.rows = {number_row("within a node: 10 + 6 us", 16e-6, message("2log23p", hand_parameters(), 1),
                              AxisUnit::kSeconds),
                   number_row("between nodes: 20 + 30 + 100 us", 150e-6, message("2log23p", hand_parameters(), 8),
                              AxisUnit::kSeconds),
                   number_row("between nodes, contiguous: 20 + 100 us", 120e-6,
                              message("2log23p", hand_parameters(), 8, {}), AxisUnit::kSeconds)},
          .why = "o = 10 us, l = 6 us; o' = 20 us, l' = 30 us, o'_net = 100 us."};
}

/// f(s,1)_0 = 5 us, f(s,d)_0 = 3 us; f'(s,1)_0 = 10 us, f'(s,d)_0 = 15 us, f'(s,1)_1 = 100 us, as mlog_nP has them.
ExhibitResult equation_5(PaperContext&) {
  const std::string parameters =
      "[shared-cache] o_0=5us,l_0=0/8:3us,o_1=5us,l_1=0/8:3us "
      "[inter-node] o_0=10us,l_0=0/8:15us,o_1=100us,o_2=10us,l_2=0/8:15us";
  return {
      .rows = {number_row("within a node: 2*5 + 2*3 us", 16e-6, message("mlognp", parameters, 1), AxisUnit::kSeconds),
               number_row("between nodes: 2*10 + 2*15 + 100 us", 150e-6, message("mlognp", parameters, 8),
                          AxisUnit::kSeconds)},
      .why = "The same times as equation 4 with o_mw = 2 f(s,1)_0 and l_mw = 2 f(s,d)_0."};
}

ExhibitResult levels(PaperContext&) {
  const std::string parameters =
      "[intra-cmp] o_0=1us,o_1=2us,l_0=0/8:1us,l_1=0/8:1us [inter-cmp] o_0=4us,o_1=5us,l_0=0/8:2us,l_1=0/8:2us "
      "[inter-node] o_0=6us,o_1=50us,o_2=7us,l_0=0/8:3us,l_2=0/8:3us [cascade] o_0=6us,o_1=50us,o_2=80us,o_3=7us,"
      "l_0=0/8:3us,l_3=0/8:3us";
  const ParameterTable table = parse_parameters("mlognp", parameters);
  const Platform platform = platform_of(table, 8, 8, parse_levels("intra-cmp:4,inter-cmp:8,inter-node:32,cascade", 8));
  const PlatformModel model =
      PlatformModel(table, platform.channels, ChannelMap(platform, Mapping::block(8, 8))).with_strides(kHandStrides);
  const auto to = [&](Rank target) { return predict_message(0, target, kHandBytes, model).seconds; };
  return {.rows = {number_row("intra-CMP, n = 2: (1 + 1) + (2 + 1) us", 5e-6, to(3), AxisUnit::kSeconds),
                   number_row("inter-CMP, n = 2: (4 + 2) + (5 + 2) us", 13e-6, to(4), AxisUnit::kSeconds),
                   number_row("inter-node, n = 3: (6 + 3) + 50 + (7 + 3) us", 69e-6, to(8), AxisUnit::kSeconds),
                   number_row("across a cascaded switch, n = 4: (6 + 3) + 50 + 80 + (7 + 3) us", 149e-6, to(32),
                              AxisUnit::kSeconds)},
          .why = "m = 4 levels, each with its own n, o and l, given by --params and --levels."};
}

}  // namespace

Exhibits sections_2_3() {
  const std::string predict = "postage predict p2p -m 4K --stride 8 --model ";
  return {
      {.kind = ExhibitKind::kEquation,
       .number = "1",
       .caption = "a message by log_nP",
       .where = {"include/postage/model/log_np.hpp#struct LogNP", "src/predict/formulas/papers/tu.cpp#tu-eq1"},
       .command = predict + "lognp --params o_0=3us,l_0=0/8:1us,o_1=4us,o_2=5us,o_3=6us,l_3=0/8:7us",
       .compute = equation_1},
      {.kind = ExhibitKind::kEquation,
       .number = "2",
       .caption = "the same for three transfers",
       .where = {"include/postage/model/log_np.hpp#struct ImplicitTransfers"},
       .command = predict + "lognp --params o_0=3us,l_0=0/8:5us,o_1=20us,o_2=4us,l_2=0/8:6us",
       .compute = equation_2},
      {.kind = ExhibitKind::kEquation,
       .number = "3",
       .caption = "a message by log_3P",
       .where = {"include/postage/model/log_3p.hpp#struct Log3P", "src/predict/formulas/papers/tu.cpp#tu-eq3"},
       .command = predict + "log3p --params o_mw=7us,l_mw=0/8:11us,o_net=20us",
       .compute = equation_3},
      {.kind = ExhibitKind::kEquation,
       .number = "4",
       .caption = "a message by 2log_{2,3}P",
       .where = {"include/postage/model/two_log.hpp#struct TwoLog", "src/predict/formulas/papers/tu.cpp#tu-eq4"},
       .command = predict + "2log23p --nodes 8 --per-node 8 --dst 8 --params \"" + hand_parameters() + "\"",
       .compute = equation_4},
      {.kind = ExhibitKind::kEquation,
       .number = "5",
       .caption = "the same by f(s, d)",
       .where = {"include/postage/model/log_3p.hpp#struct MiddlewareLevel", "include/postage/model/log_np.hpp#MLogNP"},
       .compute = equation_5},
      {.kind = ExhibitKind::kEquation,
       .number = "III.A-levels",
       .caption = "mlog_nP with more levels than two",
       .where = {"include/postage/model/log_np.hpp#struct MLogNP", "src/platform/levels.cpp#parse_levels"},
       .compute = levels},
  };
}

}  // namespace postage::tu_paper
