; report with shared=0;merge=off;unroll-jam=1;unroll=2: grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0, 4] Forward: fuzzed instruction 52: misaligned: fuzzed, thread (0,0,0) of block (0,0,0), 4 bytes at 0x7ff993b81108, b1 at byte offset 8; needs alignment 16
; seed 91000038, cuts [0, 0, 3, 8, 11, 12, 12, 20, 23, 23, 24, 26, 26, 26, 26, 26, 26, 26, 26, 28, 28, 28, 29, 30, 30, 30, 0, 0, 0, 0, 9]
; variant: shared=0;merge=off;unroll-jam=1;unroll=2
; schedules: [Forward, Warps]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[4,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,0,0,0,0,232,63],"name":"alpha","type":"f64"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":4,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0, 4]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef writeonly captures(none) %b3, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, double noundef %alpha) local_unnamed_addr #0 {
entry:
  %v31 = icmp sgt i32 %n2, 0
  br i1 %v31, label %body1, label %done1

body1:                                            ; preds = %entry, %body1
  %slot3.03 = phi i32 [ %v10, %body1 ], [ 0, %entry ]
  %acc0.02 = phi double [ %v9, %body1 ], [ 0.000000e+00, %entry ]
  %v5 = zext nneg i32 %slot3.03 to i64
  %v6 = getelementptr inbounds nuw i32, ptr %b1, i64 %v5
  %v7 = load i32, ptr %v6, align 4
  %v8 = sitofp i32 %v7 to double
  %v9 = fadd contract double %acc0.02, %v8
  %v10 = add nuw nsw i32 %slot3.03, 1
  %exitcond.not = icmp eq i32 %v10, %n2
  br i1 %exitcond.not, label %done1.loopexit, label %body1, !llvm.loop !1

done1.loopexit:                                   ; preds = %body1
  %0 = bitcast double %v9 to i64
  %1 = trunc i64 %0 to i32
  br label %done1

done1:                                            ; preds = %done1.loopexit, %entry
  %acc0.0.lcssa = phi i32 [ 0, %entry ], [ %1, %done1.loopexit ]
  store i32 %acc0.0.lcssa, ptr %b3, align 4
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
