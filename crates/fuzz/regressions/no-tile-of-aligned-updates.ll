; report with form=own then -O3: fuzzed$mesi$0: grid=[1, 1, 1] block=[1, 2, 1] sizes=[0, 0] Forward: fuzzed$mesi$0 instruction 63: misaligned: fuzzed$mesi$0, thread (0,1,0) of block (0,0,0), 4 bytes at 0x40643104, mesi.tiles.fuzzed$mesi$0 at byte offset 4; needs alignment 8
; seed 20281201000001, cuts [0, 0, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 12, 12, 14, 14, 0, 0, 0]
; variant: form=own then -O3
; schedules: [Forward, Reverse]
; launch: {"args":[{"buffer":0,"name":"b0","offset":0},{"buffer":1,"name":"b1","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[0,0,0,0],"name":"n1","type":"i32"},{"bytes":[3,0,0,0],"name":"alpha","type":"i32"}],"block":[1,2,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b0","type":"i32"},{"count":2,"fill":"uniform(0,100)","name":"b1","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"grid=[1, 1, 1] block=[1, 2, 1] sizes=[0, 0]","shared":0}
; ModuleID = 'kernel'
source_filename = "/tmp/.tmpulsq8v/fuzzed.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local ptx_kernel void @fuzzed(ptr noundef readnone captures(none) %0, ptr noundef captures(none) %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = atomicrmw add ptr %1, i32 1 seq_cst, align 8
  ret void
}

attributes #0 = { mustprogress nofree noinline norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx88,+sm_80" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
