# SPDX-License-Identifier: MIT
"""Recipe for Spack: copy it to packages/winnow/ of a repository of recipes, with the archive that "make dist" writes
beside it. A checkout is installed by "spack dev-build winnow@0.1.0"."""

import os

from spack.package import *


class Winnow(MesonPackage):
    """Profiler that records every task and loop chunk of an unmodified OpenMP program, rebuilds its grain graph, and
    reports which of them make the program slow, where they are in the source, why, and what to change."""

    url = "file://" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "winnow-0.1.0.tar.xz")

    license("MIT")

    # The checksum of a release is in winnow-VERSION.tar.xz.sha256, beside the archive.
    version("0.1.0")

    variant("characterize", default=True, description="LAPACK for winnow characterize")

    depends_on("c", type="build")
    depends_on("meson@1:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("llvm-openmp", type="build")  # only its header omp-tools.h
    depends_on("xxhash", type="build")  # only its header
    depends_on("elfutils")
    depends_on("jansson")
    depends_on("libdeflate")
    depends_on("zlib-api")
    # Loaded by the verbs that use them, from the paths that Spack writes into what it links.
    depends_on("expat")
    depends_on("libpfm4")
    depends_on("netlib-lapack", when="+characterize")

    conflicts("platform=darwin", msg="Winnow records programs on Linux")
    conflicts("platform=windows", msg="Winnow records programs on Linux")

    def meson_args(self):
        # Plug-ins are built for compilers by the names that distributions give them. Spack has no Zydis, without
        # which winnow count is not built.
        return ["-Dplugins=disabled"]
