; bits with merge=2x2x1: grid=[2, 2, 1] block=[8, 4, 1] sizes=[0, 0, 0] Forward: b1[64] is [89, b5, ff, ff] in the original and [00, 00, 00, 00] after; 8 elements differ
; seed 704000762, cuts [0, 0, 1, 5, 13, 13, 14, 16, 35, 35, 35, 35, 38, 38, 38, 38, 39, 39, 39, 39, 40, 40]
; variant: merge=2x2x1
; schedules: [Forward, Reverse]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[8,4,1],"buffers":[{"count":1,"fill":"uniform(-2,2)","name":"b0","type":"f16"},{"count":128,"fill":"uniform(0,100)","name":"b1","type":"i32"}],"globals":[],"grid":[2,2,1],"label":"grid=[2, 2, 1] block=[8, 4, 1] sizes=[0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b0, ptr noundef writeonly captures(none) %b1, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v4 = mul i32 %v1, %v2
  %v5 = add i32 %v4, %v3
  %v11 = icmp sgt i32 %v5, 0
  br i1 %v11, label %then12, label %exit

then12:                                           ; preds = %entry
  %v6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %v7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %v8 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %v162 = load i16, ptr %b0, align 2
  %v18 = sext i16 %v162 to i32
  %v22 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %v24 = mul i32 %v5, %v22
  %reass.add = add i32 %v24, %v6
  %reass.mul = mul i32 %reass.add, %v7
  %v25 = add nuw nsw i32 %reass.mul, %v8
  %v26 = zext nneg i32 %v25 to i64
  %v27 = getelementptr inbounds nuw i32, ptr %b1, i64 %v26
  store i32 %v18, ptr %v27, align 4
  br label %exit

exit:                                             ; preds = %then12, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
