# Copyright the founders of postage. SPDX-License-Identifier: Apache-2.0
"""A recipe for Spack: copy this folder into a repository of yours as packages/postage."""

from spack.package import *


class Postage(CMakePackage):
    """Measures how a machine or a cluster passes messages, fits communication models to that, predicts the time of MPI
    collectives, explains the predictions and writes tuning files for MPI libraries."""

    license("Apache-2.0")

    version("0.1.0")

    variant("python", default=True, description="Build the Python module")
    variant("simgrid", default=False, description="Build what measures simulated clusters")

    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("eigen")
    depends_on("boost")
    depends_on("hwloc@2:")
    depends_on("scotch@7:")
    depends_on("simgrid@3.32: +smpi", when="+simgrid")
    extends("python", when="+python")
    depends_on("py-pybind11", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")

    conflicts("%gcc@:11", msg="postage is written in C++20")
    generator("ninja")

    def cmake_args(self):
        args = [
            # The MPI of the spec, and no other that happens to be on the machine.
            self.define("MPICXX", self.spec["mpi"].mpicxx),
            self.define("POSTAGE_MPI_FLAVOURS", "smpi" if self.spec.satisfies("+simgrid") else ""),
            self.define("BUILD_TESTING", False),
            self.define("POSTAGE_PYTHON", "ON" if self.spec.satisfies("+python") else "OFF"),
        ]
        if self.spec.satisfies("+python"):
            args += [
                self.define("POSTAGE_PYTHON_EXECUTABLE", python.path),
                self.define("POSTAGE_PYTHON_FOLDER", python_platlib),
            ]
        return args
