; panic with force: internal error in kernel 'fuzzed', stage lower: the plan uses known trip counts only: Unknown (src/lower/eval.rs:82); please report it, and leave the kernel out with __attribute__((annotate("mesi.off"))) until then
; seed 7000901, cuts [0, 0, 3, 5, 18, 18, 18, 23, 28, 28, 29, 29, 31, 31, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 0, 0, 1, 9]
; variant: force
; schedules: [Forward, Warps]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,0,0],"name":"n3","type":"i32"},{"bytes":[0,0,0,0],"name":"n4","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0, 0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef readnone captures(none) %b3, ptr noundef writeonly captures(none) %b4, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %n3, i32 noundef %n4, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v14 = icmp slt i32 %n3, 1
  br label %body4

body4:                                            ; preds = %end8, %entry
  %slot3.03 = phi i32 [ 0, %entry ], [ %v16, %end8 ]
  %acc0.12 = phi i32 [ 0, %entry ], [ %acc0.3, %end8 ]
  %v7.not = icmp sgt i32 %slot3.03, %n0
  br i1 %v7.not, label %end8, label %then8

then8:                                            ; preds = %body4
  %v12 = load i32, ptr %b1, align 4
  %v13 = add i32 %v12, %acc0.12
  br label %end8

end8:                                             ; preds = %body4, %then8
  %acc0.3 = phi i32 [ %v13, %then8 ], [ %acc0.12, %body4 ]
  %v16 = add nuw nsw i32 %slot3.03, 1
  %v6 = icmp samesign ult i32 %slot3.03, 13
  %or.cond = select i1 %v14, i1 %v6, i1 false
  br i1 %or.cond, label %body4, label %done4, !llvm.loop !1

done4:                                            ; preds = %end8
  store i32 %acc0.3, ptr %b4, align 4
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
