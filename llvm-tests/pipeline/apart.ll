; A loop of one load, in the inside form: inside the kernel ptxas unrolls it, because the kernel has other bodies, and that gains. The kernel's original of its
; own has none, and runs long loops alone, as short ones have a body in the kernel: there it is lengthened, to 16 loads
; under way at once.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
; Windows of nine elements are the original's too: eight at once, and one.
; CHECK: short: loop0: rounds of 4 iterations, the rest one by one, asked by the host alone: 0 <= -18*trip(loop0) + trip(loop0)*trip(loop0) + 80
; CHECK-NEXT: rolled in a kernel of its own
; CHECK-NEXT: the original reads far
; CHECK-NEXT: loop0 lengthened in an original of its own
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @summed(ptr noalias noundef readonly %x, ptr noalias noundef writeonly %y, i32 noundef %n, i32 noundef %r) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %pre, label %exit
pre:
  %any = icmp sgt i32 %r, 0
  br i1 %any, label %loop, label %store
store:
  %s = phi float [ 0.0, %pre ], [ %more, %loop ]
  %il = sext i32 %i to i64
  %py = getelementptr inbounds float, ptr %y, i64 %il
  store float %s, ptr %py, align 4
  br label %exit
loop:
  %k = phi i32 [ 0, %pre ], [ %next, %loop ]
  %sum = phi float [ 0.0, %pre ], [ %more, %loop ]
  %xi = add nsw i32 %i, %k
  %xl = sext i32 %xi to i64
  %px = getelementptr inbounds float, ptr %x, i64 %xl
  %vx = load float, ptr %px, align 4
  %more = fadd contract float %sum, %vx
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %r
  br i1 %done, label %store, label %loop
exit:
  ret void
}
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
attributes #0 = { "target-cpu"="sm_80" }
