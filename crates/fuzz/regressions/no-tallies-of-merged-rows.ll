; bits with force;merge=4x2x1;depth=2;strip=4: grid=[1, 2, 1] block=[1, 1, 1] sizes=[0, 2, 0, 0, 0] Forward: b1[0] is [06, 00, 00, 00] in the original and [07, 00, 00, 00] after; 1 elements differ
; seed 7000060, cuts [1, 1, 12, 13, 14, 15, 16, 16, 17, 20, 20, 20, 23, 23, 23, 24, 24, 24, 24, 24, 0, 7, 7, 7, 7, 14]
; variant: force;merge=4x2x1;depth=2;strip=4
; schedules: [Forward, Blocks(967)]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[2,0,0,0],"name":"n1","type":"i32"},{"bytes":[0,0,0,0],"name":"n2","type":"i32"},{"bytes":[0,0,0,0],"name":"n3","type":"i32"},{"bytes":[0,0,0,0],"name":"n4","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"}],"globals":[],"grid":[1,2,1],"label":"grid=[1, 2, 1] block=[1, 1, 1] sizes=[0, 2, 0, 0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %b0, ptr noundef captures(none) %b1, i32 noundef %n0, i32 noundef %n1, i32 noundef %n2, i32 noundef %n3, i32 noundef %n4, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v1 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %v2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %v3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %v4 = mul nuw nsw i32 %v1, %v2
  %v5 = add nuw nsw i32 %v4, %v3
  %v6 = icmp slt i32 %v5, %n1
  br i1 %v6, label %then7, label %exit

then7:                                            ; preds = %entry
  %v10 = atomicrmw add ptr %b1, i32 1 seq_cst, align 4
  br label %exit

exit:                                             ; preds = %then7, %entry
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

attributes #0 = { mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
