"""A ReFrame check that fails where the MPI is slower than when its baseline was recorded.

Record the baseline once, with the same options and --record. `postage` itself starts the ranks.
"""

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class Watch(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 1
    executable = "postage"
    executable_opts = ["watch", "--baseline", "well.json", "--launcher", '"srun -n 4"', "-n", "4", "--reframe"]

    @sanity_function
    def verdict_is_ok(self):
        return sn.assert_found(r"^verdict: ok$", self.stdout)

    @performance_function("ratio")
    def rate_between_nodes(self):
        return sn.extractsingle(r"^rate_inter_node: (\S+) ratio", self.stdout, 1, float)
