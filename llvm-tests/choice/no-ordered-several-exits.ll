; A sum goes through a loop that is left from several places, which is no nest: its values take each other, so they are no steps.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of fuzzed
; CHECK: not staged: DataDependentExit
; CHECK-NOT: split:
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.P = type { ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32, i64, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly byval(%struct.P) align 8 captures(none) %all) local_unnamed_addr #0 {
entry:
  %b0 = load ptr, ptr %all, align 8
  %v2 = getelementptr inbounds nuw i8, ptr %all, i64 8
  %b1 = load ptr, ptr %v2, align 8
  %v3 = getelementptr inbounds nuw i8, ptr %all, i64 16
  %b2 = load ptr, ptr %v3, align 8
  %v4 = getelementptr inbounds nuw i8, ptr %all, i64 24
  %b3 = load ptr, ptr %v4, align 8
  %v5 = getelementptr inbounds nuw i8, ptr %all, i64 32
  %b4 = load ptr, ptr %v5, align 8
  %v6 = getelementptr inbounds nuw i8, ptr %all, i64 40
  %n0 = load i32, ptr %v6, align 4
  %v7 = getelementptr inbounds nuw i8, ptr %all, i64 44
  %n1 = load i32, ptr %v7, align 4
  %v8 = getelementptr inbounds nuw i8, ptr %all, i64 48
  %n2 = load i32, ptr %v8, align 4
  %v9 = getelementptr inbounds nuw i8, ptr %all, i64 52
  %n3 = load i32, ptr %v9, align 4
  %v10 = getelementptr inbounds nuw i8, ptr %all, i64 56
  %n4 = load i32, ptr %v10, align 4
  %v11 = getelementptr inbounds nuw i8, ptr %all, i64 64
  %n5 = load i64, ptr %v11, align 8
  %v13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v14 = tail call noundef range(i32 1, 513) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v15 = tail call noundef range(i32 0, 512) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v16 = mul i32 %v13, %v14
  %v17 = add i32 %v16, %v15
  %v18 = icmp sgt i32 %v17, -1
  %v19 = add nsw i32 %n0, -1
  %v20 = icmp slt i32 %v17, %v19
  %v21 = select i1 %v18, i1 %v20, i1 false
  br i1 %v21, label %head23.preheader, label %exit

head23.preheader:                                 ; preds = %entry
  %v258 = icmp slt i32 %v17, %n0
  br i1 %v258, label %head26.preheader.lr.ph, label %head23.preheader.done23_crit_edge

head23.preheader.done23_crit_edge:                ; preds = %head23.preheader
  %.pre = add nsw i32 %n2, %v17
  br label %done23

head26.preheader.lr.ph:                           ; preds = %head23.preheader
  %v284 = icmp sgt i32 %n1, 0
  %v36 = add i32 %n2, %v17
  %v55 = icmp slt i32 %n3, %n4
  %v60 = trunc i64 %n5 to i32
  br label %head26.preheader

head26.preheader:                                 ; preds = %head26.preheader.lr.ph, %done26
  %slot1.010 = phi i32 [ %v17, %head26.preheader.lr.ph ], [ %v80, %done26 ]
  %acc1.09 = phi float [ 0.000000e+00, %head26.preheader.lr.ph ], [ %acc1.1.lcssa, %done26 ]
  br i1 %v284, label %head29.preheader, label %done26

head29.preheader:                                 ; preds = %head26.preheader, %done29
  %slot2.06 = phi i32 [ %v74, %done29 ], [ 0, %head26.preheader ]
  %acc1.15 = phi float [ %v73, %done29 ], [ %acc1.09, %head26.preheader ]
  br label %head32.preheader

head32.preheader:                                 ; preds = %head29.preheader, %done32
  %slot3.03 = phi i32 [ 0, %head29.preheader ], [ %v58, %done32 ]
  %acc1.22 = phi float [ %acc1.15, %head29.preheader ], [ %acc1.4, %done32 ]
  br label %head32

head32:                                           ; preds = %head32.preheader, %end43
  %acc1.3 = phi float [ %acc1.5, %end43 ], [ %acc1.22, %head32.preheader ]
  %slot4.0.in = phi i32 [ %slot4.0, %end43 ], [ %n1, %head32.preheader ]
  %slot4.0 = add nsw i32 %slot4.0.in, -1
  %v35 = icmp sgt i32 %slot4.0.in, 0
  br i1 %v35, label %body32, label %done32

body32:                                           ; preds = %head32
  %v37 = add i32 %v36, %slot4.0
  %v38 = icmp sgt i32 %v37, -1
  %v41 = icmp slt i32 %v37, %n0
  %v42 = select i1 %v38, i1 %v41, i1 false
  br i1 %v42, label %then43, label %end43

then43:                                           ; preds = %body32
  %v50 = zext nneg i32 %slot4.0 to i64
  %v51 = getelementptr inbounds nuw float, ptr %b1, i64 %v50
  %v47 = zext nneg i32 %v37 to i64
  %v48 = getelementptr inbounds nuw float, ptr %b1, i64 %v47
  %v49 = load float, ptr %v48, align 4
  %v52 = load float, ptr %v51, align 4
  %v53 = fmul contract float %v49, %v52
  %v54 = fadd contract float %acc1.3, %v53
  br label %end43

end43:                                            ; preds = %body32, %then43
  %acc1.5 = phi float [ %v54, %then43 ], [ %acc1.3, %body32 ]
  br i1 %v55, label %done32, label %head32, !llvm.loop !1

done32:                                           ; preds = %end43, %head32
  %acc1.4 = phi float [ %acc1.5, %end43 ], [ %acc1.3, %head32 ]
  %v58 = add nuw nsw i32 %slot3.03, 1
  %exitcond.not = icmp eq i32 %v58, %n1
  br i1 %exitcond.not, label %done29, label %head32.preheader, !llvm.loop !1

done29:                                           ; preds = %done32
  %v61 = mul nsw i32 %slot2.06, %v60
  %v62 = add nsw i32 %v61, %v17
  %0 = sext i32 %v62 to i64
  %1 = getelementptr float, ptr %b2, i64 %0
  %v65 = getelementptr i8, ptr %1, i64 8
  %v66 = load float, ptr %v65, align 4
  %v67 = mul nsw i32 %slot2.06, %n4
  %v68 = add nsw i32 %v67, %v17
  %v69 = sext i32 %v68 to i64
  %v70 = getelementptr inbounds float, ptr %b3, i64 %v69
  %v71 = load float, ptr %v70, align 4
  %v72 = fmul contract float %v66, %v71
  %v73 = fadd contract float %acc1.4, %v72
  %v74 = add nuw nsw i32 %slot2.06, 1
  %exitcond12.not = icmp eq i32 %v74, %n1
  br i1 %exitcond12.not, label %done26, label %head29.preheader, !llvm.loop !1

done26:                                           ; preds = %done29, %head26.preheader
  %acc1.1.lcssa = phi float [ %acc1.09, %head26.preheader ], [ %v73, %done29 ]
  %v76 = mul nsw i32 %slot1.010, %n0
  %v77 = add nuw nsw i32 %v76, %v17
  %v78 = zext nneg i32 %v77 to i64
  %v79 = getelementptr inbounds nuw float, ptr %b0, i64 %v78
  store float 0.000000e+00, ptr %v79, align 4
  %v80 = add nuw nsw i32 %slot1.010, 1
  %v25 = icmp slt i32 %v80, %n0
  br i1 %v25, label %head26.preheader, label %done23.loopexit, !llvm.loop !1

done23.loopexit:                                  ; preds = %done26
  %2 = fadd contract float %acc1.1.lcssa, 0.000000e+00
  br label %done23

done23:                                           ; preds = %head23.preheader.done23_crit_edge, %done23.loopexit
  %v84.pre-phi = phi i32 [ %.pre, %head23.preheader.done23_crit_edge ], [ %v36, %done23.loopexit ]
  %acc1.0.lcssa = phi float [ 0.000000e+00, %head23.preheader.done23_crit_edge ], [ %2, %done23.loopexit ]
  %v85 = sext i32 %v84.pre-phi to i64
  %v86 = getelementptr inbounds float, ptr %b4, i64 %v85
  store float %acc1.0.lcssa, ptr %v86, align 4
  br label %exit

exit:                                             ; preds = %done23, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="512" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}

