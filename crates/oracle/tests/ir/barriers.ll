target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Shape = type { i32, i32, ptr, double }

@weights = dso_local addrspace(4) externally_initialized constant [4 x float] [float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00], align 4
@counter = dso_local addrspace(1) externally_initialized global [2 x i32] zeroinitializer, align 4
@_ZZ8barriersE4tile = internal unnamed_addr addrspace(3) global [64 x float] undef, align 4
@dynamic = external dso_local local_unnamed_addr addrspace(3) global [0 x i32], align 4
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @counter to ptr), ptr addrspacecast (ptr addrspace(4) @weights to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @barriers(ptr noundef readonly byval(%struct.Shape) align 8 captures(none) %0, ptr noundef writeonly captures(none) %1) local_unnamed_addr #0 {
  %3 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %8 = mul nuw nsw i32 %6, %7
  %9 = add nuw nsw i32 %8, %5
  %10 = mul nuw nsw i32 %9, %4
  %11 = add nuw nsw i32 %10, %3
  %12 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %15 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %16 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %17 = mul nuw i32 %15, %16
  %18 = add nuw i32 %17, %14
  %19 = mul i32 %18, %13
  %20 = add i32 %19, %12
  %21 = mul nuw nsw i32 %4, %6
  %22 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %23 = mul nuw nsw i32 %21, %22
  %24 = mul nsw i32 %11, %20
  %25 = zext nneg i32 %11 to i64
  %26 = getelementptr inbounds nuw i32, ptr addrspacecast (ptr addrspace(3) @dynamic to ptr), i64 %25
  store i32 %24, ptr %26, align 4, !tbaa !6
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %28 = load ptr, ptr %27, align 8, !tbaa !11
  %29 = mul nsw i32 %20, %23
  %30 = add nsw i32 %29, %11
  %31 = load i32, ptr %0, align 8, !tbaa !16
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 4
  %33 = load i32, ptr %32, align 4, !tbaa !17
  %34 = mul nsw i32 %33, %31
  %35 = srem i32 %30, %34
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds float, ptr %28, i64 %36
  %38 = load float, ptr %37, align 4, !tbaa !18
  %39 = and i32 %11, 3
  %40 = zext nneg i32 %39 to i64
  %41 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 %40
  %42 = load float, ptr %41, align 4, !tbaa !18
  %43 = fmul contract float %38, %42
  %44 = getelementptr inbounds nuw float, ptr addrspacecast (ptr addrspace(3) @_ZZ8barriersE4tile to ptr), i64 %25
  store float %43, ptr %44, align 4, !tbaa !18
  %45 = and i32 %11, 1
  %46 = icmp ne i32 %45, 0
  %47 = tail call noundef i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %46)
  %48 = icmp samesign ult i32 %11, %23
  %49 = tail call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %48)
  %50 = icmp eq i32 %11, %23
  %51 = tail call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %50)
  %52 = zext i1 %51 to i32
  %53 = xor i32 %11, -1
  %54 = add nsw i32 %23, %53
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds float, ptr addrspacecast (ptr addrspace(3) @_ZZ8barriersE4tile to ptr), i64 %55
  %57 = load float, ptr %56, align 4, !tbaa !18
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %59 = load double, ptr %58, align 8, !tbaa !20
  %60 = fptrunc contract double %59 to float
  %61 = fmul contract float %57, %60
  %62 = getelementptr inbounds i32, ptr addrspacecast (ptr addrspace(3) @dynamic to ptr), i64 %55
  %63 = load i32, ptr %62, align 4, !tbaa !6
  %64 = sitofp i32 %63 to float
  %65 = fadd contract float %61, %64
  %66 = fptosi float %65 to i32
  %67 = mul nsw i32 %66, 1000
  %68 = mul nsw i32 %47, 10
  %69 = select i1 %49, i32 2, i32 0
  %70 = add i32 %69, %68
  %71 = or disjoint i32 %70, %52
  %72 = add i32 %71, %67
  %73 = sext i32 %30 to i64
  %74 = getelementptr inbounds i32, ptr %1, i64 %73
  store i32 %72, ptr %74, align 4, !tbaa !6
  %75 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @counter to ptr), i32 1 seq_cst, align 4
  %76 = atomicrmw umax ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(1) @counter to ptr), i64 4), i32 %30 seq_cst, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1

; Function Attrs: convergent nocallback nounwind
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) #2

; Function Attrs: convergent nocallback nounwind
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1) #2

; Function Attrs: convergent nocallback nounwind
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

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
!11 = !{!12, !13, i64 8}
!12 = !{!"_ZTS5Shape", !7, i64 0, !7, i64 4, !13, i64 8, !15, i64 16}
!13 = !{!"p1 float", !14, i64 0}
!14 = !{!"any pointer", !8, i64 0}
!15 = !{!"double", !8, i64 0}
!16 = !{!12, !7, i64 0}
!17 = !{!12, !7, i64 4}
!18 = !{!19, !19, i64 0}
!19 = !{!"float", !8, i64 0}
!20 = !{!12, !15, i64 16}
