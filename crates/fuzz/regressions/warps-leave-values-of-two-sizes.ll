; report with form=own: fuzzed$mesi$1: grid=[1, 1, 1] block=[10, 1, 1] sizes=[1, 0, 0, 0] Forward: fuzzed$mesi$1 instruction 141: write-write-race: fuzzed$mesi$1, thread (16,0,0) of block (0,0,0), 8 bytes at 0x41d44180, fuzzed$mesi$1$left at byte offset 128; against thread (32,0,0) of block (0,0,0) at fuzzed$mesi$1 instruction 36 (80 times)
; seed 20281129001096, cuts [0, 0, 1, 5, 5, 12, 12, 12, 12, 16, 18, 18, 18, 18, 18, 18, 18, 18, 22, 22, 25, 25, 28, 31, 31, 33, 33, 33, 33, 33, 33, 33, 33, 33, 34, 36, 36, 36, 37, 37, 39, 4, 23]
; variant: form=own
; schedules: [Forward, Random(599)]
; fused
; launch: {"args":[{"buffer":1,"name":"b1","offset":0},{"buffer":2,"name":"b2","offset":0},{"buffer":3,"name":"b3","offset":0},{"buffer":4,"name":"b4","offset":0},{"bytes":[1,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,0,0],"name":"n3","type":"i32"},{"bytes":[0,0,0,0,0,0,232,63],"name":"alpha","type":"f64"}],"block":[10,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b3","type":"i32"},{"count":10,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[0],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[10, 1, 1] sizes=[1, 0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@b0 = dso_local local_unnamed_addr addrspace(1) externally_initialized global [1 x i32] zeroinitializer, align 4

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b1, ptr noundef readnone captures(none) %b2, ptr noundef readonly captures(none) %b3, ptr noundef writeonly captures(none) %b4, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %n3, double noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v81 = icmp sgt i32 %n0, 0
  br i1 %v81, label %body6.lr.ph, label %head18.preheader

body6.lr.ph:                                      ; preds = %entry
  %v14 = load i32, ptr addrspacecast (ptr addrspace(1) @b0 to ptr), align 4
  %v15 = sitofp i32 %v14 to double
  br label %body6

head18.preheader:                                 ; preds = %body6, %entry
  %acc0.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %acc0.1, %body6 ]
  %v20.not4 = icmp slt i32 %n3, 0
  br i1 %v20.not4, label %done18, label %body18

body6:                                            ; preds = %body6.lr.ph, %body6
  %slot2.03 = phi i32 [ 0, %body6.lr.ph ], [ %v17, %body6 ]
  %acc0.02 = phi double [ 0.000000e+00, %body6.lr.ph ], [ %acc0.1, %body6 ]
  %v9.not = icmp eq i32 %v5, %slot2.03
  %v16 = fadd contract double %acc0.02, %v15
  %acc0.1 = select i1 %v9.not, double %acc0.02, double %v16
  %v17 = add nuw nsw i32 %slot2.03, 1
  %exitcond.not = icmp eq i32 %v17, %n0
  br i1 %exitcond.not, label %head18.preheader, label %body6, !llvm.loop !1

body18:                                           ; preds = %head18.preheader, %body18
  %slot3.06 = phi i32 [ %v27, %body18 ], [ 0, %head18.preheader ]
  %acc0.25 = phi double [ %v26, %body18 ], [ %acc0.0.lcssa, %head18.preheader ]
  %v22 = zext nneg i32 %slot3.06 to i64
  %v23 = getelementptr inbounds nuw i32, ptr %b3, i64 %v22
  %v24 = load i32, ptr %v23, align 4
  %v25 = sitofp i32 %v24 to double
  %v26 = fadd contract double %acc0.25, %v25
  %v27 = add nuw i32 %slot3.06, 1
  %exitcond8.not = icmp eq i32 %slot3.06, %n3
  br i1 %exitcond8.not, label %done18, label %body18, !llvm.loop !1

done18:                                           ; preds = %body18, %head18.preheader
  %acc0.2.lcssa = phi double [ %acc0.0.lcssa, %head18.preheader ], [ %v26, %body18 ]
  %v29 = sext i32 %v5 to i64
  %v30 = getelementptr inbounds i32, ptr %b4, i64 %v29
  %v31 = bitcast double %acc0.2.lcssa to i64
  %v32 = trunc i64 %v31 to i32
  store i32 %v32, ptr %v30, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
