; What a known launch would get: the version its entry tests pick, and the gain expected of it. The loop's trip count
; is argument 3, and the model is sure of 32 iterations at least: shorter rows get the original. What a launch leaves open
; is said, and taken to be large; a struct by value gives its fields by their bytes.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;merge=off;launch=128x128:16x16:_:_:_:2048+2x2:16x16:_:_:_:16+128x128:16x16>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-LABEL: plan of mm
; CHECK: pays: 32 <= trip(loop0){{$}}
; CHECK: launch 128x128x1:16x16x1:_:_:_:2048: version 0, predicted x1.{{[0-9]+}} (before {{[0-9.]+}} us, after {{[0-9.]+}} us, bound by {{[a-z0-9]+}})
; CHECK: launch 2x2x1:16x16x1:_:_:_:16: original, predicted x{{0.9[0-9]|1.00}} (
; CHECK: launch 128x128x1:16x16x1: version 0, predicted x{{[0-9.]+}} ({{.*}}), s0 taken to be large

; In the pass itself they are analysis remarks, also of kernels that stay as they are.
; RUN: %opt -load-pass-plugin %mesi -passes='mesi<launch=128x128:16x16:_:_:_:2048:cold>' -pass-remarks-analysis=mesi -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK
; REMARK: mm: launch 128x128x1:16x16x1:_:_:_:2048:cold: version 0, predicted x
; REMARK: fields: launch 128x128x1:16x16x1:_:_:_:2048:cold: original, predicted x1.00

; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;force;only=fields;launch=2x1:64:_:{0=1000/4=7}>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FIELDS
; FIELDS-LABEL: plan of fields
; FIELDS: launch 2x1x1:64x1x1:_:{0=1000/4=7}: {{.*}}predicted x
; FIELDS-NOT: taken to be large

; RUN: %not %opt -load-pass-plugin %mesi -passes='mesi<launch=16x16>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG
; WRONG: 'launch=16x16': expected GRID:BLOCK:ARGUMENTS
target triple = "nvptx64-nvidia-cuda"
%size = type { i32, i32 }
define ptx_kernel void @mm(ptr noalias %a, ptr noalias %b, ptr noalias %c, i32 %n) #0 {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %cx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %cy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %x0 = mul i32 %cx, %nx
  %col = add i32 %x0, %tx
  %y0 = mul i32 %cy, %ny
  %row = add i32 %y0, %ty
  %in.x = icmp slt i32 %col, %n
  %in.y = icmp slt i32 %row, %n
  %in = and i1 %in.x, %in.y
  br i1 %in, label %start, label %end
start:
  %first = mul i32 %row, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %start ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %start ], [ %sum, %loop ]
  %ia = add i32 %first, %k
  %ea = sext i32 %ia to i64
  %pa = getelementptr float, ptr %a, i64 %ea
  %va = load float, ptr %pa, align 4
  %kn = mul i32 %k, %n
  %ib = add i32 %kn, %col
  %eb = sext i32 %ib to i64
  %pb = getelementptr float, ptr %b, i64 %eb
  %vb = load float, ptr %pb, align 4
  %m = fmul contract float %va, %vb
  %sum = fadd contract float %s, %m
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %ic = add i32 %first, %col
  %ec = sext i32 %ic to i64
  %pc = getelementptr float, ptr %c, i64 %ec
  store float %sum, ptr %pc, align 4
  br label %end
end:
  ret void
}
define ptx_kernel void @fields(ptr noalias %y, ptr byval(%size) %s) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %c, %n
  %i = add i32 %base, %t
  %w = load i32, ptr %s, align 4
  %ph = getelementptr %size, ptr %s, i32 0, i32 1
  %h = load i32, ptr %ph, align 4
  %in = icmp slt i32 %i, %w
  br i1 %in, label %then, label %end
then:
  %j = mul i32 %i, %h
  %e = sext i32 %j to i64
  %p = getelementptr float, ptr %y, i64 %e
  %v = load float, ptr %p, align 4
  %m = fmul float %v, %v
  store float %m, ptr %p, align 4
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
attributes #0 = { "target-cpu"="sm_90" }
