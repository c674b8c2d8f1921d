; bits with force;merge=2x1x4: grid=[1, 1, 1] block=[2, 1, 1] sizes=[2, 0, 0] Forward: b4[1] is [b2, 00, 00, 00] in the original and [59, 00, 00, 00] after; 1 elements differ
; seed 700000758, cuts [0, 0, 8, 12, 12, 12, 14, 17, 32, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 39, 39, 40, 40, 40, 42, 42, 4, 12, 18]
; variant: force;merge=2x1x4
; schedules: [Forward, Reverse]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[2,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[2,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":2,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"},{"count":2,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[2, 1, 1] sizes=[2, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b0, ptr noundef readnone captures(none) %b1, ptr noundef readonly captures(none) %b2, ptr noundef readnone captures(none) %b3, ptr noundef writeonly captures(none) %b4, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v82 = icmp sgt i32 %n0, 0
  br i1 %v82, label %body6.lr.ph, label %entry.done6_crit_edge

entry.done6_crit_edge:                            ; preds = %entry
  %.pre = sext i32 %v5 to i64
  br label %done6

body6.lr.ph:                                      ; preds = %entry
  %v11 = load i32, ptr %b0, align 4
  %v12 = icmp slt i32 %v11, 1
  %v15 = sext i32 %v5 to i64
  %v16 = getelementptr inbounds i32, ptr %b2, i64 %v15
  br label %body6

body6:                                            ; preds = %body6.lr.ph, %stay13
  %slot3.04 = phi i32 [ 0, %body6.lr.ph ], [ %v19, %stay13 ]
  %acc0.03 = phi i32 [ 0, %body6.lr.ph ], [ %v18, %stay13 ]
  br i1 %v12, label %done6, label %stay13

stay13:                                           ; preds = %body6
  %v17 = load i32, ptr %v16, align 4
  %v18 = add i32 %v17, %acc0.03
  %v19 = add nuw nsw i32 %slot3.04, 1
  %exitcond.not = icmp eq i32 %v19, %n0
  br i1 %exitcond.not, label %done6, label %body6, !llvm.loop !1

done6:                                            ; preds = %stay13, %body6, %entry.done6_crit_edge
  %v21.pre-phi = phi i64 [ %.pre, %entry.done6_crit_edge ], [ %v15, %body6 ], [ %v15, %stay13 ]
  %acc0.0.lcssa = phi i32 [ 0, %entry.done6_crit_edge ], [ 0, %body6 ], [ %v18, %stay13 ]
  %v22 = getelementptr inbounds i32, ptr %b4, i64 %v21.pre-phi
  store i32 %acc0.0.lcssa, ptr %v22, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
