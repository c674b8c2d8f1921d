; report with force;shared=8192: grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 5] Forward: fuzzed instruction 536: copy-race: fuzzed, thread (0,0,0) of block (0,0,0), 4 bytes at 0x40455120, mesi.tiles.fuzzed at byte offset 32; a cp.async to these bytes has not been waited for
; seed 703000170, cuts [0, 0, 1, 5, 7, 7, 7, 13, 28, 42, 44, 44, 44, 44, 44, 44, 44, 44, 44, 46, 46, 46, 48, 48, 3, 6]
; variant: force;shared=8192
; schedules: [Forward, Reverse]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[5,0,0,0],"name":"n1","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":5,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":5,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 5]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noundef writeonly captures(none) %b2, ptr noundef readnone captures(none) %b3, i32 noundef %n0, i32 noundef %n1, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v41 = icmp sgt i32 %n1, 0
  br i1 %v41, label %body2.lr.ph, label %exit

body2.lr.ph:                                      ; preds = %entry
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v5 = mul nuw nsw i32 %n1, %v1
  br label %body2

body2:                                            ; preds = %body2.lr.ph, %body2
  %slot1.02 = phi i32 [ 0, %body2.lr.ph ], [ %v18, %body2 ]
  %v6 = add nuw nsw i32 %slot1.02, %v5
  %v7 = zext nneg i32 %v6 to i64
  %v8 = getelementptr inbounds nuw i32, ptr %b0, i64 %v7
  %v9 = load i32, ptr %v8, align 4
  %v13 = getelementptr inbounds nuw i32, ptr %b1, i64 %v7
  %v14 = load i32, ptr %v13, align 4
  %v15 = mul i32 %v14, %v9
  store i32 %v15, ptr %b2, align 4
  %v18 = add nuw nsw i32 %slot1.02, 1
  %exitcond.not = icmp eq i32 %v18, %n1
  br i1 %exitcond.not, label %exit, label %body2, !llvm.loop !1

exit:                                             ; preds = %body2, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
