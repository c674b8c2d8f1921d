; The copy for the inner loop lost the uniform condition around the outer, divergent one (n0 > 0).
; seed 3000373, fixed by asking before a divergent loop's body whether any thread is left
; launch: {"args":[{"buffer":0,"name":"b2","offset":0},{"buffer":1,"name":"b4","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[64,0,0,0],"name":"n1","type":"i32"}],"block":[8,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":8,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"guard is false","shared":0}
; launch: {"args":[{"buffer":0,"name":"b2","offset":0},{"buffer":1,"name":"b4","offset":0},{"bytes":[1,0,0,0],"name":"n0","type":"i32"},{"bytes":[9,0,0,0],"name":"n1","type":"i32"}],"block":[8,1,1],"buffers":[{"count":9,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":8,"fill":"uniform(0,100)","name":"b4","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"guard is true","shared":0}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b2, ptr noundef writeonly captures(none) %b4, i32 noundef %n0, i32 noundef %n1) #0 {
entry:
  %guard = icmp sgt i32 %n0, 0
  br i1 %guard, label %first, label %exit

first:
  %tid = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = icmp ne i32 %tid, 0
  %from = zext i1 %odd to i32
  %some = icmp sgt i32 %n1, %from
  br i1 %some, label %outer, label %last

outer:
  %i = phi i32 [ %i.next, %outer.latch ], [ %from, %first ]
  %sum = phi i32 [ %acc.next, %outer.latch ], [ 0, %first ]
  br label %inner

inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %acc = phi i32 [ %sum, %outer ], [ %acc.next, %inner ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds nuw i32, ptr %b2, i64 %at
  %v = load i32, ptr %p, align 4
  %acc.next = add i32 %v, %acc
  %k.next = add nuw nsw i32 %k, 1
  %k.done = icmp eq i32 %k.next, %n1
  br i1 %k.done, label %outer.latch, label %inner

outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, %n1
  br i1 %done, label %last, label %outer

last:
  %result = phi i32 [ 0, %first ], [ %acc.next, %outer.latch ]
  %tid2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = zext nneg i32 %tid2 to i64
  %q = getelementptr inbounds nuw i32, ptr %b4, i64 %to
  store i32 %result, ptr %q, align 4
  br label %exit

exit:
  ret void
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
