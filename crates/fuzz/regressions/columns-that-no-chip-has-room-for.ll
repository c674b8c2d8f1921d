; Columns of a block of 1,024 threads take more shared memory than any chip has: the run-time part launches no such version, and the oracle must not.
; variant: force
; variant: force then -O3
; variant: force;depth=2;strip=3;width=off
; variant: force;shared=0;unroll-jam=2
; variant: shared=0;merge=off;unroll-jam=1;unroll=2
; variant: force;strip=23
; variant: force;merge=1x1x2 then -O3
; variant: merge=1x1x2
; variant: force;merge=1x1x2;shared=0
; variant: default
; variant: default then -O3
; variant: default, version 0 alone
; variant: form=own
; variant: force;merge=off;unroll-jam=2
; schedules: [Forward, Blocks(965)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"buffer":5,"name":"b5","offset":0},{"bytes":[107,2,0,0],"name":"n0","type":"i32"},{"bytes":[5,0,0,0],"name":"n1","type":"i32"},{"bytes":[5,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0,0,0,0,0],"name":"alpha","type":"i64"}],"block":[32,1,1],"buffers":[{"count":5976,"fill":"uniform(0,100)","name":"b0","type":"i64"},{"count":5,"fill":"uniform(0,100)","name":"b1","type":"i64"},{"count":3,"fill":"uniform(0,100)","name":"b2","type":"i64"},{"count":2560,"fill":"uniform(0,100)","name":"b3","type":"i64"},{"count":542,"fill":"index(18)","name":"b4","type":"i32"},{"count":512,"fill":"uniform(0,100)","name":"b5","type":"i64"}],"globals":[],"grid":[16,1,1],"label":"grid=[16, 1, 1] block=[32, 1, 1] sizes=[619, 5, 5]","shared":0}
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"buffer":5,"name":"b5","offset":0},{"bytes":[64,0,0,0],"name":"n0","type":"i32"},{"bytes":[32,0,0,0],"name":"n1","type":"i32"},{"bytes":[100,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0,0,0,0,0],"name":"alpha","type":"i64"}],"block":[48,1,1],"buffers":[{"count":4094,"fill":"uniform(0,100)","name":"b0","type":"i64"},{"count":32,"fill":"uniform(0,100)","name":"b1","type":"i64"},{"count":3,"fill":"uniform(0,100)","name":"b2","type":"i64"},{"count":2016,"fill":"uniform(0,100)","name":"b3","type":"i64"},{"count":93,"fill":"index(18)","name":"b4","type":"i32"},{"count":63,"fill":"uniform(0,100)","name":"b5","type":"i64"}],"globals":[],"grid":[2,1,1],"label":"grid=[2, 1, 1] block=[48, 1, 1] sizes=[64, 32, 100]","shared":0}
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"buffer":5,"name":"b5","offset":0},{"bytes":[61,1,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0,0,0,0,0],"name":"alpha","type":"i64"}],"block":[512,1,1],"buffers":[{"count":2,"fill":"uniform(0,100)","name":"b0","type":"i64"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i64"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i64"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i64"},{"count":346,"fill":"index(18)","name":"b4","type":"i32"},{"count":316,"fill":"uniform(0,100)","name":"b5","type":"i64"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[512, 1, 1] sizes=[317, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef writeonly captures(none) %b0, ptr noalias noundef readonly captures(none) %b1, ptr noundef readonly captures(none) %b2, ptr noundef captures(none) %b3, ptr noalias noundef readonly captures(none) %b4, ptr noundef writeonly captures(none) %b5, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i64 noundef %alpha) local_unnamed_addr #0 {
entry:
  %own0 = alloca [64 x i64], align 8
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v6 = icmp sgt i32 %v5, 0
  %v7 = add nsw i32 %n0, -1
  %v8 = icmp slt i32 %v5, %v7
  %v9 = select i1 %v6, i1 %v8, i1 false
  br i1 %v9, label %head11.preheader, label %exit

head11.preheader:                                 ; preds = %entry
  %v133 = icmp sgt i32 %n1, 0
  br i1 %v133, label %body11.lr.ph, label %head40.preheader

body11.lr.ph:                                     ; preds = %head11.preheader
  %v17 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %v18 = mul nuw nsw i32 %v17, 3
  %0 = zext nneg i32 %v18 to i64
  %1 = getelementptr inbounds nuw i64, ptr %b2, i64 %0
  %v21 = getelementptr inbounds nuw i8, ptr %1, i64 16
  br label %body11

head29.preheader:                                 ; preds = %body11
  br label %body29.lr.ph

body29.lr.ph:                                     ; preds = %head29.preheader
  %v33 = mul nuw nsw i32 %n1, %v5
  br label %body29

body11:                                           ; preds = %body11.lr.ph, %body11
  %slot1.04 = phi i32 [ 0, %body11.lr.ph ], [ %v28, %body11 ]
  %v14 = zext nneg i32 %slot1.04 to i64
  %v15 = getelementptr inbounds nuw i64, ptr %b1, i64 %v14
  %v16 = load i64, ptr %v15, align 8
  %v22 = load i64, ptr %v21, align 8
  %v23 = mul i64 %v22, %v16
  %v24 = mul nsw i32 %slot1.04, %n0
  %v25 = add nsw i32 %v24, %v5
  %v26 = sext i32 %v25 to i64
  %v27.split = getelementptr inbounds { i64, i64 }, ptr %b0, i64 %v26
  %v27 = getelementptr inbounds nuw i8, ptr %v27.split, i64 8
  store i64 %v23, ptr %v27, align 8
  %v28 = add nuw nsw i32 %slot1.04, 1
  %exitcond.not = icmp eq i32 %v28, %n1
  br i1 %exitcond.not, label %head29.preheader, label %body11, !llvm.loop !1

head40.preheader:                                 ; preds = %head11.preheader, %body29
  %acc0.0.lcssa = phi i64 [ 0, %head11.preheader ], [ %v38, %body29 ]
  %v428 = icmp sgt i32 %n1, 1
  br i1 %v428, label %body40.lr.ph, label %head60.preheader

body40.lr.ph:                                     ; preds = %head40.preheader
  %v43 = mul nuw nsw i32 %n1, %v5
  %v49 = add nsw i32 %v43, -1
  br label %body40

body29:                                           ; preds = %body29.lr.ph, %body29
  %slot2.07 = phi i32 [ 0, %body29.lr.ph ], [ %v39, %body29 ]
  %acc0.06 = phi i64 [ 0, %body29.lr.ph ], [ %v38, %body29 ]
  %v34 = add nuw nsw i32 %slot2.07, %v33
  %v35 = zext nneg i32 %v34 to i64
  %v36 = getelementptr inbounds nuw i64, ptr %b3, i64 %v35
  %v37 = load i64, ptr %v36, align 8
  %v38 = add i64 %v37, %acc0.06
  %v39 = add nuw nsw i32 %slot2.07, 1
  %exitcond14.not = icmp eq i32 %v39, %n1
  br i1 %exitcond14.not, label %head40.preheader, label %body29, !llvm.loop !1

head60.preheader:                                 ; preds = %body40, %head40.preheader
  store i64 1, ptr %own0, align 8
  %v64.1 = getelementptr inbounds nuw i8, ptr %own0, i64 8
  store i64 1, ptr %v64.1, align 8
  %v64.2 = getelementptr inbounds nuw i8, ptr %own0, i64 16
  store i64 1, ptr %v64.2, align 8
  %v64.3 = getelementptr inbounds nuw i8, ptr %own0, i64 24
  store i64 1, ptr %v64.3, align 8
  %v64.4 = getelementptr inbounds nuw i8, ptr %own0, i64 32
  store i64 1, ptr %v64.4, align 8
  %v64.5 = getelementptr inbounds nuw i8, ptr %own0, i64 40
  store i64 1, ptr %v64.5, align 8
  %v64.6 = getelementptr inbounds nuw i8, ptr %own0, i64 48
  store i64 1, ptr %v64.6, align 8
  %v64.7 = getelementptr inbounds nuw i8, ptr %own0, i64 56
  store i64 1, ptr %v64.7, align 8
  %v64.8 = getelementptr inbounds nuw i8, ptr %own0, i64 64
  store i64 1, ptr %v64.8, align 8
  %v64.9 = getelementptr inbounds nuw i8, ptr %own0, i64 72
  store i64 1, ptr %v64.9, align 8
  %v64.10 = getelementptr inbounds nuw i8, ptr %own0, i64 80
  store i64 1, ptr %v64.10, align 8
  %v64.11 = getelementptr inbounds nuw i8, ptr %own0, i64 88
  store i64 1, ptr %v64.11, align 8
  %v64.12 = getelementptr inbounds nuw i8, ptr %own0, i64 96
  store i64 1, ptr %v64.12, align 8
  %v64.13 = getelementptr inbounds nuw i8, ptr %own0, i64 104
  store i64 1, ptr %v64.13, align 8
  %v64.14 = getelementptr inbounds nuw i8, ptr %own0, i64 112
  store i64 1, ptr %v64.14, align 8
  %v64.15 = getelementptr inbounds nuw i8, ptr %own0, i64 120
  store i64 1, ptr %v64.15, align 8
  %v64.16 = getelementptr inbounds nuw i8, ptr %own0, i64 128
  store i64 1, ptr %v64.16, align 8
  %v64.17 = getelementptr inbounds nuw i8, ptr %own0, i64 136
  store i64 1, ptr %v64.17, align 8
  %v64.18 = getelementptr inbounds nuw i8, ptr %own0, i64 144
  store i64 1, ptr %v64.18, align 8
  %v64.19 = getelementptr inbounds nuw i8, ptr %own0, i64 152
  store i64 1, ptr %v64.19, align 8
  %v64.20 = getelementptr inbounds nuw i8, ptr %own0, i64 160
  store i64 1, ptr %v64.20, align 8
  %v64.21 = getelementptr inbounds nuw i8, ptr %own0, i64 168
  store i64 1, ptr %v64.21, align 8
  %v64.22 = getelementptr inbounds nuw i8, ptr %own0, i64 176
  store i64 1, ptr %v64.22, align 8
  %v64.23 = getelementptr inbounds nuw i8, ptr %own0, i64 184
  store i64 1, ptr %v64.23, align 8
  %v64.24 = getelementptr inbounds nuw i8, ptr %own0, i64 192
  store i64 1, ptr %v64.24, align 8
  %v64.25 = getelementptr inbounds nuw i8, ptr %own0, i64 200
  store i64 1, ptr %v64.25, align 8
  %v64.26 = getelementptr inbounds nuw i8, ptr %own0, i64 208
  store i64 1, ptr %v64.26, align 8
  %v64.27 = getelementptr inbounds nuw i8, ptr %own0, i64 216
  store i64 1, ptr %v64.27, align 8
  %v64.28 = getelementptr inbounds nuw i8, ptr %own0, i64 224
  store i64 1, ptr %v64.28, align 8
  %v64.29 = getelementptr inbounds nuw i8, ptr %own0, i64 232
  store i64 1, ptr %v64.29, align 8
  %v64.30 = getelementptr inbounds nuw i8, ptr %own0, i64 240
  store i64 1, ptr %v64.30, align 8
  %v64.31 = getelementptr inbounds nuw i8, ptr %own0, i64 248
  store i64 1, ptr %v64.31, align 8
  %v64.32 = getelementptr inbounds nuw i8, ptr %own0, i64 256
  store i64 1, ptr %v64.32, align 8
  %v64.33 = getelementptr inbounds nuw i8, ptr %own0, i64 264
  store i64 1, ptr %v64.33, align 8
  %v64.34 = getelementptr inbounds nuw i8, ptr %own0, i64 272
  store i64 1, ptr %v64.34, align 8
  %v64.35 = getelementptr inbounds nuw i8, ptr %own0, i64 280
  store i64 1, ptr %v64.35, align 8
  %v64.36 = getelementptr inbounds nuw i8, ptr %own0, i64 288
  store i64 1, ptr %v64.36, align 8
  %v64.37 = getelementptr inbounds nuw i8, ptr %own0, i64 296
  store i64 1, ptr %v64.37, align 8
  %v64.38 = getelementptr inbounds nuw i8, ptr %own0, i64 304
  store i64 1, ptr %v64.38, align 8
  %v64.39 = getelementptr inbounds nuw i8, ptr %own0, i64 312
  store i64 1, ptr %v64.39, align 8
  %v64.40 = getelementptr inbounds nuw i8, ptr %own0, i64 320
  store i64 1, ptr %v64.40, align 8
  %v64.41 = getelementptr inbounds nuw i8, ptr %own0, i64 328
  store i64 1, ptr %v64.41, align 8
  %v64.42 = getelementptr inbounds nuw i8, ptr %own0, i64 336
  store i64 1, ptr %v64.42, align 8
  %v64.43 = getelementptr inbounds nuw i8, ptr %own0, i64 344
  store i64 1, ptr %v64.43, align 8
  %v64.44 = getelementptr inbounds nuw i8, ptr %own0, i64 352
  store i64 1, ptr %v64.44, align 8
  %v64.45 = getelementptr inbounds nuw i8, ptr %own0, i64 360
  store i64 1, ptr %v64.45, align 8
  %v64.46 = getelementptr inbounds nuw i8, ptr %own0, i64 368
  store i64 1, ptr %v64.46, align 8
  %v64.47 = getelementptr inbounds nuw i8, ptr %own0, i64 376
  store i64 1, ptr %v64.47, align 8
  %v64.48 = getelementptr inbounds nuw i8, ptr %own0, i64 384
  store i64 1, ptr %v64.48, align 8
  %v64.49 = getelementptr inbounds nuw i8, ptr %own0, i64 392
  store i64 1, ptr %v64.49, align 8
  %v64.50 = getelementptr inbounds nuw i8, ptr %own0, i64 400
  store i64 1, ptr %v64.50, align 8
  %v64.51 = getelementptr inbounds nuw i8, ptr %own0, i64 408
  store i64 1, ptr %v64.51, align 8
  %v64.52 = getelementptr inbounds nuw i8, ptr %own0, i64 416
  store i64 1, ptr %v64.52, align 8
  %v64.53 = getelementptr inbounds nuw i8, ptr %own0, i64 424
  store i64 1, ptr %v64.53, align 8
  %v64.54 = getelementptr inbounds nuw i8, ptr %own0, i64 432
  store i64 1, ptr %v64.54, align 8
  %v64.55 = getelementptr inbounds nuw i8, ptr %own0, i64 440
  store i64 1, ptr %v64.55, align 8
  %v64.56 = getelementptr inbounds nuw i8, ptr %own0, i64 448
  store i64 1, ptr %v64.56, align 8
  %v64.57 = getelementptr inbounds nuw i8, ptr %own0, i64 456
  store i64 1, ptr %v64.57, align 8
  %v64.58 = getelementptr inbounds nuw i8, ptr %own0, i64 464
  store i64 1, ptr %v64.58, align 8
  %v64.59 = getelementptr inbounds nuw i8, ptr %own0, i64 472
  store i64 1, ptr %v64.59, align 8
  %v64.60 = getelementptr inbounds nuw i8, ptr %own0, i64 480
  store i64 1, ptr %v64.60, align 8
  %v64.61 = getelementptr inbounds nuw i8, ptr %own0, i64 488
  store i64 1, ptr %v64.61, align 8
  %v64.62 = getelementptr inbounds nuw i8, ptr %own0, i64 496
  store i64 1, ptr %v64.62, align 8
  %v64.63 = getelementptr inbounds nuw i8, ptr %own0, i64 504
  store i64 1, ptr %v64.63, align 8
  br i1 %v133, label %body66.lr.ph, label %done66

body40:                                           ; preds = %body40.lr.ph, %body40
  %slot3.09 = phi i32 [ 1, %body40.lr.ph ], [ %v59, %body40 ]
  %v44 = add nuw nsw i32 %slot3.09, %v43
  %v45 = zext nneg i32 %v44 to i64
  %v46 = getelementptr inbounds nuw i64, ptr %b3, i64 %v45
  %v47 = load i64, ptr %v46, align 8
  %v50 = add i32 %v49, %slot3.09
  %v51 = sext i32 %v50 to i64
  %v52 = getelementptr inbounds i64, ptr %b3, i64 %v51
  %v53 = load i64, ptr %v52, align 8
  %v54 = add i64 %v53, %v47
  store i64 %v54, ptr %v46, align 8
  %v59 = add nuw nsw i32 %slot3.09, 1
  %exitcond15.not = icmp eq i32 %v59, %n1
  br i1 %exitcond15.not, label %head60.preheader, label %body40, !llvm.loop !1

body66.lr.ph:                                     ; preds = %head60.preheader
  %v70 = and i32 %v5, 63
  %v71 = zext nneg i32 %v70 to i64
  %v72 = getelementptr inbounds nuw i64, ptr %own0, i64 %v71
  %v72.promoted = load i64, ptr %v72, align 8
  %2 = add nsw i32 %n1, -1
  %3 = zext nneg i32 %2 to i64
  %4 = add i64 %v72.promoted, %3
  %5 = add i64 %4, 1
  store i64 %5, ptr %v72, align 8
  br label %done66

done66:                                           ; preds = %body66.lr.ph, %head60.preheader
  %v81 = add nuw nsw i32 %v5, 30
  %v82 = and i32 %v81, 1023
  %v83 = zext nneg i32 %v82 to i64
  %v84 = getelementptr inbounds nuw i32, ptr %b4, i64 %v83
  %v85 = load i32, ptr %v84, align 4
  %v87 = and i32 %v85, 63
  %v88 = zext nneg i32 %v87 to i64
  %v89 = getelementptr inbounds nuw i64, ptr %own0, i64 %v88
  %v90 = load i64, ptr %v89, align 8
  %v91 = sub i64 %acc0.0.lcssa, %v90
  %v95 = zext nneg i32 %v5 to i64
  %v96 = getelementptr inbounds nuw i64, ptr %b5, i64 %v95
  store i64 %v91, ptr %v96, align 8
  br label %exit

exit:                                             ; preds = %done66, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

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

