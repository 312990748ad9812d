"""What lint says of variables is what the MPI libraries that are here do with them."""

import os
import shutil
import subprocess
import unittest

import runner

BIN = runner.BUILD / "bin"


def starts(mpi, variables):
    command = [f"mpirun.{mpi}", "-n", "2"]
    if mpi == "openmpi":
        command += ["--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
    done = subprocess.run([*command, str(BIN / f"postage-prove-{mpi}"), "bcast:2:8"], env={**os.environ, **variables},
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)  # fmt: skip
    return done.returncode == 0


class Variables(runner.CliTest):
    def check(self, mpi, prefix, values, release):
        version = subprocess.run([f"mpirun.{mpi}", "--version"], stdout=subprocess.PIPE, text=True).stdout
        if release not in version:
            self.skipTest(f"these values were tried with {release}")
        for name, value in values:
            with self.subTest(name=name, value=value):
                path = self.folder / "env.sh"
                path.write_text(f"export {prefix}{name}='{value}'\n")
                findings = runner.postage("lint", path, "--json", "--as", "environment").json()[0]["findings"]
                aborts = any(finding["effect"] == "aborts" for finding in findings)
                self.assertEqual(starts(mpi, {prefix + name: value}), not aborts, findings)

    @unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI here")
    def test_open_mpi(self):
        values = [
            ("coll", "basic,libnbc,self,tuned"), ("coll", "tuned,self"), ("coll", "^libnbc"), ("coll", "^tuned"),
            ("coll", "basic,libnbc,self,tunned"), ("coll", "basic,libnbc,^han"), ("btl_vader_eager_limit", "55"),
            ("btl_vader_eager_limit", "56"), ("btl_vader_eager_limit", "4kb"), ("btl_tcp_eager_limit", "4.5k"),
            ("coll_tuned_use_dynamic_rules", "maybe"), ("coll_tuned_bcast_algorithm_segmentsize", "abc"),
        ]  # fmt: skip
        self.check("openmpi", "OMPI_MCA_", values, "4.1.")

    @unittest.skipUnless(shutil.which("mpirun.mpich") and (BIN / "postage-prove-mpich").exists(), "no MPICH here")
    def test_mpich(self):
        values = [
            ("BCAST_INTRA_ALGORITHM", "Binomial"), ("BCAST_INTRA_ALGORITHM", "smp"), ("BCAST_INTRA_ALGORITHM", ""),
            ("BCAST_INTER_ALGORITHM", "binomial"), ("BCAST_INTER_ALGORITHM", "remote_send_local_bcast"),
            ("BCAST_POSIX_INTRA_ALGORITHM", "ipc_read"), ("BCAST_POSIX_INTRA_ALGORITHM", "release_gather"),
            ("BCAST_MIN_PROCS", "8K"), ("BCAST_MIN_PROCS", "+8"), ("ALLTOALL_THROTTLE", "many"),
            ("BCAST_DEVICE_COLLECTIVE", "2"), ("BCAST_DEVICE_COLLECTIVE", "on"), ("COLLECTIVE_FALLBACK", "loud"),
            ("COLL_SELECTION_TUNING_JSON_FILE", "/"),
        ]  # fmt: skip
        self.check("mpich", "MPIR_CVAR_", values, "4.0.")
        self.check("mpich", "MPICH_", values[:4], "4.0.")
        self.check("mpich", "MPIR_PARAM_", values[:4], "4.0.")


if __name__ == "__main__":
    runner.main()
