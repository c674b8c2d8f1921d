; Where nothing is staged the module comes out as it went in, but for the mark that the pass ran.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<force>' -S %s | grep -v mesi.ran | cat -s > %t.with.ll
; RUN: %opt -S %s | cat -s > %t.without.ll && diff -B %t.without.ll %t.with.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @fill(ptr noalias %y, i32 %n) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float 1.0, ptr %q
  ret void
}
attributes #0 = { nosync memory(argmem: write) "target-cpu"="sm_80" }
