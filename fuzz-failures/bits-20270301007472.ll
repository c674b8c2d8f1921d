; bits with force;form=own: fuzzed$mesi$0: grid=[1, 1, 1] block=[65, 1, 1] sizes=[65, 0, 0] Forward, in blocks of [64, 1, 1]: b4[0] is [00, 00, 50, 42] in the original and [13, 00, 00, 00] after; 1 elements differ
; seed 20270301007472, cuts [1, 1, 1, 7, 7, 7, 10, 10, 12, 13, 19, 40, 42, 42, 43, 43, 43, 43, 43, 43, 43, 47, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 49, 16, 29, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38, 38]
; variant: force;form=own
; schedules: [Forward, Blocks(508)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[65,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,64,63],"name":"alpha","type":"f32"}],"block":[65,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"},{"count":66,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[65, 1, 1] sizes=[65, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef readnone captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef readnone captures(none) %b3, ptr noundef captures(none) %b4, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, float noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v6 = icmp slt i32 %v5, 1
  br i1 %v6, label %head8.preheader, label %exit

head8.preheader:                                  ; preds = %entry
  %v101 = icmp sgt i32 %n2, 0
  br i1 %v101, label %body8, label %done8

body8:                                            ; preds = %head8.preheader, %body8
  %slot2.03 = phi i32 [ %v13, %body8 ], [ 0, %head8.preheader ]
  %acc0.02 = phi float [ %v12, %body8 ], [ 0.000000e+00, %head8.preheader ]
  %v12 = fadd float %acc0.02, 1.000000e+00
  %v13 = add nuw nsw i32 %slot2.03, 1
  %exitcond.not = icmp eq i32 %v13, %n2
  br i1 %exitcond.not, label %done8, label %body8, !llvm.loop !1

done8:                                            ; preds = %body8, %head8.preheader
  %acc0.0.lcssa = phi float [ 0.000000e+00, %head8.preheader ], [ %v12, %body8 ]
  %v15 = sub i32 %n0, %v5
  %v16 = zext i32 %v15 to i64
  %v17 = getelementptr inbounds nuw i32, ptr %b4, i64 %v16
  %v18 = load i32, ptr %v17, align 4
  %v19 = sitofp i32 %v18 to float
  %v20 = fadd float %acc0.0.lcssa, %v19
  %v21 = sub nsw i32 0, %v5
  %v22 = zext nneg i32 %v21 to i64
  %v23 = getelementptr inbounds nuw i32, ptr %b4, i64 %v22
  store float %v20, ptr %v23, align 4
  br label %exit

exit:                                             ; preds = %done8, %entry
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
