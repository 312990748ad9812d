#pragma once

#include <postage/base/options.hpp>

namespace postage {

// One function per command: it adds the command with its options, an example in its footer and a callback that does
// the work. The callback throws UsageError or Error; main.cpp turns them into one sentence and an exit status.
void add_doctor_command(Command& app);
void add_measure_command(Command& app);
void add_estimate_command(Command& app);
void add_predict_command(Command& app);
void add_explain_command(Command& app);
void add_compare_command(Command& app);
void add_optimize_command(Command& app);
void add_validate_command(Command& app);
void add_schedule_command(Command& app);
void add_report_command(Command& app);
void add_topology_command(Command& app);
void add_diff_command(Command& app);
void add_models_command(Command& app);
void add_lab_command(Command& app);
void add_bench_command(Command& app);
void add_paper_command(Command& app);
void add_guidelines_command(Command& app);
void add_watch_command(Command& app);
void add_lint_command(Command& app);
void add_tune_command(Command& app);
void add_emit_command(Command& app);
void add_prove_command(Command& app);
void add_run_command(Command& app);
void add_export_command(Command& app);
/// help, completion, and what writes the manual pages; they describe the commands added before.
void add_manual_commands(Command& app);

}  // namespace postage
