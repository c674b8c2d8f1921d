; A version that relies on its gate has no other body to fall back to. Where the second look, at the end of LLVM's pipeline, finds it broken, no
; host hears of it: its record is blanked. One that holds keeps its own, with all others in one constant.
; RUN: %opt -load-pass-plugin %mesi -passes='default<O1>' -mesi-only=none -pass-remarks-missed=mesi -S %s -o %t.ll 2> %t.err
; RUN: %FileCheck %s < %t.err
; CHECK: warning: {{.*}}mesi: the staged body is dropped: a barrier was copied
; CHECK: not staged: kernel broken$mesi$0: the check after lowering did not hold (CheckFailed)
; CHECK-NOT: {{warning|CheckFailed}}
; RUN: %FileCheck %s -check-prefix=IR < %t.ll
; IR-DAG: @"broken$mesi$0$gate" = addrspace(1) constant [8 x i8] zeroinitializer
; IR-DAG: @"mesi$records" = internal addrspace(1) constant [{{[0-9]+}} x i8] c"MESIPACK{{.*}}MESIGATE"
; IR-NOT: @"whole$mesi$0$gate"
target triple = "nvptx64-nvidia-cuda"
@"broken$mesi$0$gate" = addrspace(1) constant [8 x i8] c"MESIGATE"
@"whole$mesi$0$gate" = addrspace(1) constant [8 x i8] c"MESIGATE"
@llvm.used = appending addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @"broken$mesi$0$gate" to ptr), ptr addrspacecast (ptr addrspace(1) @"whole$mesi$0$gate" to ptr)], section "llvm.metadata"
define ptx_kernel void @"broken$mesi$0"(ptr %x) #0 {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  store float 2.0, ptr %x
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  ret void
}
define ptx_kernel void @"whole$mesi$0"(ptr %x) #0 {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  store float 2.0, ptr %x
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
attributes #0 = { convergent "mesi.staged"="1" "mesi.version" "target-cpu"="sm_80" }
!1 = !{i32 0}
