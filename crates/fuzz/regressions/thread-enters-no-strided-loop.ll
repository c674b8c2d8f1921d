; The copy for the inner loop ran although no thread entered the outer one (n0 = 0), and read past b2.
; seed 3000642, fixed by asking before a divergent loop's body whether any thread is left
; launch: {"args":[{"buffer":0,"name":"b2","offset":0},{"buffer":1,"name":"b5","offset":0},{"bytes":[0,0,0,0],"name":"n0","type":"i32"},{"bytes":[8,0,0,0],"name":"n1","type":"i32"}],"block":[32,1,1],"buffers":[{"count":1,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":1,"fill":"uniform(0,100)","name":"b5","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"nobody enters","shared":0}
; launch: {"args":[{"buffer":0,"name":"b2","offset":0},{"buffer":1,"name":"b5","offset":0},{"bytes":[40,0,0,0],"name":"n0","type":"i32"},{"bytes":[9,0,0,0],"name":"n1","type":"i32"}],"block":[7,1,1],"buffers":[{"count":9,"fill":"uniform(0,100)","name":"b2","type":"i32"},{"count":40,"fill":"uniform(0,100)","name":"b5","type":"i32"}],"globals":[],"grid":[1,1,1],"label":"threads leave at different times","shared":0}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local ptx_kernel void @fuzzed(ptr noundef readonly captures(none) %b2, ptr noundef writeonly captures(none) %b5, i32 noundef %n0, i32 noundef %n1) #0 {
entry:
  %tid = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %some = icmp slt i32 %tid, %n0
  br i1 %some, label %outer.first, label %exit

outer.first:
  %any = icmp sgt i32 %n1, 0
  br label %outer

outer:
  %i = phi i32 [ %tid, %outer.first ], [ %i.next, %outer.latch ]
  %sum = phi i32 [ 0, %outer.first ], [ %sum.out, %outer.latch ]
  br i1 %any, label %inner, label %outer.latch

inner:
  %k = phi i32 [ %k.next, %inner ], [ 0, %outer ]
  %acc = phi i32 [ %acc.next, %inner ], [ %sum, %outer ]
  %at = zext nneg i32 %k to i64
  %p = getelementptr inbounds nuw i32, ptr %b2, i64 %at
  %v = load i32, ptr %p, align 4
  %acc.next = add i32 %v, %acc
  %k.next = add nuw nsw i32 %k, 1
  %k.done = icmp eq i32 %k.next, %n1
  br i1 %k.done, label %outer.latch, label %inner

outer.latch:
  %sum.out = phi i32 [ %sum, %outer ], [ %acc.next, %inner ]
  %to = zext nneg i32 %i to i64
  %q = getelementptr inbounds nuw i32, ptr %b5, i64 %to
  store i32 %sum.out, ptr %q, align 4
  %i.next = add nuw nsw i32 %i, %ntid
  %more = icmp slt i32 %i.next, %n0
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
