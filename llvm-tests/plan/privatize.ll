; Counters updated atomically are tallied: a block adds to cells of its own, as many as the index may name
; whatever the data is, and all blocks' work is done in turns. Under `force` it says nothing of what pays.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK: plan of counts
; Threads load 16 bytes at once: so many blocks are merged that their lanes, whose ids follow each other, own so many bytes.
; CHECK-NEXT: merge 16x1x1 blocks, consecutive along x
; CHECK: access0: all replicas at once if aligned
; Each thread of a warp has copies of its own, and no more leaders are there than blocks with them fit the chip.
; CHECK: all blocks in steps: 221184 threads at most, 432 blocks, one leader for 1024 threads at least, 32 copies
; Where the kernel tests nothing but that ids are below a limit, ids are dealt out, in any number of blocks: the grid must have had all of them.
; CHECK-NEXT: steps of ids: node{{[0-9]+}}, id < v2
; CHECK-NEXT: privatized: array1 bins, Add of 256 cells from byte 0, at byte 0, for access1
; CHECK-NEXT: own cells: array1 bins, 256
; CHECK-NEXT: fact: 1 <= ntid.x*nctaid.x <= 2147467263
; CHECK-NEXT: fact: 1 <= nctaid.x <= 1073741824
; CHECK-NOT: ntid.y
; CHECK: fact: 0 <= ntid.x*nctaid.x - s0 <= 2147483647
; CHECK: fact: array1 + 0 for 4 bytes apart from array0 + ctaid.x*ntid.x + (1)*(tid.x) for 1 bytes
; CHECK-NEXT: shared: 32768 bytes
; CHECK-NOT: array1 bins not staged
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=SURE
; SURE: plan of counts
; Only the dimensions that the kernel asks for count.
; SURE: pays: {{[0-9]+}} <= ntid.x*nctaid.x{{$}}
; Remainders of the global id are not negative, and two arrays are told apart by their cells.
; CHECK: in blocks of 1024 threads in place of 1 to 512 in grids of 4096 blocks and more
; CHECK: plan of two_tables
; CHECK-NEXT: merge 4x1x1 blocks, consecutive along x
; CHECK: privatized: array1 low, Umin of 8 cells from byte 0, at byte 0, for access1
; CHECK-NEXT: privatized: array2 sums, Add of 7 cells from byte 0, at byte 32, for access2
; CHECK: fact: array1 + 0 for 4 bytes apart from array2 + 0 for 4 bytes
; CHECK: shared: 1920 bytes
; In two dimensions turns count blocks in both. Blocks that differ in the third do the same, and have leaders of their own.
; CHECK: plan of rows
; CHECK-NOT: turns of ids
; CHECK: guards: {{.*}}, at edges alone
; CHECK-NOT: nctaid.z
; CHECK: fact: 1 <= ntid.x*nctaid.x <= 2147483647
; CHECK-NEXT: fact: 1 <= ntid.y*nctaid.y <= 2147483647
; CHECK-NEXT: fact: 1 <= nctaid.x*nctaid.y <= 1073741824
; Turns take blocks side by side along x, by powers of two: with other merges nothing is tallied.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;merge=1x2x1>' -disable-output %s 2>&1 | %FileCheck %s -check-prefix=ROWS
; ROWS: plan of counts
; ROWS-NOT: tally:
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @counts(ptr noundef readonly %data, ptr noundef %bins, i32 noundef %n) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %w
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %o, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %exit
then:
  %j = sext i32 %i to i64
  %p = getelementptr inbounds i8, ptr %data, i64 %j
  %v = load i8, ptr %p, align 1
  %k = zext i8 %v to i64
  %q = getelementptr inbounds i32, ptr %bins, i64 %k
  %old = atomicrmw add ptr %q, i32 1 seq_cst, align 4
  br label %exit
exit:
  ret void
}
define ptx_kernel void @two_tables(ptr noundef %low, ptr noundef %sums, ptr noalias noundef readonly %data, i32 noundef %n) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %w
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %o, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %exit
then:
  %j = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr %data, i64 %j
  %v = load i32, ptr %p, align 4
  %c = and i32 %v, 7
  %k = zext nneg i32 %c to i64
  %q = getelementptr inbounds i32, ptr %low, i64 %k
  %old = atomicrmw umin ptr %q, i32 %v seq_cst, align 4
  %r = srem i32 %i, 7
  %s = sext i32 %r to i64
  %u = getelementptr inbounds i32, ptr %sums, i64 %s
  %old2 = atomicrmw add ptr %u, i32 %v seq_cst, align 4
  br label %exit
exit:
  ret void
}
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
define ptx_kernel void @rows(ptr noalias noundef readonly %data, ptr noalias noundef %bins, i32 noundef %n) #0 {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %w
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %o, %t
  %by = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %wy = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %oy = mul i32 %by, %wy
  %ty = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %iy = add i32 %oy, %ty
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %exit
then:
  %row = mul i32 %iy, %n
  %at = add i32 %row, %i
  %j = sext i32 %at to i64
  %p = getelementptr inbounds i8, ptr %data, i64 %j
  %v = load i8, ptr %p, align 1
  %k = zext i8 %v to i64
  %q = getelementptr inbounds i32, ptr %bins, i64 %k
  %old = atomicrmw add ptr %q, i32 1 seq_cst, align 4
  br label %exit
exit:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
