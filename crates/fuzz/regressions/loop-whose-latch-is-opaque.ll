; panic with force: internal error in kernel 'fuzzed', stage lower: a loop around is being emitted (src/lower/eval.rs:146); please report it, and leave the kernel out with __attribute__((annotate("mesi.off"))) until then
; seed 100008799, cuts [0, 0, 1, 1, 5, 7, 13, 19, 20, 24, 31, 31, 38, 41, 45, 46, 46, 48, 49, 67, 67, 69, 69, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 4, 5, 20, 26, 37, 0, 13]
; variant: force
; schedules: [Forward, Warps]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"buffer":5,"name":"b5","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,0,0],"name":"n3","type":"i32"},{"bytes":[0,0,0,0],"name":"n4","type":"i32"},{"bytes":[0,0,64,63],"name":"alpha","type":"f32"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b4","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b5","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0, 0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readnone captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef readnone captures(none) %b3, ptr noundef readonly captures(none) %b4, ptr noundef writeonly captures(none) %b5, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %n3, i32 noundef %n4, float noundef %alpha) local_unnamed_addr #0 {
entry:
  %v34 = icmp sgt i32 %n2, 0
  br i1 %v34, label %head4.preheader, label %head13.preheader

head4.preheader:                                  ; preds = %entry, %done4
  %slot2.05 = phi i32 [ %v12, %done4 ], [ 0, %entry ]
  switch i32 %slot2.05, label %body4 [
    i32 0, label %done4
    i32 1, label %done4.loopexit
  ]

head13.preheader:                                 ; preds = %done4, %entry
  %acc0.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %acc0.1.lcssa, %done4 ]
  %v15.not7 = icmp slt i32 %n2, 0
  br i1 %v15.not7, label %done13, label %body13

body4:                                            ; preds = %head4.preheader, %body4
  %slot3.03 = phi i32 [ %v11, %body4 ], [ 1, %head4.preheader ]
  %v11 = add nuw nsw i32 %slot3.03, 1
  %exitcond.not = icmp eq i32 %v11, %slot2.05
  br i1 %exitcond.not, label %done4.loopexit, label %body4, !llvm.loop !1

done4.loopexit:                                   ; preds = %body4, %head4.preheader
  br label %done4

done4:                                            ; preds = %head4.preheader, %done4.loopexit
  %acc0.1.lcssa = phi float [ 1.000000e+00, %head4.preheader ], [ 2.000000e+00, %done4.loopexit ]
  %v12 = add nuw nsw i32 %slot2.05, 1
  %exitcond12.not = icmp eq i32 %v12, %n2
  br i1 %exitcond12.not, label %head13.preheader, label %head4.preheader, !llvm.loop !4

body13:                                           ; preds = %head13.preheader, %body13
  %slot4.09 = phi i32 [ %v25, %body13 ], [ 0, %head13.preheader ]
  %acc0.38 = phi float [ %v24, %body13 ], [ %acc0.0.lcssa, %head13.preheader ]
  %v18 = tail call i32 @llvm.smin.i32(i32 %slot4.09, i32 %n0)
  %v19 = sext i32 %v18 to i64
  %v20 = getelementptr inbounds i32, ptr %b4, i64 %v19
  %v21 = load i32, ptr %v20, align 4
  %v22 = sitofp i32 %v21 to float
  %v23 = fcmp ogt float %acc0.38, %v22
  %v24 = select i1 %v23, float %acc0.38, float %v22
  %v25 = add nuw i32 %slot4.09, 1
  %exitcond13.not = icmp eq i32 %slot4.09, %n2
  br i1 %exitcond13.not, label %done13, label %body13, !llvm.loop !4

done13:                                           ; preds = %body13, %head13.preheader
  %acc0.3.lcssa = phi float [ %acc0.0.lcssa, %head13.preheader ], [ %v24, %body13 ]
  store float %acc0.3.lcssa, ptr %b5, align 4
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.mustprogress"}
!3 = !{!"llvm.loop.peeled.count", i32 1}
!4 = distinct !{!4, !2}
