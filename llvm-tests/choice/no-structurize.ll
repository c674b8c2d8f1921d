; Shared blocks that are not duplicated and switches that stay, each for one reason. Both `yes` and `no_more` say how many are.
; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan;form=own>' -disable-output %s 2>&1 | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; One block is shared by two sides of branches, and 40 instructions long. Its values are used in it and in the phis behind it.
; CHECK-LABEL: plan of yes
; CHECK: structurized: its control flow is nested: 0 switches are branches, 1 blocks are duplicated
define ptx_kernel void @yes(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  %v0 = fmul float %v, %v
  %v1 = fmul float %v0, %v
  %v2 = fmul float %v1, %v
  %v3 = fmul float %v2, %v
  %v4 = fmul float %v3, %v
  %v5 = fmul float %v4, %v
  %v6 = fmul float %v5, %v
  %v7 = fmul float %v6, %v
  %v8 = fmul float %v7, %v
  %v9 = fmul float %v8, %v
  %v10 = fmul float %v9, %v
  %v11 = fmul float %v10, %v
  %v12 = fmul float %v11, %v
  %v13 = fmul float %v12, %v
  %v14 = fmul float %v13, %v
  %v15 = fmul float %v14, %v
  %v16 = fmul float %v15, %v
  %v17 = fmul float %v16, %v
  %v18 = fmul float %v17, %v
  %v19 = fmul float %v18, %v
  %v20 = fmul float %v19, %v
  %v21 = fmul float %v20, %v
  %v22 = fmul float %v21, %v
  %v23 = fmul float %v22, %v
  %v24 = fmul float %v23, %v
  %v25 = fmul float %v24, %v
  %v26 = fmul float %v25, %v
  %v27 = fmul float %v26, %v
  %v28 = fmul float %v27, %v
  %v29 = fmul float %v28, %v
  %v30 = fmul float %v29, %v
  %v31 = fmul float %v30, %v
  %v32 = fmul float %v31, %v
  %v33 = fmul float %v32, %v
  %v34 = fmul float %v33, %v
  %v35 = fmul float %v34, %v
  %v36 = fmul float %v35, %v
  %v37 = fmul float %v36, %v
  br label %end
end:
  %e = phi float [ %v37, %shared ], [ 0.0, %only ]
  store float %e, ptr %q
  ret void
}
; What a block joins and scales is no constant: no product is taken out of the phi, however many ways lead there.
; CHECK-LABEL: plan of yes_scaled
; CHECK: structurized
define ptx_kernel void @yes_scaled(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %k = load float, ptr %q
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %l = load float, ptr %p
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %w = phi float [ %k, %entry ], [ %l, %both ]
  %d = fmul float %w, 2.0
  %e = fmul float %k, 3.0
  %s = fadd float %d, %e
  br label %end
end:
  %r = phi float [ %s, %shared ], [ 0.0, %only ]
  store float %r, ptr %q
  ret void
}
; A constant is one of two ways: where one leads to the duplicate LLVM takes the product there, and the other one is fused.
; CHECK-LABEL: plan of no_scaled
; CHECK-NOT: structurized
define ptx_kernel void @no_scaled(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %k = load float, ptr %q
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %l = load float, ptr %p
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %w = phi float [ 0.0, %entry ], [ %l, %both ]
  %d = fmul float %w, 2.0
  %e = fmul float %k, 3.0
  %s = fadd float %d, %e
  br label %end
end:
  %r = phi float [ %s, %shared ], [ 0.0, %only ]
  store float %r, ptr %q
  ret void
}
; One instruction more than a duplicate may have.
; CHECK-LABEL: plan of no_long
; CHECK-NOT: structurized
define ptx_kernel void @no_long(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  %v0 = fmul float %v, %v
  %v1 = fmul float %v0, %v
  %v2 = fmul float %v1, %v
  %v3 = fmul float %v2, %v
  %v4 = fmul float %v3, %v
  %v5 = fmul float %v4, %v
  %v6 = fmul float %v5, %v
  %v7 = fmul float %v6, %v
  %v8 = fmul float %v7, %v
  %v9 = fmul float %v8, %v
  %v10 = fmul float %v9, %v
  %v11 = fmul float %v10, %v
  %v12 = fmul float %v11, %v
  %v13 = fmul float %v12, %v
  %v14 = fmul float %v13, %v
  %v15 = fmul float %v14, %v
  %v16 = fmul float %v15, %v
  %v17 = fmul float %v16, %v
  %v18 = fmul float %v17, %v
  %v19 = fmul float %v18, %v
  %v20 = fmul float %v19, %v
  %v21 = fmul float %v20, %v
  %v22 = fmul float %v21, %v
  %v23 = fmul float %v22, %v
  %v24 = fmul float %v23, %v
  %v25 = fmul float %v24, %v
  %v26 = fmul float %v25, %v
  %v27 = fmul float %v26, %v
  %v28 = fmul float %v27, %v
  %v29 = fmul float %v28, %v
  %v30 = fmul float %v29, %v
  %v31 = fmul float %v30, %v
  %v32 = fmul float %v31, %v
  %v33 = fmul float %v32, %v
  %v34 = fmul float %v33, %v
  %v35 = fmul float %v34, %v
  %v36 = fmul float %v35, %v
  %v37 = fmul float %v36, %v
  %v38 = fmul float %v37, %v
  br label %end
end:
  %e = phi float [ %v38, %shared ], [ 0.0, %only ]
  store float %e, ptr %q
  ret void
}
; A value is used further on than in the phis of the next block.
; CHECK-LABEL: plan of no_further
; CHECK-NOT: structurized
define ptx_kernel void @no_further(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  %s = icmp eq i32 %n, %m
  br i1 %s, label %then, label %end
then:
  %w = load float, ptr %q
  br label %last
last:
  %u = fadd float %w, %v
  store float %u, ptr %q
  br label %end
end:
  ret void
}
; It begins a loop, of which a duplicate would be one iteration.
; CHECK-LABEL: plan of no_loop
; CHECK-NOT: structurized
define ptx_kernel void @no_loop(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load volatile i32, ptr %q
  %s = icmp slt i32 %v, %m
  br i1 %s, label %shared, label %end
end:
  ret void
}
; It ends in a switch that leads to more than four blocks besides the default one, and stays.
; CHECK-LABEL: plan of no_table
; CHECK-NOT: structurized
define ptx_kernel void @no_table(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  switch i32 %m, label %end [
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
    i32 5, label %five
  ]
one:
  store float 1.0, ptr %q
  br label %end
two:
  store float 2.0, ptr %q
  br label %end
three:
  store float 3.0, ptr %q
  br label %end
four:
  store float 4.0, ptr %q
  br label %end
five:
  store float 5.0, ptr %q
  br label %end
end:
  ret void
}
; One way to it is a case of such a switch.
; CHECK-LABEL: plan of no_case
; CHECK-NOT: structurized
define ptx_kernel void @no_case(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %table, label %shared
table:
  switch i32 %m, label %end [
    i32 0, label %shared
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
    i32 5, label %five
  ]
one:
  store float 1.0, ptr %q
  br label %end
two:
  store float 2.0, ptr %q
  br label %end
three:
  store float 3.0, ptr %q
  br label %end
four:
  store float 4.0, ptr %q
  br label %end
five:
  store float 5.0, ptr %q
  br label %end
shared:
  store float 0.5, ptr %q
  br label %end
end:
  ret void
}
; Threads that came on either way meet there.
; CHECK-LABEL: plan of no_barrier
; CHECK-NOT: structurized
define ptx_kernel void @no_barrier(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  %e = phi float [ %v, %shared ], [ 0.0, %only ]
  store float %e, ptr %q
  ret void
}
; Which threads come there together is asked.
; CHECK-LABEL: plan of no_vote
; CHECK-NOT: structurized
define ptx_kernel void @no_vote(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  %k = call i32 @llvm.nvvm.activemask()
  %w = uitofp i32 %k to float
  br label %end
end:
  %e = phi float [ %w, %shared ], [ 0.0, %only ]
  store float %e, ptr %q
  ret void
}
; What a function does is not asked.
; CHECK-LABEL: plan of no_call
; CHECK-NOT: structurized
define ptx_kernel void @no_call(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  %a = icmp slt i32 %t, %n
  br i1 %a, label %both, label %shared
both:
  %c = icmp slt i32 %t, %m
  br i1 %c, label %only, label %shared
only:
  br label %end
shared:
  %v = load float, ptr %p
  call void @other(ptr %q)
  br label %end
end:
  %e = phi float [ %v, %shared ], [ 0.0, %only ]
  store float %e, ptr %q
  ret void
}
; Of thirteen duplicates that it would take, the last is not made.
; CHECK-LABEL: plan of no_more
; CHECK: structurized: its control flow is nested: 0 switches are branches, 12 blocks are duplicated
define ptx_kernel void @no_more(ptr %x, ptr %y, i32 %n, i32 %m) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds float, ptr %x, i32 %t
  %q = getelementptr inbounds float, ptr %y, i32 %t
  br label %b0
b0:
  %a0 = icmp slt i32 %t, 0
  br i1 %a0, label %only0, label %or0
or0:
  %c0 = icmp slt i32 %m, 0
  br i1 %c0, label %only0, label %shared0
shared0:
  store float 0.0, ptr %q
  br label %b1
only0:
  store float 0.5, ptr %p
  br label %b1
b1:
  %a1 = icmp slt i32 %t, 1
  br i1 %a1, label %only1, label %or1
or1:
  %c1 = icmp slt i32 %m, 1
  br i1 %c1, label %only1, label %shared1
shared1:
  store float 1.0, ptr %q
  br label %b2
only1:
  store float 0.5, ptr %p
  br label %b2
b2:
  %a2 = icmp slt i32 %t, 2
  br i1 %a2, label %only2, label %or2
or2:
  %c2 = icmp slt i32 %m, 2
  br i1 %c2, label %only2, label %shared2
shared2:
  store float 2.0, ptr %q
  br label %b3
only2:
  store float 0.5, ptr %p
  br label %b3
b3:
  %a3 = icmp slt i32 %t, 3
  br i1 %a3, label %only3, label %or3
or3:
  %c3 = icmp slt i32 %m, 3
  br i1 %c3, label %only3, label %shared3
shared3:
  store float 3.0, ptr %q
  br label %b4
only3:
  store float 0.5, ptr %p
  br label %b4
b4:
  %a4 = icmp slt i32 %t, 4
  br i1 %a4, label %only4, label %or4
or4:
  %c4 = icmp slt i32 %m, 4
  br i1 %c4, label %only4, label %shared4
shared4:
  store float 4.0, ptr %q
  br label %b5
only4:
  store float 0.5, ptr %p
  br label %b5
b5:
  %a5 = icmp slt i32 %t, 5
  br i1 %a5, label %only5, label %or5
or5:
  %c5 = icmp slt i32 %m, 5
  br i1 %c5, label %only5, label %shared5
shared5:
  store float 5.0, ptr %q
  br label %b6
only5:
  store float 0.5, ptr %p
  br label %b6
b6:
  %a6 = icmp slt i32 %t, 6
  br i1 %a6, label %only6, label %or6
or6:
  %c6 = icmp slt i32 %m, 6
  br i1 %c6, label %only6, label %shared6
shared6:
  store float 6.0, ptr %q
  br label %b7
only6:
  store float 0.5, ptr %p
  br label %b7
b7:
  %a7 = icmp slt i32 %t, 7
  br i1 %a7, label %only7, label %or7
or7:
  %c7 = icmp slt i32 %m, 7
  br i1 %c7, label %only7, label %shared7
shared7:
  store float 7.0, ptr %q
  br label %b8
only7:
  store float 0.5, ptr %p
  br label %b8
b8:
  %a8 = icmp slt i32 %t, 8
  br i1 %a8, label %only8, label %or8
or8:
  %c8 = icmp slt i32 %m, 8
  br i1 %c8, label %only8, label %shared8
shared8:
  store float 8.0, ptr %q
  br label %b9
only8:
  store float 0.5, ptr %p
  br label %b9
b9:
  %a9 = icmp slt i32 %t, 9
  br i1 %a9, label %only9, label %or9
or9:
  %c9 = icmp slt i32 %m, 9
  br i1 %c9, label %only9, label %shared9
shared9:
  store float 9.0, ptr %q
  br label %b10
only9:
  store float 0.5, ptr %p
  br label %b10
b10:
  %a10 = icmp slt i32 %t, 10
  br i1 %a10, label %only10, label %or10
or10:
  %c10 = icmp slt i32 %m, 10
  br i1 %c10, label %only10, label %shared10
shared10:
  store float 10.0, ptr %q
  br label %b11
only10:
  store float 0.5, ptr %p
  br label %b11
b11:
  %a11 = icmp slt i32 %t, 11
  br i1 %a11, label %only11, label %or11
or11:
  %c11 = icmp slt i32 %m, 11
  br i1 %c11, label %only11, label %shared11
shared11:
  store float 11.0, ptr %q
  br label %b12
only11:
  store float 0.5, ptr %p
  br label %b12
b12:
  %a12 = icmp slt i32 %t, 12
  br i1 %a12, label %only12, label %or12
or12:
  %c12 = icmp slt i32 %m, 12
  br i1 %c12, label %only12, label %shared12
shared12:
  store float 12.0, ptr %q
  br label %b13
only12:
  store float 0.5, ptr %p
  br label %b13
b13:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define internal void @other(ptr %p) noinline {
  store volatile float 1.0, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
