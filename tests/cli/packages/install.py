"""What `make install` puts down is enough for others to build on, by CMake and by pkg-config."""

import os
import subprocess

import runner

EXAMPLE = runner.SOURCE / "examples" / "predict_bcast"


class Install(runner.CliTest):
    def run_all(self, *commands, environment=None):
        for command in commands:
            done = subprocess.run([str(word) for word in command], env={**os.environ, **(environment or {})},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_installed_library(self):
        prefix = self.folder / "prefix"
        self.run_all(["cmake", "--install", runner.BUILD, "--prefix", prefix])
        built = self.folder / "built"
        by_cmake = self.run_all(["cmake", "-S", EXAMPLE, "-B", built, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug"],
                                ["cmake", "--build", built], [built / "predict_bcast"])
        self.assertIn("binomial: 435.2 us", by_cmake)

        where = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        flags = self.run_all(["pkg-config", "--cflags", "--libs", "postage"], environment=where).split()
        program = self.folder / "by_pkg_config"
        by_pkg_config = self.run_all(["g++", EXAMPLE / "main.cpp", "-o", program, *flags], [program])
        self.assertEqual(by_pkg_config, by_cmake)

        measured = subprocess.run([prefix / "bin" / "postage", "measure", "--virtual", "flat16", "-n", "2", "--sizes", "8,64,512",
                                 "--train-sizes", "none", "-o", self.folder / "p.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(measured.returncode, 0, measured.stderr)

    def test_installed_collectives(self):
        prefix = self.folder / "prefix"
        self.run_all(["cmake", "--install", runner.BUILD, "--prefix", prefix])
        where = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        source = runner.SOURCE / "examples" / "mpi_allreduce"
        for flavour, launcher in [("openmpi", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]), ("mpich", ["mpirun.mpich"])]:
            with self.subTest(flavour):
                flags = self.run_all(["pkg-config", "--cflags", "--libs", f"postage-{flavour}"], environment=where).split()
                program = self.folder / f"by_pkg_config_{flavour}"
                added = self.run_all([f"mpicxx.{flavour}", source / "main.cpp", "-o", program, *flags], [*launcher, "-n", "2", program])
                self.assertEqual(added, "3\n")
                built = self.folder / f"built_{flavour}"
                by_cmake = self.run_all(["cmake", "-S", source, "-B", built, f"-DCMAKE_PREFIX_PATH={prefix}",
                                         f"-DCMAKE_CXX_COMPILER=mpicxx.{flavour}", f"-DMPI_FLAVOUR={flavour}", "-DCMAKE_BUILD_TYPE=Debug"],
                                        ["cmake", "--build", built], [*launcher, "-n", "2", built / "mpi_allreduce"])
                self.assertEqual(by_cmake, added)


if __name__ == "__main__":
    runner.main()
