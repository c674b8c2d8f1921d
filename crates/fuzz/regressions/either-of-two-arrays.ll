; The plug-in dropped the staged body: a load from one of two arrays counted as left behind
; seed 911000162, cuts [0, 0, 0, 0, 1, 1, 6, 6, 7, 8, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 0]
; variant: force
; schedules: [Forward, Reverse]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b1","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"}],"globals":[2],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 1, 1] sizes=[0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "kernel"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@b2 = dso_local addrspace(1) externally_initialized global [1 x i32] zeroinitializer, align 4

; Function Attrs: mustprogress nofree noinline norecurse nounwind willreturn memory(readwrite, argmem: read, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b0, ptr noundef readonly captures(none) %b1, i32 noundef %n0, i32 noundef %n1, i32 noundef %alpha) local_unnamed_addr #0 {
entry:
  %v4 = load i32, ptr %b0, align 4
  %v6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v7 = and i32 %v6, 1
  %v8.not = icmp eq i32 %v7, 0
  %v9 = select i1 %v8.not, ptr %b1, ptr %b0
  %v11 = load i32, ptr %v9, align 4
  %v12 = mul i32 %v11, %v4
  %v17 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @b2 to ptr), i32 %v12 seq_cst, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nounwind willreturn memory(readwrite, argmem: read, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
