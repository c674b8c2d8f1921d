# A recipe for spack: copy it to var/spack/repos/.../packages/mesi/package.py of a repository of
# your own, set `git` to where you have the source, and write `spack install mesi`.
from spack.package import *


class Mesi(Package):
    """An LLVM pass plug-in that speeds up naive CUDA kernels, and a stand-in for nvcc."""

    git = "file:///path/to/mesi"

    version("main", branch="main")

    depends_on("rust@1.88:", type="build")
    depends_on("cxx", type="build")
    # The plug-in shares the libLLVM that clang loads.
    depends_on("llvm@22.1 +clang +llvm_dylib targets=nvptx,x86", type=("build", "link", "run"))
    depends_on("cuda@12.0:13.0", type=("build", "run"))

    def setup_build_environment(self, env):
        env.set("LLVM_SYS_221_PREFIX", self.spec["llvm"].prefix)
        env.set("CUDA_PATH", self.spec["cuda"].prefix)

    def setup_run_environment(self, env):
        env.set("LLVM_SYS_221_PREFIX", self.spec["llvm"].prefix)

    def install(self, spec, prefix):
        cargo = which("cargo")
        cargo("xtask", "install", "--prefix", prefix)
