"""Not tested."""

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Apsp(CMakePackage, CudaPackage):
    """All-pairs shortest paths: plan, solve, verify, paths, statistics."""

    homepage = "HOMEPAGE_URL"
    url = "ARCHIVE_URL"
    maintainers("MAINTAINER")
    license("Apache-2.0", checked_by="MAINTAINER")

    version("0.2.0", sha256="ARCHIVE_SHA256")

    variant("mpi", default=False, description="The program that several processes run")
    variant("shared", default=True, description="A shared library beside the static one")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("xz")
    depends_on("bzip2")
    depends_on("expat")
    depends_on("snappy")
    depends_on("libosmium", type="build")
    depends_on("highway")
    depends_on("metis@5:")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        args = [
            self.define_from_variant("APSP_SHARED", "shared"),
            self.define("APSP_UNITY", True),
            self.define("APSP_BUILD_TESTS", False),
            self.define("APSP_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", self.spec.satisfies("~mpi")),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
