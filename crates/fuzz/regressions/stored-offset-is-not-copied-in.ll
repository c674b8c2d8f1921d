; report with force: grid=[2, 1, 1] block=[1, 1, 1] sizes=[0, 1] Forward: fuzzed instruction 163: block-race: fuzzed, thread (0,0,0) of block (1,0,0), 4 bytes at 0x7f078cd8a008, b0 at byte offset 8; against thread (0,0,0) of block (0,0,0) at fuzzed instruction 255
; seed 5003684, cuts [0, 0, 1, 5, 9, 9, 15, 24, 24, 25, 25, 25, 27, 29, 29, 30, 31, 33, 15, 28]
; variant: force
; schedules: [Forward, Blocks(941)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":8},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[1,0,0,0],"name":"n1","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":4,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"}],"globals":[],"grid":[2,1,1],"label":"grid=[2, 1, 1] block=[1, 1, 1] sizes=[0, 1]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef captures(none) %b0, ptr noundef readnone captures(none) %b1, ptr noundef readonly captures(none) %b2, ptr noundef readnone captures(none) %b3, i32 noundef %n0, i32 noundef %n1, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v83 = icmp sgt i32 %n1, 0
  br i1 %v83, label %head9.preheader.lr.ph, label %exit

head9.preheader.lr.ph:                            ; preds = %entry
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v4 = mul i32 %v1, %v2
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v5 = add i32 %v4, %v3
  %0 = sext i32 %v5 to i64
  %1 = getelementptr i32, ptr %b0, i64 %0
  %v14 = getelementptr i8, ptr %1, i64 -8
  br label %head9.preheader

head9.preheader:                                  ; preds = %head9.preheader.lr.ph, %done9
  %slot1.04 = phi i32 [ 0, %head9.preheader.lr.ph ], [ %v24, %done9 ]
  %v15.pre = load i32, ptr %v14, align 4
  %v16 = icmp slt i32 %v15.pre, 1
  br label %body9

body9:                                            ; preds = %head9.preheader, %body9
  %slot2.02 = phi i32 [ %v23, %body9 ], [ 0, %head9.preheader ]
  %v19 = load i32, ptr %b2, align 4
  %v20 = select i1 %v16, i32 1, i32 %v19
  store i32 %v20, ptr %1, align 4
  %v23 = add nuw nsw i32 %slot2.02, 1
  %exitcond.not = icmp eq i32 %v23, %n1
  br i1 %exitcond.not, label %done9, label %body9, !llvm.loop !1

done9:                                            ; preds = %body9
  %v24 = add nuw nsw i32 %slot1.04, 1
  %exitcond5.not = icmp eq i32 %v24, %n1
  br i1 %exitcond5.not, label %exit, label %head9.preheader, !llvm.loop !1

exit:                                             ; preds = %done9, %entry
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
