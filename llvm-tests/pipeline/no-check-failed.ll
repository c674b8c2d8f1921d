; The second look, at the end of LLVM's pipeline. What stands here is what a pass between could have
; made of a staged kernel: a barrier under a condition that differs between threads, and one that is
; there twice. The staged body is cut off, the original runs, and a warning says so; also where LLVM
; swapped the sides of the branch between the bodies, and where another version comes next. Two more kernels hold and stay: one as lower left
; it, and one whose second barrier stands under a value that is a phi where a divergent branch's sides
; meet, and the same from both.
; RUN: %opt -load-pass-plugin %mesi -passes='default<O1>' -mesi-only=none -pass-remarks-missed=mesi -S %s -o %t.ll 2> %t.err
; RUN: %FileCheck %s < %t.err
; CHECK: warning: {{.*}}mesi: the staged body is dropped: a barrier stands where threads may diverge
; CHECK: not staged: kernel diverges: the check after lowering did not hold (CheckFailed)
; CHECK: warning: {{.*}}mesi: the staged body is dropped: a barrier was copied
; CHECK: not staged: kernel copied: {{.*}} (CheckFailed)
; CHECK: warning: {{.*}}mesi: the staged body is dropped: a barrier stands where threads may diverge
; CHECK: not staged: kernel swapped: {{.*}} (CheckFailed)
; CHECK: not staged: kernel chained: {{.*}} (CheckFailed)
; CHECK-NOT: {{warning|CheckFailed}}
; RUN: %FileCheck %s -check-prefix=IR < %t.ll
; IR-LABEL: define {{.*}}@diverges
; IR: br i1 false, label %staged
; IR-LABEL: define {{.*}}@copied
; IR: br i1 false, label %staged
; IR-LABEL: define {{.*}}@swapped
; IR: br i1 true, label %original, label %staged
; IR-LABEL: define {{.*}}@chained
; IR: br i1 true, label %second, label %staged
; IR: br i1 false, label %other, label %original
; IR-LABEL: define {{.*}}@holds
; IR: br i1 %ok, label %staged
; IR-LABEL: define {{.*}}@agrees
; IR: br i1 %ok, label %staged
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @diverges(ptr %x, i32 %n) #0 {
entry:
  %ok = icmp slt i32 %n, 1024
  br i1 %ok, label %staged, label %original, !mesi.dispatch !0
staged:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %meet, label %end
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @copied(ptr %x, i32 %n) #0 {
entry:
  %ok = icmp slt i32 %n, 1024
  br i1 %ok, label %staged, label %original, !mesi.dispatch !0
staged:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  store float 2.0, ptr %x
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @swapped(ptr %x, i32 %n) #0 {
entry:
  %no = icmp sge i32 %n, 1024
  br i1 %no, label %original, label %staged, !mesi.dispatch !0
staged:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %meet, label %end
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @chained(ptr %x, i32 %n) #0 {
entry:
  %no = icmp sge i32 %n, 1024
  br i1 %no, label %second, label %staged, !mesi.dispatch !0
staged:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %meet, label %end
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  br label %end
second:
  %ok = icmp slt i32 %n, 4096
  br i1 %ok, label %other, label %original, !mesi.dispatch !0
other:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !2
  store float 3.0, ptr %x
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @holds(ptr %x, i32 %n) #0 {
entry:
  %ok = icmp slt i32 %n, 1024
  br i1 %ok, label %staged, label %original, !mesi.dispatch !0
staged:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  store float 2.0, ptr %x
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @agrees(ptr %x, i32 %n) #0 {
entry:
  %ok = icmp slt i32 %n, 1024
  br i1 %ok, label %staged, label %original, !mesi.dispatch !0
staged:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %n, 8
  br i1 %some, label %strips, label %rest
strips:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !1
  %left = sub i32 %n, 8
  %active = icmp slt i32 %t, %n
  br i1 %active, label %use, label %rest
use:
  store float 2.0, ptr %x
  br label %rest
rest:
  %open = phi i32 [ %n, %staged ], [ %left, %strips ], [ %left, %use ]
  %more = icmp sgt i32 %open, 0
  br i1 %more, label %last, label %end
last:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !mesi.barrier !2
  br label %end
original:
  store float 1.0, ptr %x
  br label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" "mesi.staged"="1" }
!0 = !{}
!1 = !{i32 0}
!2 = !{i32 1}
