target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent noinline norecurse nounwind
define dso_local ptx_kernel void @warp(ptr noundef writeonly captures(none) %0) local_unnamed_addr #0 {
  %2 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = and i32 %2, 31
  %4 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %3, i32 16, i32 31)
  %5 = add nsw i32 %4, %3
  %6 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %5, i32 8, i32 31)
  %7 = add nsw i32 %6, %5
  %8 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %7, i32 4, i32 31)
  %9 = add nsw i32 %8, %7
  %10 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %9, i32 2, i32 31)
  %11 = add nsw i32 %10, %9
  %12 = tail call noundef i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %11, i32 1, i32 31)
  %13 = add nsw i32 %12, %11
  %14 = mul nuw nsw i32 %2, 12
  %15 = zext nneg i32 %14 to i64
  %16 = getelementptr inbounds nuw i32, ptr %0, i64 %15
  store i32 %13, ptr %16, align 4, !tbaa !6
  %17 = tail call noundef i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %3, i32 3, i32 0)
  %18 = getelementptr inbounds nuw i8, ptr %16, i64 4
  store i32 %17, ptr %18, align 4, !tbaa !6
  %19 = tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %3, i32 5, i32 6175)
  %20 = getelementptr inbounds nuw i8, ptr %16, i64 8
  store i32 %19, ptr %20, align 4, !tbaa !6
  %21 = mul nuw nsw i32 %3, 7
  %22 = tail call noundef i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %3, i32 %21, i32 31)
  %23 = getelementptr inbounds nuw i8, ptr %16, i64 12
  store i32 %22, ptr %23, align 4, !tbaa !6
  %24 = trunc nuw nsw i32 %3 to i8
  %25 = urem i8 %24, 3
  %26 = icmp eq i8 %25, 0
  %27 = tail call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %26)
  %28 = getelementptr inbounds nuw i8, ptr %16, i64 16
  store i32 %27, ptr %28, align 4, !tbaa !6
  %29 = tail call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 false)
  %30 = select i1 %29, i32 2, i32 0
  %31 = tail call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 true)
  %32 = zext i1 %31 to i32
  %33 = or disjoint i32 %30, %32
  %34 = getelementptr inbounds nuw i8, ptr %16, i64 20
  store i32 %33, ptr %34, align 4, !tbaa !6
  %35 = lshr i32 %3, 3
  %36 = tail call noundef i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 range(i32 0, 4) %35)
  %37 = getelementptr inbounds nuw i8, ptr %16, i64 24
  store i32 %36, ptr %37, align 4, !tbaa !6
  %38 = tail call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 5)
  %39 = extractvalue { i32, i1 } %38, 1
  %40 = zext i1 %39 to i32
  %41 = extractvalue { i32, i1 } %38, 0
  %42 = add i32 %41, %40
  %43 = getelementptr inbounds nuw i8, ptr %16, i64 28
  store i32 %42, ptr %43, align 4, !tbaa !6
  %44 = tail call noundef i32 @llvm.nvvm.redux.sync.add(i32 %3, i32 -1)
  %45 = sub nsw i32 0, %3
  %46 = tail call noundef i32 @llvm.nvvm.redux.sync.max(i32 %45, i32 -1)
  %47 = add i32 %46, %44
  %48 = getelementptr inbounds nuw i8, ptr %16, i64 32
  store i32 %47, ptr %48, align 4, !tbaa !6
  %49 = icmp samesign ult i32 %3, 10
  br i1 %49, label %50, label %52

50:                                               ; preds = %1
  %51 = tail call noundef i32 @llvm.nvvm.activemask()
  br label %52

52:                                               ; preds = %1, %50
  %53 = phi i32 [ %51, %50 ], [ -1, %1 ]
  %54 = getelementptr inbounds nuw i8, ptr %16, i64 36
  store i32 %53, ptr %54, align 4, !tbaa !6
  tail call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %55 = uitofp nneg i32 %3 to float
  %56 = fmul contract float %55, 5.000000e-01
  %57 = tail call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %56, i32 1, i32 31)
  %58 = fmul contract float %57, 2.000000e+00
  %59 = tail call noundef i32 @llvm.nvvm.f2i.rn(float %58)
  %60 = getelementptr inbounds nuw i8, ptr %16, i64 40
  store i32 %59, ptr %60, align 4, !tbaa !6
  %61 = icmp samesign ult i32 %3, 16
  %62 = select i1 %61, i32 65535, i32 -65536
  %63 = select i1 %61, i32 2, i32 18
  %64 = tail call noundef i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %62, i32 %3, i32 %63, i32 31)
  %65 = getelementptr inbounds nuw i8, ptr %16, i64 44
  store i32 %64, ptr %65, align 4, !tbaa !6
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.max(i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.activemask() #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #3

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.f2i.rn(float) #1

attributes #0 = { convergent noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }

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
