; The fact that a loop has iterations enough asked for the trip count of the loop around it, which threads do not share
; seed 912000133, cuts [0, 1, 9, 13, 13, 20, 20, 20, 20, 30, 30, 31, 34, 34, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 5, 9, 11, 18]
; variant: force
; schedules: [Forward, Random(439)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef writeonly captures(none) %b3, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v85 = icmp sgt i32 %v5, 0
  br i1 %v85, label %head9.preheader.lr.ph, label %done6

head9.preheader.lr.ph:                            ; preds = %entry
  %v18 = load i32, ptr %b1, align 4
  br label %head9.preheader

head9.preheader:                                  ; preds = %head9.preheader.lr.ph, %done9
  %indvars.iv = phi i32 [ 1, %head9.preheader.lr.ph ], [ %indvars.iv.next, %done9 ]
  %acc0.06 = phi i32 [ 0, %head9.preheader.lr.ph ], [ %v20, %done9 ]
  br label %body9

body9:                                            ; preds = %head9.preheader, %body9
  %slot2.04 = phi i32 [ 0, %head9.preheader ], [ %v21, %body9 ]
  %acc0.13 = phi i32 [ %acc0.06, %head9.preheader ], [ %v20, %body9 ]
  %v14 = add i32 %acc0.13, 1
  %v20 = tail call i32 @llvm.smax.i32(i32 %v14, i32 %v18)
  %v21 = add nuw nsw i32 %slot2.04, 1
  %exitcond.not = icmp eq i32 %v21, %indvars.iv
  br i1 %exitcond.not, label %done9, label %body9, !llvm.loop !1

done9:                                            ; preds = %body9
  %indvars.iv.next = add nuw i32 %indvars.iv, 1
  %exitcond8.not = icmp eq i32 %indvars.iv, %v5
  br i1 %exitcond8.not, label %done6, label %head9.preheader, !llvm.loop !1

done6:                                            ; preds = %done9, %entry
  %acc0.0.lcssa = phi i32 [ 0, %entry ], [ %v20, %done9 ]
  %v24 = sext i32 %v5 to i64
  %v25 = getelementptr inbounds i32, ptr %b3, i64 %v24
  store i32 %acc0.0.lcssa, ptr %v25, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_75" "target-features"="+ptx88,+sm_75" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
