target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Pair = type { i64, i16 }
%struct.uchar4 = type { i8, i8, i8, i8 }
%struct.__half = type { i16 }
%struct.float4 = type { float, float, float, float }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read)
define dso_local noundef i64 @_Z7combine4Pairi(ptr noundef readonly byval(%struct.Pair) align 8 captures(none) %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = load i64, ptr %0, align 8, !tbaa !11
  %4 = sext i32 %1 to i64
  %5 = mul nsw i64 %3, %4
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load i16, ptr %6, align 8, !tbaa !15
  %8 = sext i16 %7 to i64
  %9 = add nsw i64 %5, %8
  ret i64 %9
}

; Function Attrs: convergent noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @types(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1, ptr noundef readonly captures(none) %2, ptr noundef readonly captures(none) %3, ptr noundef writeonly captures(none) %4, ptr noundef captures(none) %5, ptr noundef captures(none) %6, ptr noundef captures(none) %7) local_unnamed_addr #1 {
  %9 = alloca %struct.Pair, align 8
  %10 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = zext nneg i32 %10 to i64
  %12 = getelementptr inbounds nuw %struct.uchar4, ptr %0, i64 %11
  %13 = load i8, ptr %12, align 4, !tbaa !16
  %14 = getelementptr inbounds nuw i8, ptr %12, i64 3
  %15 = load i8, ptr %14, align 1, !tbaa !16
  %16 = getelementptr inbounds nuw i64, ptr %2, i64 %11
  %17 = load i64, ptr %16, align 8, !tbaa !17
  %18 = getelementptr inbounds nuw i16, ptr %1, i64 %11
  %19 = load i16, ptr %18, align 2, !tbaa !18
  store i64 %17, ptr %9, align 8, !tbaa !17
  %20 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store i16 %19, ptr %20, align 8, !tbaa !18
  %21 = zext i8 %13 to i32
  %22 = tail call noundef i64 @_Z7combine4Pairi(ptr noundef nonnull byval(%struct.Pair) align 8 %9, i32 noundef %21) #4
  %23 = sext i8 %15 to i64
  %24 = add nsw i64 %22, %23
  %25 = getelementptr inbounds nuw %struct.__half, ptr %3, i64 %11
  %26 = load i16, ptr %25, align 2, !tbaa !18
  %27 = tail call i32 asm "{  mov.b32 $0, {$1,$1};}\0A", "=r,h"(i16 %26) #5, !srcloc !19
  %28 = tail call i32 asm "{.reg .f16 low;\0A  cvt.rn.f16.f32 low, $1;\0A  mov.b32 $0, {low,low};}\0A", "=r,f"(float 5.000000e-01) #5, !srcloc !20
  %29 = tail call i32 asm "{fma.rn.f16x2 $0,$1,$2,$3;\0A}", "=r,r,r,r"(i32 %27, i32 %27, i32 %28) #5, !srcloc !21
  %30 = tail call contract noundef float asm "{.reg .f16 low,high;\0A  mov.b32 {low,high},$1;\0A  cvt.f32.f16 $0, low;}\0A", "=f,r"(i32 %29) #5, !srcloc !22
  %31 = tail call i16 asm "{add.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %26, i16 %26) #5, !srcloc !23
  %32 = tail call contract noundef float asm "{  cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 %31) #5, !srcloc !24
  %33 = srem i64 %24, 1000
  %34 = sitofp i64 %33 to float
  %35 = tail call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %24)
  %36 = trunc nuw nsw i64 %35 to i32
  %37 = uitofp nneg i32 %36 to float
  %38 = getelementptr inbounds nuw %struct.float4, ptr %4, i64 %11
  store float %30, ptr %38, align 16, !tbaa !25
  %39 = getelementptr inbounds nuw i8, ptr %38, i64 4
  store float %32, ptr %39, align 4, !tbaa !25
  %40 = getelementptr inbounds nuw i8, ptr %38, i64 8
  store float %34, ptr %40, align 8, !tbaa !25
  %41 = getelementptr inbounds nuw i8, ptr %38, i64 12
  store float %37, ptr %41, align 4, !tbaa !25
  %42 = lshr i64 %24, 3
  %43 = trunc i64 %42 to i32
  %44 = tail call noundef i32 @llvm.nvvm.prmt(i32 %10, i32 16909060, i32 21520)
  %45 = tail call noundef range(i32 0, 33) i32 @llvm.ctlz.i32(i32 %10, i1 false)
  %46 = tail call i32 @llvm.bitreverse.i32(i32 %10)
  %47 = tail call i32 asm "bfind.shiftamt.u32 $0, $1;", "=r,r"(i32 %46) #6, !srcloc !27
  %48 = add i32 %47, 1
  %49 = tail call noundef i32 @llvm.nvvm.mulhi.i(i32 %10, i32 1048576)
  %50 = xor i32 %45, %44
  %51 = xor i32 %50, %49
  %52 = xor i32 %51, %43
  %53 = xor i32 %52, %48
  %54 = xor i32 %53, %46
  %55 = getelementptr inbounds nuw i32, ptr %5, i64 %11
  store i32 %54, ptr %55, align 4, !tbaa !6
  %56 = atomicrmw fadd ptr %6, float 1.000000e+00 seq_cst, align 4
  %57 = atomicrmw fadd ptr %7, double 2.500000e-01 seq_cst, align 8
  %58 = getelementptr inbounds nuw i8, ptr %5, i64 256
  %59 = sub nsw i32 0, %10
  %60 = atomicrmw min ptr %58, i32 %59 seq_cst, align 4
  %61 = getelementptr inbounds nuw i8, ptr %5, i64 260
  %62 = cmpxchg ptr %61, i32 0, i32 7 seq_cst seq_cst, align 4
  %63 = getelementptr inbounds nuw i8, ptr %5, i64 264
  %64 = atomicrmw uinc_wrap ptr %63, i32 9 seq_cst, align 4
  %65 = getelementptr inbounds nuw i8, ptr %5, i64 268
  %66 = atomicrmw xchg ptr %65, i32 3 seq_cst, align 4
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctlz.i32(i32, i1 immarg) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctpop.i64(i64) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.prmt(i32, i32, i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.mulhi.i(i32, i32) #2

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.bitreverse.i32(i32) #3

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(argmem: read) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" }
attributes #1 = { convergent noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind memory(none) }
attributes #6 = { nounwind memory(none) }

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
!11 = !{!12, !13, i64 0}
!12 = !{!"_ZTS4Pair", !13, i64 0, !14, i64 8}
!13 = !{!"long long", !8, i64 0}
!14 = !{!"short", !8, i64 0}
!15 = !{!12, !14, i64 8}
!16 = !{!8, !8, i64 0}
!17 = !{!13, !13, i64 0}
!18 = !{!14, !14, i64 0}
!19 = !{i64 2156606186}
!20 = !{i64 2156164209, i64 2156164238, i64 2156164276}
!21 = !{i64 2157490471, i64 2157490525}
!22 = !{i64 2156195944, i64 2156195978, i64 2156196015}
!23 = !{i64 2157506617, i64 2157506644}
!24 = !{i64 2156185677}
!25 = !{!26, !26, i64 0}
!26 = !{!"float", !8, i64 0}
!27 = !{i32 12369}
