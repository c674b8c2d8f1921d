; report with force: grid=[1, 1, 1] block=[2, 1, 1] sizes=[0, 0, 0] Forward: fuzzed instruction 124: out-of-bounds: fuzzed, thread (1,0,0) of block (0,0,0), 4 bytes at 0x7f1ae19aa104, b1 at byte offset 4; b1 has 4 bytes
; seed 1001789, cuts [0, 1, 1, 3, 4, 4, 4, 11, 13, 26, 46, 46, 48, 52, 52, 52, 52, 52, 52, 52, 52, 52, 52, 52, 52, 53, 54, 3, 43]
; variant: force
; schedules: [Forward, Blocks(47)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[2,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":2,"fill":"uniform(0,100)","name":"b3","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[2, 1, 1] sizes=[0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef writeonly captures(none) %b3, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4.not2 = icmp slt i32 %n2, 0
  br i1 %v4.not2, label %done2, label %body2.lr.ph

body2.lr.ph:                                      ; preds = %entry
  %v5 = mul nuw nsw i32 %v1, 5
  br label %body2

body2:                                            ; preds = %body2.lr.ph, %end9
  %slot2.04 = phi i32 [ 0, %body2.lr.ph ], [ %v18, %end9 ]
  %acc0.03 = phi i32 [ 0, %body2.lr.ph ], [ %acc0.1, %end9 ]
  %v6 = add nuw nsw i32 %slot2.04, %v5
  %v8 = icmp samesign ult i32 %v6, 2
  br i1 %v8, label %then9, label %end9

then9:                                            ; preds = %body2
  %v13 = zext nneg i32 %v6 to i64
  %v14 = getelementptr inbounds nuw i32, ptr %b1, i64 %v13
  %v15 = load i32, ptr %v14, align 4
  %v17 = tail call i32 @llvm.smax.i32(i32 %acc0.03, i32 %v15)
  br label %end9

end9:                                             ; preds = %body2, %then9
  %acc0.1 = phi i32 [ %v17, %then9 ], [ %acc0.03, %body2 ]
  %v18 = add nuw i32 %slot2.04, 1
  %exitcond.not = icmp eq i32 %slot2.04, %n2
  br i1 %exitcond.not, label %done2, label %body2, !llvm.loop !1

done2:                                            ; preds = %end9, %entry
  %acc0.0.lcssa = phi i32 [ 0, %entry ], [ %acc0.1, %end9 ]
  %v20 = zext nneg i32 %v1 to i64
  %v21 = getelementptr inbounds nuw i32, ptr %b3, i64 %v20
  store i32 %acc0.0.lcssa, ptr %v21, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #2

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
