; A version whose facts hold in the blocks of the program, and not in those that the host may deal its threads out to: there it is not launched.
; variant: force
; variant: force then -O3
; variant: force;depth=2;strip=12
; variant: force;shared=0;merge=off;unroll-jam=4 then -O3
; variant: shared=0;merge=off;unroll-jam=1;unroll=2 then -O3
; variant: force;block=5x3x2
; variant: force;merge=2x2x1;depth=2;strip=16
; variant: merge=2x2x1
; variant: force;merge=2x2x1;shared=0
; variant: default
; variant: default, version 2 alone then -O3
; variant: form=own
; variant: force;form=own
; schedules: [Forward, Blocks(508)]
; fused
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[96,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[70,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,64,63],"name":"alpha","type":"f32"}],"block":[96,1,1],"buffers":[{"count":95,"fill":"uniform(-2,2)","name":"b0","type":"f32"},{"count":1,"fill":"uniform(-2,2)","name":"b1","type":"f32"},{"count":95,"fill":"uniform(-2,2)","name":"b2","type":"f32"},{"count":72752,"fill":"uniform(0,64)","name":"b3","type":"u8"},{"count":95,"fill":"uniform(-2,2)","name":"b4","type":"f32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[96, 1, 1] sizes=[96, 0, 70]","shared":0}
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[1,0,0,0],"name":"n1","type":"i32"},{"bytes":[17,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,64,63],"name":"alpha","type":"f32"}],"block":[33,1,1],"buffers":[{"count":1,"fill":"uniform(-2,2)","name":"b0","type":"f32"},{"count":1,"fill":"uniform(-2,2)","name":"b1","type":"f32"},{"count":1,"fill":"uniform(-2,2)","name":"b2","type":"f32"},{"count":8,"fill":"uniform(0,64)","name":"b3","type":"u8"},{"count":1,"fill":"uniform(-2,2)","name":"b4","type":"f32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[33, 1, 1] sizes=[0, 1, 17]","shared":0}
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[1,0,0,0],"name":"n0","type":"i32"},{"bytes":[1,0,0,0],"name":"n1","type":"i32"},{"bytes":[33,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,64,63],"name":"alpha","type":"f32"}],"block":[32,1,1],"buffers":[{"count":1,"fill":"uniform(-2,2)","name":"b0","type":"f32"},{"count":1,"fill":"uniform(-2,2)","name":"b1","type":"f32"},{"count":1,"fill":"uniform(-2,2)","name":"b2","type":"f32"},{"count":8,"fill":"uniform(0,64)","name":"b3","type":"u8"},{"count":1,"fill":"uniform(-2,2)","name":"b4","type":"f32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[32, 1, 1] sizes=[1, 1, 33]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b0, ptr noundef readonly captures(none) %b1, ptr noalias noundef readonly captures(none) %b2, ptr noundef readonly captures(none) %b3, ptr noundef captures(none) %b4, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, float noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v6 = icmp ne i32 %v5, 0
  %v7 = add i32 %n0, -1
  %v8 = icmp slt i32 %v5, %v7
  %v9 = and i1 %v6, %v8
  br i1 %v9, label %then10, label %exit

then10:                                           ; preds = %entry
  %v14.not1 = icmp slt i32 %n1, 0
  br i1 %v14.not1, label %done11, label %body11.preheader

body11.preheader:                                 ; preds = %then10
  %v12 = sub nsw i32 0, %n1
  br label %body11

body11:                                           ; preds = %body11.preheader, %body11
  %slot1.03 = phi i32 [ %v25, %body11 ], [ %v12, %body11.preheader ]
  %acc0.02 = phi float [ %v24, %body11 ], [ 0.000000e+00, %body11.preheader ]
  %v16 = add i32 %slot1.03, %v5
  %v17 = zext i32 %v16 to i64
  %v18 = getelementptr inbounds nuw float, ptr %b0, i64 %v17
  %v19 = load float, ptr %v18, align 4
  %v20 = zext i32 %slot1.03 to i64
  %v21 = getelementptr inbounds nuw float, ptr %b1, i64 %v20
  %v22 = load float, ptr %v21, align 4
  %v23 = fmul contract float %v19, %v22
  %v24 = fadd contract float %acc0.02, %v23
  %v25 = add i32 %slot1.03, 1
  %exitcond.not = icmp eq i32 %slot1.03, %n1
  br i1 %exitcond.not, label %done11, label %body11, !llvm.loop !1

done11:                                           ; preds = %body11, %then10
  %acc0.0.lcssa = phi float [ 0.000000e+00, %then10 ], [ %v24, %body11 ]
  %v27 = zext i32 %v5 to i64
  %v28 = getelementptr inbounds nuw float, ptr %b2, i64 %v27
  %v29 = load float, ptr %v28, align 4
  %v30 = fadd contract float %acc0.0.lcssa, %v29
  %v31 = icmp sgt i32 %v5, 0
  br i1 %v31, label %then32, label %end32

then32:                                           ; preds = %done11
  %v36 = getelementptr i8, ptr %v28, i64 -4
  %v37 = load float, ptr %v36, align 4
  %v38 = fmul contract float %v37, 4.000000e+00
  %v39 = fadd contract float %v30, %v38
  br label %end32

end32:                                            ; preds = %done11, %then32
  %acc0.1 = phi float [ %v39, %then32 ], [ %v30, %done11 ]
  %v424 = icmp slt i32 %n1, %n2
  br i1 %v424, label %body40.lr.ph, label %done40

body40.lr.ph:                                     ; preds = %end32
  %v44 = mul i32 %n0, %v5
  %v52 = add nsw i32 %n1, 1
  br label %body40

body40:                                           ; preds = %body40.lr.ph, %body40
  %slot2.06 = phi i32 [ %n1, %body40.lr.ph ], [ %v53, %body40 ]
  %acc0.25 = phi float [ %acc0.1, %body40.lr.ph ], [ %v51, %body40 ]
  %v45 = add i32 %slot2.06, %v44
  %v46 = zext i32 %v45 to i64
  %v47 = getelementptr inbounds nuw { float, i32 }, ptr %b3, i64 %v46
  %v48 = load float, ptr %v47, align 4
  %v49 = sitofp i32 %slot2.06 to float
  %v50 = fadd contract float %v48, %v49
  %v51 = fadd contract float %acc0.25, %v50
  %v53 = add nsw i32 %v52, %slot2.06
  %v42 = icmp slt i32 %v53, %n2
  br i1 %v42, label %body40, label %done40, !llvm.loop !1

done40:                                           ; preds = %body40, %end32
  %acc0.2.lcssa = phi float [ %acc0.1, %end32 ], [ %v51, %body40 ]
  %v56 = sub i32 %v7, %v5
  %v57 = zext i32 %v56 to i64
  %v58 = getelementptr inbounds nuw float, ptr %b4, i64 %v57
  %v59 = load float, ptr %v58, align 4
  %v60 = fadd contract float %acc0.2.lcssa, %v59
  store float %v60, ptr %v58, align 4
  br label %exit

exit:                                             ; preds = %done40, %entry
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

