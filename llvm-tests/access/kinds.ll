; Whatever synchronises or may touch memory is an access, also where it cannot be staged; what only
; carries information is not. Assembly without side effects and pointers is arithmetic.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-accesses>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: accesses of kinds
; CHECK-NEXT: array0: p Argument { index: 0, noalias: false }
; CHECK-NEXT: access0: Load 4 bytes of array0, align 4, volatile in bb0
; CHECK-NEXT: access1: Load 4 bytes of array0, align 4, volatile in bb0
; CHECK-NEXT: access2: Atomic 4 bytes of array0, align 4 in bb0
; CHECK-NEXT: access3: Atomic 4 bytes of array0, align 4 in bb0
; CHECK-NEXT: access4: Barrier in bb0
; CHECK-NEXT: access5: WarpOperation in bb0
; CHECK-NEXT: access6: WarpOperation in bb0
; CHECK-NEXT: access7: Unknown in bb0
; CHECK-NEXT: access8: Unknown in bb0
; CHECK-NEXT: access9: Unknown in bb0
; CHECK-NEXT: access10: Store 4 bytes of array0, align 4 in bb0
target triple = "nvptx64-nvidia-cuda"
declare void @unknown()
declare float @pure(float) memory(none)
define ptx_kernel void @kinds(ptr %p, i1 %c) #0 {
entry:
  %v = load volatile float, ptr %p, align 4
  %w = load atomic i32, ptr %p monotonic, align 4
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %pair = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %warp = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %old, i32 1, i32 31)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  fence seq_cst
  call void @unknown()
  %y = call float @pure(float %v)
  call void asm sideeffect "membar.gl;", "~{memory}"()
  %z = call float asm "abs.f32 $0, $1;", "=f,f"(float %y) memory(none)
  call void @llvm.assume(i1 %c)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store float %z, ptr %p, align 4
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
