target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ5asyncE4tile = internal addrspace(3) global [2 x [64 x float]] undef, align 16

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @async(ptr noundef %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = add nsw i32 %2, 63
  %6 = sdiv i32 %5, 64
  %7 = icmp slt i32 %2, -126
  br i1 %7, label %16, label %8

8:                                                ; preds = %3
  %9 = icmp samesign ult i32 %4, 16
  %10 = shl nuw nsw i32 %4, 2
  %11 = zext nneg i32 %10 to i64
  %12 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ5asyncE4tile to ptr), i64 %11
  %13 = add nuw nsw i32 %4, 1
  %14 = uitofp nneg i32 %13 to float
  %15 = tail call i32 @llvm.smax.i32(i32 %6, i32 0)
  br label %20

16:                                               ; preds = %124, %3
  %17 = phi float [ 0.000000e+00, %3 ], [ %125, %124 ]
  tail call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 0) #5, !srcloc !11
  %18 = zext nneg i32 %4 to i64
  %19 = getelementptr inbounds nuw float, ptr %1, i64 %18
  store float %17, ptr %19, align 4, !tbaa !12
  ret void

20:                                               ; preds = %8, %124
  %21 = phi float [ 0.000000e+00, %8 ], [ %125, %124 ]
  %22 = phi i32 [ 0, %8 ], [ %126, %124 ]
  %23 = icmp slt i32 %22, %6
  %24 = select i1 %23, i1 %9, i1 false
  br i1 %24, label %25, label %64

25:                                               ; preds = %20
  %26 = shl nsw i32 %22, 6
  %27 = or disjoint i32 %26, %10
  %28 = sub nsw i32 %2, %27
  %29 = icmp sgt i32 %28, 3
  %30 = icmp slt i32 %28, 1
  %31 = shl nsw i32 %28, 2
  %32 = sub nsw i32 16, %31
  %33 = and i32 %22, 1
  %34 = zext nneg i32 %33 to i64
  %35 = getelementptr inbounds nuw [64 x float], ptr %12, i64 %34
  %36 = icmp slt i32 %27, %2
  %37 = select i1 %36, i32 %27, i32 0
  %38 = zext nneg i32 %37 to i64
  %39 = getelementptr inbounds nuw float, ptr %0, i64 %38
  %40 = lshr exact i32 %32, 2
  %41 = select i1 %30, i32 4, i32 %40
  %42 = select i1 %29, i32 0, i32 %41
  switch i32 %42, label %63 [
    i32 0, label %43
    i32 4, label %59
    i32 2, label %51
    i32 3, label %55
    i32 1, label %47
  ]

43:                                               ; preds = %25
  %44 = addrspacecast ptr %35 to ptr addrspace(3)
  %45 = ptrtoint ptr addrspace(3) %44 to i64
  %46 = trunc i64 %45 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %46, ptr %39, i32 16, i64 16) #5, !srcloc !14
  br label %64

47:                                               ; preds = %25
  %48 = addrspacecast ptr %35 to ptr addrspace(3)
  %49 = ptrtoint ptr addrspace(3) %48 to i64
  %50 = trunc i64 %49 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %50, ptr %39, i32 16, i64 12) #5, !srcloc !14
  br label %64

51:                                               ; preds = %25
  %52 = addrspacecast ptr %35 to ptr addrspace(3)
  %53 = ptrtoint ptr addrspace(3) %52 to i64
  %54 = trunc i64 %53 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %54, ptr %39, i32 16, i64 8) #5, !srcloc !14
  br label %64

55:                                               ; preds = %25
  %56 = addrspacecast ptr %35 to ptr addrspace(3)
  %57 = ptrtoint ptr addrspace(3) %56 to i64
  %58 = trunc i64 %57 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %58, ptr %39, i32 16, i64 4) #5, !srcloc !14
  br label %64

59:                                               ; preds = %25
  %60 = addrspacecast ptr %35 to ptr addrspace(3)
  %61 = ptrtoint ptr addrspace(3) %60 to i64
  %62 = trunc i64 %61 to i32
  tail call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %62, ptr %39, i32 16, i64 0) #5, !srcloc !14
  br label %64

63:                                               ; preds = %25
  tail call void @llvm.trap()
  unreachable

64:                                               ; preds = %59, %55, %51, %47, %43, %20
  tail call void asm sideeffect "cp.async.commit_group;", ""() #5, !srcloc !15
  %65 = icmp eq i32 %22, 0
  br i1 %65, label %124, label %66

66:                                               ; preds = %64
  tail call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 1) #5, !srcloc !11
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %67 = and i32 %22, 1
  %68 = xor i32 %67, 1
  %69 = zext nneg i32 %68 to i64
  %70 = getelementptr inbounds nuw [64 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ5asyncE4tile to ptr), i64 %69
  br label %72

71:                                               ; preds = %72
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %124

72:                                               ; preds = %72, %66
  %73 = phi i32 [ 0, %66 ], [ %122, %72 ]
  %74 = phi float [ %21, %66 ], [ %121, %72 ]
  %75 = zext nneg i32 %73 to i64
  %76 = getelementptr inbounds nuw float, ptr %70, i64 %75
  %77 = load float, ptr %76, align 4, !tbaa !12
  %78 = fmul contract float %77, %14
  %79 = fadd contract float %74, %78
  %80 = zext nneg i32 %73 to i64
  %81 = getelementptr inbounds nuw float, ptr %70, i64 %80
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 4
  %83 = load float, ptr %82, align 4, !tbaa !12
  %84 = fmul contract float %83, %14
  %85 = fadd contract float %79, %84
  %86 = zext nneg i32 %73 to i64
  %87 = getelementptr inbounds nuw float, ptr %70, i64 %86
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 8
  %89 = load float, ptr %88, align 4, !tbaa !12
  %90 = fmul contract float %89, %14
  %91 = fadd contract float %85, %90
  %92 = zext nneg i32 %73 to i64
  %93 = getelementptr inbounds nuw float, ptr %70, i64 %92
  %94 = getelementptr inbounds nuw i8, ptr %93, i64 12
  %95 = load float, ptr %94, align 4, !tbaa !12
  %96 = fmul contract float %95, %14
  %97 = fadd contract float %91, %96
  %98 = zext nneg i32 %73 to i64
  %99 = getelementptr inbounds nuw float, ptr %70, i64 %98
  %100 = getelementptr inbounds nuw i8, ptr %99, i64 16
  %101 = load float, ptr %100, align 4, !tbaa !12
  %102 = fmul contract float %101, %14
  %103 = fadd contract float %97, %102
  %104 = zext nneg i32 %73 to i64
  %105 = getelementptr inbounds nuw float, ptr %70, i64 %104
  %106 = getelementptr inbounds nuw i8, ptr %105, i64 20
  %107 = load float, ptr %106, align 4, !tbaa !12
  %108 = fmul contract float %107, %14
  %109 = fadd contract float %103, %108
  %110 = zext nneg i32 %73 to i64
  %111 = getelementptr inbounds nuw float, ptr %70, i64 %110
  %112 = getelementptr inbounds nuw i8, ptr %111, i64 24
  %113 = load float, ptr %112, align 4, !tbaa !12
  %114 = fmul contract float %113, %14
  %115 = fadd contract float %109, %114
  %116 = zext nneg i32 %73 to i64
  %117 = getelementptr inbounds nuw float, ptr %70, i64 %116
  %118 = getelementptr inbounds nuw i8, ptr %117, i64 28
  %119 = load float, ptr %118, align 4, !tbaa !12
  %120 = fmul contract float %119, %14
  %121 = fadd contract float %115, %120
  %122 = add nuw nsw i32 %73, 8
  %123 = icmp eq i32 %122, 64
  br i1 %123, label %71, label %72, !llvm.loop !16

124:                                              ; preds = %64, %71
  %125 = phi float [ %21, %64 ], [ %121, %71 ]
  %126 = add nuw nsw i32 %22, 1
  %127 = icmp eq i32 %22, %15
  br i1 %127, label %16, label %20, !llvm.loop !18
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 9]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i32 2, i32 0}
!11 = !{i64 8193765}
!12 = !{!13, !13, i64 0}
!13 = !{!"float", !8, i64 0}
!14 = !{i64 8192542}
!15 = !{i64 8193611}
!16 = distinct !{!16, !17}
!17 = !{!"llvm.loop.mustprogress"}
!18 = distinct !{!18, !17}
