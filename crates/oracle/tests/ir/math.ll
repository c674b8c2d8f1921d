target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__cudart_i2opi_f = internal unnamed_addr addrspace(1) constant [6 x i32] [i32 1011060801, i32 -614296167, i32 -181084736, i32 -64530479, i32 1313084713, i32 -1560706194], align 4
@__cudart_i2opi_d = internal unnamed_addr addrspace(1) constant [18 x i64] [i64 7780917995555872008, i64 4397547296490951402, i64 8441921394348257659, i64 5712322887342352941, i64 7869616827067468215, i64 -1211730484530615009, i64 2303758334597371919, i64 -7168499653074671557, i64 4148332274289687028, i64 -1613291254968254911, i64 -1692731182770600828, i64 -135693905287338178, i64 452944820249399836, i64 -5249950069107600672, i64 -121206125134887583, i64 -2638381946312093631, i64 -277156292786332224, i64 -6703182060581546711], align 8
@__cudart_sin_cos_coeffs = internal unnamed_addr addrspace(1) constant [16 x double] [double 0xBE5AE5F12CB0D246, double 0x3EC71DE369ACE392, double 0xBF2A01A019DB62A1, double 0x3F81111111110818, double 0xBFC5555555555554, double 0.000000e+00, double 0.000000e+00, double 0xBDA8FF8320FD8164, double 0x3E21EEA7C1EF8528, double 0xBE927E4F8E06E6D9, double 0x3EFA01A019DDBCE9, double 0xBF56C16C16C15D47, double 0x3FA5555555555551, double -5.000000e-01, double 1.000000e+00, double 0.000000e+00], align 16

; Function Attrs: noinline norecurse nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @math(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = alloca [7 x i32], align 4
  %5 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = icmp slt i32 %5, %2
  br i1 %6, label %7, label %561

7:                                                ; preds = %3
  %8 = zext nneg i32 %5 to i64
  %9 = getelementptr inbounds nuw double, ptr %0, i64 %8
  %10 = load double, ptr %9, align 8, !tbaa !11
  %11 = fptrunc contract double %10 to float
  %12 = shl nuw nsw i32 %5, 4
  %13 = zext nneg i32 %12 to i64
  %14 = getelementptr inbounds nuw double, ptr %1, i64 %13
  %15 = tail call double @llvm.fma.f64(double %10, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %16 = tail call i32 @llvm.nvvm.d2i.lo(double %15) #8
  %17 = tail call double @llvm.nvvm.add.rn.d(double %15, double 0xC338000000000000) #8
  %18 = tail call double @llvm.fma.f64(double %17, double 0xBFE62E42FEFA39EF, double %10)
  %19 = tail call double @llvm.fma.f64(double %17, double 0xBC7ABC9E3B39803F, double %18)
  %20 = tail call double @llvm.fma.f64(double %19, double 0x3E5ADE1569CE2BDF, double 0x3E928AF3FCA213EA)
  %21 = tail call double @llvm.fma.f64(double %20, double %19, double 0x3EC71DEE62401315)
  %22 = tail call double @llvm.fma.f64(double %21, double %19, double 0x3EFA01997C89EB71)
  %23 = tail call double @llvm.fma.f64(double %22, double %19, double 0x3F2A01A014761F65)
  %24 = tail call double @llvm.fma.f64(double %23, double %19, double 0x3F56C16C1852B7AF)
  %25 = tail call double @llvm.fma.f64(double %24, double %19, double 0x3F81111111122322)
  %26 = tail call double @llvm.fma.f64(double %25, double %19, double 0x3FA55555555502A1)
  %27 = tail call double @llvm.fma.f64(double %26, double %19, double 0x3FC5555555555511)
  %28 = tail call double @llvm.fma.f64(double %27, double %19, double 0x3FE000000000000B)
  %29 = tail call double @llvm.fma.f64(double %28, double %19, double 1.000000e+00)
  %30 = tail call double @llvm.fma.f64(double %29, double %19, double 1.000000e+00)
  %31 = tail call i32 @llvm.nvvm.d2i.lo(double %30) #8
  %32 = tail call i32 @llvm.nvvm.d2i.hi(double %30) #8
  %33 = shl i32 %16, 20
  %34 = add i32 %32, %33
  %35 = tail call double @llvm.nvvm.lohi.i2d(i32 %31, i32 %34) #8
  %36 = tail call i32 @llvm.nvvm.d2i.hi(double %10) #8
  %37 = bitcast i32 %36 to float
  %38 = tail call float @llvm.nvvm.fabs.f32(float %37)
  %39 = fcmp olt float %38, 0x4010C46560000000
  br i1 %39, label %55, label %40

40:                                               ; preds = %7
  %41 = fcmp olt double %10, 0.000000e+00
  %42 = fadd double %10, 0x7FF0000000000000
  %43 = select i1 %41, double 0.000000e+00, double %42
  %44 = fcmp olt float %38, 0x4010E90000000000
  br i1 %44, label %45, label %55

45:                                               ; preds = %40
  %46 = sdiv i32 %16, 2
  %47 = shl i32 %46, 20
  %48 = add i32 %32, %47
  %49 = tail call double @llvm.nvvm.lohi.i2d(i32 %31, i32 %48) #8
  %50 = sub nsw i32 %16, %46
  %51 = shl i32 %50, 20
  %52 = add nsw i32 %51, 1072693248
  %53 = tail call double @llvm.nvvm.lohi.i2d(i32 0, i32 %52) #8
  %54 = fmul double %53, %49
  br label %55

55:                                               ; preds = %7, %40, %45
  %56 = phi double [ %35, %7 ], [ %54, %45 ], [ %43, %40 ]
  store double %56, ptr %14, align 8, !tbaa !11
  %57 = tail call i32 @llvm.nvvm.d2i.lo(double %10) #8
  %58 = icmp slt i32 %36, 1048576
  br i1 %58, label %59, label %63

59:                                               ; preds = %55
  %60 = fmul double %10, 0x4350000000000000
  %61 = tail call i32 @llvm.nvvm.d2i.lo(double %60) #8
  %62 = tail call i32 @llvm.nvvm.d2i.hi(double %60) #8
  br label %63

63:                                               ; preds = %59, %55
  %64 = phi double [ %60, %59 ], [ %10, %55 ]
  %65 = phi i32 [ %62, %59 ], [ %36, %55 ]
  %66 = phi i32 [ %61, %59 ], [ %57, %55 ]
  %67 = phi i32 [ -1077, %59 ], [ -1023, %55 ]
  %68 = add i32 %65, -1
  %69 = icmp ult i32 %68, 2146435071
  br i1 %69, label %70, label %119

70:                                               ; preds = %63
  %71 = lshr i32 %65, 20
  %72 = add nsw i32 %67, %71
  %73 = and i32 %65, 1048575
  %74 = or disjoint i32 %73, 1072693248
  %75 = tail call double @llvm.nvvm.lohi.i2d(i32 %66, i32 %74) #8
  %76 = icmp samesign ugt i32 %74, 1073127582
  %77 = tail call i32 @llvm.nvvm.d2i.lo(double %75) #8
  %78 = tail call i32 @llvm.nvvm.d2i.hi(double %75) #8
  %79 = add i32 %78, -1048576
  %80 = tail call double @llvm.nvvm.lohi.i2d(i32 %77, i32 %79) #8
  %81 = select i1 %76, double %80, double %75
  %82 = zext i1 %76 to i32
  %83 = add nsw i32 %72, %82
  %84 = fadd double %81, -1.000000e+00
  %85 = fadd double %81, 1.000000e+00
  %86 = tail call double @llvm.nvvm.rcp.approx.ftz.d(double %85) #8
  %87 = fneg double %85
  %88 = tail call double @llvm.fma.f64(double %87, double %86, double 1.000000e+00)
  %89 = tail call double @llvm.fma.f64(double %88, double %88, double %88)
  %90 = tail call double @llvm.fma.f64(double %89, double %86, double %86)
  %91 = fmul double %84, %90
  %92 = fadd double %91, %91
  %93 = fmul double %92, %92
  %94 = tail call double @llvm.fma.f64(double %93, double 0x3EB1380B3AE80F1E, double 0x3ED0EE258B7A8B04)
  %95 = tail call double @llvm.fma.f64(double %94, double %93, double 0x3EF3B2669F02676F)
  %96 = tail call double @llvm.fma.f64(double %95, double %93, double 0x3F1745CBA9AB0956)
  %97 = tail call double @llvm.fma.f64(double %96, double %93, double 0x3F3C71C72D1B5154)
  %98 = tail call double @llvm.fma.f64(double %97, double %93, double 0x3F624924923BE72D)
  %99 = tail call double @llvm.fma.f64(double %98, double %93, double 0x3F8999999999A3C4)
  %100 = tail call double @llvm.fma.f64(double %99, double %93, double 0x3FB5555555555554)
  %101 = fsub double %84, %92
  %102 = fmul double %101, 2.000000e+00
  %103 = fneg double %92
  %104 = tail call double @llvm.fma.f64(double %103, double %84, double %102)
  %105 = fmul double %90, %104
  %106 = fmul double %93, %100
  %107 = tail call double @llvm.fma.f64(double %106, double %92, double %105)
  %108 = xor i32 %83, -2147483648
  %109 = tail call double @llvm.nvvm.lohi.i2d(i32 %108, i32 1127219200) #8
  %110 = tail call double @llvm.nvvm.lohi.i2d(i32 -2147483648, i32 1127219200) #8
  %111 = fsub double %109, %110
  %112 = tail call double @llvm.fma.f64(double %111, double 0x3FE62E42FEFA39EF, double %92)
  %113 = fneg double %111
  %114 = tail call double @llvm.fma.f64(double %113, double 0x3FE62E42FEFA39EF, double %112)
  %115 = fsub double %114, %92
  %116 = fsub double %107, %115
  %117 = tail call double @llvm.fma.f64(double %111, double 0x3C7ABC9E3B39803F, double %116)
  %118 = fadd double %112, %117
  br label %125

119:                                              ; preds = %63
  %120 = tail call double @llvm.fma.f64(double %64, double 0x7FF0000000000000, double 0x7FF0000000000000)
  %121 = tail call i32 @llvm.nvvm.d2i.hi(double %64) #8
  %122 = and i32 %121, 2147483647
  %123 = icmp eq i32 %122, 0
  %124 = select i1 %123, double 0xFFF0000000000000, double %120
  br label %125

125:                                              ; preds = %70, %119
  %126 = phi double [ %118, %70 ], [ %124, %119 ]
  %127 = getelementptr inbounds nuw i8, ptr %14, i64 8
  store double %126, ptr %127, align 8, !tbaa !11
  %128 = fmul contract double %10, 1.000000e+06
  %129 = tail call double @llvm.nvvm.fabs.f64(double %128)
  %130 = fcmp oeq double %129, 0x7FF0000000000000
  br i1 %130, label %131, label %133

131:                                              ; preds = %125
  %132 = tail call double @llvm.nvvm.mul.rn.d(double %128, double 0.000000e+00) #8
  br label %146

133:                                              ; preds = %125
  %134 = fmul double %128, 0x3FE45F306DC9C883
  %135 = tail call i32 @llvm.nvvm.d2i.rn(double %134) #8
  %136 = sitofp i32 %135 to double
  %137 = fneg double %136
  %138 = tail call double @llvm.fma.f64(double %137, double 0x3FF921FB54442D18, double %128)
  %139 = tail call double @llvm.fma.f64(double %137, double 0x3C91A62633145C00, double %138)
  %140 = tail call double @llvm.fma.f64(double %137, double 0x397B839A252049C0, double %139)
  %141 = fcmp ult double %129, 0x41E0000000000000
  br i1 %141, label %146, label %142

142:                                              ; preds = %133
  %143 = tail call fastcc { double, i32 } @__internal_trig_reduction_slowpathd(double %128) #8
  %144 = extractvalue { double, i32 } %143, 0
  %145 = extractvalue { double, i32 } %143, 1
  br label %146

146:                                              ; preds = %131, %133, %142
  %147 = phi double [ %132, %131 ], [ %144, %142 ], [ %140, %133 ]
  %148 = phi i32 [ 0, %131 ], [ %145, %142 ], [ %135, %133 ]
  %149 = and i32 %148, 1
  %150 = shl nuw nsw i32 %149, 3
  %151 = zext nneg i32 %150 to i64
  %152 = getelementptr inbounds nuw double, ptr addrspace(1) @__cudart_sin_cos_coeffs, i64 %151
  %153 = tail call double @llvm.nvvm.mul.rn.d(double %147, double %147) #8
  %154 = icmp eq i32 %149, 0
  %155 = select i1 %154, double 0x3DE5DB65F9785EBA, double 0xBDA8FF8320FD8164
  %156 = load double, ptr addrspace(1) %152, align 16
  %157 = tail call double @llvm.fma.f64(double %155, double %153, double %156)
  %158 = getelementptr inbounds nuw i8, ptr addrspace(1) %152, i64 8
  %159 = load double, ptr addrspace(1) %158, align 8
  %160 = tail call double @llvm.fma.f64(double %157, double %153, double %159)
  %161 = getelementptr inbounds nuw i8, ptr addrspace(1) %152, i64 16
  %162 = load double, ptr addrspace(1) %161, align 16
  %163 = tail call double @llvm.fma.f64(double %160, double %153, double %162)
  %164 = getelementptr inbounds nuw i8, ptr addrspace(1) %152, i64 24
  %165 = load double, ptr addrspace(1) %164, align 8
  %166 = tail call double @llvm.fma.f64(double %163, double %153, double %165)
  %167 = getelementptr inbounds nuw i8, ptr addrspace(1) %152, i64 32
  %168 = load double, ptr addrspace(1) %167, align 16
  %169 = tail call double @llvm.fma.f64(double %166, double %153, double %168)
  %170 = getelementptr inbounds nuw i8, ptr addrspace(1) %152, i64 40
  %171 = load double, ptr addrspace(1) %170, align 8
  %172 = tail call double @llvm.fma.f64(double %169, double %153, double %171)
  %173 = tail call double @llvm.fma.f64(double %172, double %147, double %147)
  %174 = tail call double @llvm.fma.f64(double %172, double %153, double 1.000000e+00)
  %175 = select i1 %154, double %173, double %174
  %176 = and i32 %148, 2
  %177 = icmp eq i32 %176, 0
  %178 = fsub double 0.000000e+00, %175
  %179 = select i1 %177, double %175, double %178
  %180 = getelementptr inbounds nuw i8, ptr %14, i64 16
  store double %179, ptr %180, align 8, !tbaa !11
  %181 = tail call i32 @llvm.nvvm.d2i.hi(double 1.700000e+00) #8
  %182 = and i32 %181, 2146435072
  %183 = icmp eq i32 %182, 1127219200
  %184 = tail call double @llvm.nvvm.fabs.f64(double %10)
  %185 = icmp slt i32 %36, 0
  %186 = fcmp oeq double %10, 0.000000e+00
  br i1 %186, label %187, label %193

187:                                              ; preds = %146
  %188 = select i1 %183, i32 %36, i32 0
  %189 = icmp slt i32 %181, 0
  %190 = or i32 %188, 2146435072
  %191 = select i1 %189, i32 %190, i32 %188
  %192 = tail call double @llvm.nvvm.lohi.i2d(i32 0, i32 %191) #8
  br label %196

193:                                              ; preds = %146
  %194 = tail call fastcc double @__internal_accurate_pow(double %184)
  %195 = select i1 %185, double 0xFFF8000000000000, double %194
  br label %196

196:                                              ; preds = %193, %187
  %197 = phi double [ %192, %187 ], [ %195, %193 ]
  %198 = fadd double %10, 1.700000e+00
  %199 = tail call i32 @llvm.nvvm.d2i.hi(double %198) #8
  %200 = and i32 %199, 2146435072
  %201 = icmp eq i32 %200, 2146435072
  br i1 %201, label %202, label %218

202:                                              ; preds = %196
  %203 = fcmp uno double %184, 0.000000e+00
  br i1 %203, label %204, label %206

204:                                              ; preds = %202
  %205 = tail call double @llvm.nvvm.add.rn.d(double %10, double 1.700000e+00) #8
  br label %218

206:                                              ; preds = %202
  %207 = fcmp oeq double %184, 0x7FF0000000000000
  br i1 %207, label %208, label %218

208:                                              ; preds = %206
  %209 = icmp slt i32 %181, 0
  %210 = select i1 %209, i32 0, i32 2146435072
  %211 = and i32 %181, 2147483647
  %212 = icmp ne i32 %211, 1071644672
  %213 = and i1 %183, %212
  %214 = select i1 %185, i1 %213, i1 false
  %215 = or disjoint i32 %210, -2147483648
  %216 = select i1 %214, i32 %215, i32 %210
  %217 = tail call double @llvm.nvvm.lohi.i2d(i32 0, i32 %216) #8
  br label %218

218:                                              ; preds = %196, %204, %206, %208
  %219 = phi double [ %197, %196 ], [ %205, %204 ], [ %197, %206 ], [ %217, %208 ]
  %220 = fcmp oeq double %10, 1.000000e+00
  %221 = select i1 %220, double 1.000000e+00, double %219
  %222 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store double %221, ptr %222, align 8, !tbaa !11
  %223 = tail call float @llvm.fma.f32(float %11, float 0x3F777313A0000000, float 5.000000e-01)
  %224 = tail call float @llvm.nvvm.saturate.f(float %223) #8
  %225 = tail call float @llvm.nvvm.fma.rm.f(float %224, float 2.520000e+02, float 0x4168000020000000) #8
  %226 = fadd float %225, 0xC168000FE0000000
  %227 = fneg float %226
  %228 = tail call float @llvm.fma.f32(float %11, float 0x3FF7154760000000, float %227)
  %229 = tail call float @llvm.fma.f32(float %11, float 0x3E54AE0C00000000, float %228)
  %230 = bitcast float %225 to i32
  %231 = shl i32 %230, 23
  %232 = bitcast i32 %231 to float
  %233 = tail call float @llvm.nvvm.ex2.approx.ftz.f32(float %229)
  %234 = fmul float %233, %232
  %235 = fpext contract float %234 to double
  %236 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store double %235, ptr %236, align 8, !tbaa !11
  %237 = fcmp olt double %10, 0x380FFFFFE0000000
  %238 = fmul float %11, 0x4160000000000000
  %239 = select i1 %237, float %238, float %11
  %240 = select i1 %237, float -2.300000e+01, float 0.000000e+00
  %241 = bitcast float %239 to i32
  %242 = add i32 %241, -1059760811
  %243 = and i32 %242, -8388608
  %244 = sub i32 %241, %243
  %245 = bitcast i32 %244 to float
  %246 = sitofp i32 %243 to float
  %247 = tail call float @llvm.fma.f32(float %246, float 0x3E80000000000000, float %240)
  %248 = fadd float %245, -1.000000e+00
  %249 = tail call float @llvm.fma.f32(float %248, float 0xBFC0AA04E0000000, float 0x3FC2073EC0000000)
  %250 = tail call float @llvm.fma.f32(float %249, float %248, float 0xBFBF19B980000000)
  %251 = tail call float @llvm.fma.f32(float %250, float %248, float 0x3FC1E52AA0000000)
  %252 = tail call float @llvm.fma.f32(float %251, float %248, float 0xBFC55B1720000000)
  %253 = tail call float @llvm.fma.f32(float %252, float %248, float 0x3FC99DA160000000)
  %254 = tail call float @llvm.fma.f32(float %253, float %248, float 0xBFCFFFE440000000)
  %255 = tail call float @llvm.fma.f32(float %254, float %248, float 0x3FD5554F00000000)
  %256 = tail call float @llvm.fma.f32(float %255, float %248, float -5.000000e-01)
  %257 = fmul float %248, %256
  %258 = tail call float @llvm.fma.f32(float %257, float %248, float %248)
  %259 = tail call float @llvm.fma.f32(float %247, float 0x3FE62E4300000000, float %258)
  %260 = icmp ugt i32 %241, 2139095039
  %261 = tail call float @llvm.fma.f32(float %239, float 0x7FF0000000000000, float 0x7FF0000000000000)
  %262 = select i1 %260, float %261, float %259
  %263 = fcmp oeq float %239, 0.000000e+00
  %264 = select i1 %263, float 0xFFF0000000000000, float %262
  %265 = fpext contract float %264 to double
  %266 = getelementptr inbounds nuw i8, ptr %14, i64 40
  store double %265, ptr %266, align 8, !tbaa !11
  %267 = fmul contract float %11, 1.000000e+06
  call void @llvm.lifetime.start.p0(ptr nonnull %4)
  %268 = fmul float %267, 0x3FE45F3060000000
  %269 = tail call i32 @llvm.nvvm.f2i.rn(float %268) #8
  %270 = sitofp i32 %269 to float
  %271 = tail call float @llvm.fma.f32(float %270, float 0xBFF921FB40000000, float %267)
  %272 = tail call float @llvm.fma.f32(float %270, float 0xBE74442D00000000, float %271)
  %273 = tail call float @llvm.fma.f32(float %270, float 0xBCF84698A0000000, float %272)
  %274 = tail call float @llvm.nvvm.fabs.f32(float %267)
  %275 = fcmp ult float %274, 1.056150e+05
  br i1 %275, label %344, label %276

276:                                              ; preds = %218
  %277 = fcmp oeq float %274, 0x7FF0000000000000
  br i1 %277, label %278, label %280

278:                                              ; preds = %276
  %279 = tail call float @llvm.nvvm.mul.rn.f(float %267, float 0.000000e+00) #8
  br label %344

280:                                              ; preds = %276
  %281 = bitcast float %267 to i32
  %282 = shl i32 %281, 8
  %283 = or i32 %282, -2147483648
  br label %284

284:                                              ; preds = %280, %284
  %285 = phi i32 [ 0, %280 ], [ %294, %284 ]
  %286 = phi i32 [ 0, %280 ], [ %292, %284 ]
  %287 = zext nneg i32 %285 to i64
  %288 = getelementptr inbounds nuw i32, ptr addrspace(1) @__cudart_i2opi_f, i64 %287
  %289 = load i32, ptr addrspace(1) %288, align 4
  %290 = tail call { i32, i32 } asm "{\0A\09mad.lo.cc.u32   $0, $2, $3, $4;\0A\09madc.hi.u32     $1, $2, $3,  0;\0A\09}", "=r,=r,r,r,r"(i32 %289, i32 %283, i32 %286) #9, !srcloc !13
  %291 = extractvalue { i32, i32 } %290, 0
  %292 = extractvalue { i32, i32 } %290, 1
  %293 = getelementptr inbounds nuw i32, ptr %4, i64 %287
  store i32 %291, ptr %293, align 4
  %294 = add nuw nsw i32 %285, 1
  %295 = icmp eq i32 %294, 6
  br i1 %295, label %296, label %284, !llvm.loop !14

296:                                              ; preds = %284
  %297 = lshr i32 %281, 23
  %298 = and i32 %297, 224
  %299 = add nsw i32 %298, -128
  %300 = lshr exact i32 %299, 5
  %301 = getelementptr inbounds nuw i8, ptr %4, i64 24
  store i32 %292, ptr %301, align 4
  %302 = sub nsw i32 6, %300
  %303 = sext i32 %302 to i64
  %304 = getelementptr inbounds i32, ptr %4, i64 %303
  %305 = load i32, ptr %304, align 4
  %306 = sub nsw i32 5, %300
  %307 = sext i32 %306 to i64
  %308 = getelementptr inbounds i32, ptr %4, i64 %307
  %309 = load i32, ptr %308, align 4
  %310 = freeze i32 %309
  %311 = and i32 %281, 260046848
  %312 = icmp eq i32 %311, 0
  br i1 %312, label %319, label %313

313:                                              ; preds = %296
  %314 = sub nsw i32 4, %300
  %315 = sext i32 %314 to i64
  %316 = getelementptr inbounds i32, ptr %4, i64 %315
  %317 = load i32, ptr %316, align 4
  %318 = tail call i32 @llvm.fshl.i32(i32 %310, i32 %317, i32 %297)
  br label %319

319:                                              ; preds = %313, %296
  %320 = phi i32 [ %318, %313 ], [ %310, %296 ]
  %321 = tail call i32 @llvm.fshl.i32(i32 %305, i32 %310, i32 %297)
  %322 = lshr i32 %321, 30
  %323 = tail call i32 @llvm.fshl.i32(i32 %321, i32 %320, i32 2)
  %324 = shl i32 %320, 2
  %325 = lshr i32 %323, 31
  %326 = add nuw nsw i32 %325, %322
  %327 = sub nsw i32 0, %326
  %328 = icmp slt i32 %281, 0
  %329 = select i1 %328, i32 %327, i32 %326
  %330 = xor i32 %323, %281
  %331 = ashr i32 %323, 31
  %332 = xor i32 %331, %323
  %333 = xor i32 %331, %324
  %334 = zext i32 %332 to i64
  %335 = shl nuw i64 %334, 32
  %336 = zext i32 %333 to i64
  %337 = or disjoint i64 %335, %336
  %338 = sitofp i64 %337 to double
  %339 = fmul double %338, 0x3BF921FB54442D19
  %340 = fptrunc double %339 to float
  %341 = fneg float %340
  %342 = icmp slt i32 %330, 0
  %343 = select i1 %342, float %341, float %340
  br label %344

344:                                              ; preds = %218, %278, %319
  %345 = phi i32 [ %269, %218 ], [ 0, %278 ], [ %329, %319 ]
  %346 = phi float [ %273, %218 ], [ %279, %278 ], [ %343, %319 ]
  %347 = tail call float @llvm.nvvm.mul.rn.f(float %346, float %346) #8
  %348 = and i32 %345, 1
  %349 = icmp eq i32 %348, 0
  %350 = select i1 %349, float %346, float 1.000000e+00
  %351 = tail call float @llvm.fma.f32(float %347, float %350, float 0.000000e+00)
  %352 = tail call float @llvm.fma.f32(float %347, float 0x3EF9758000000000, float 0xBF56C0FDA0000000)
  %353 = select i1 %349, float 0xBF29A82A60000000, float %352
  %354 = select i1 %349, float 0x3F8110BC80000000, float 0x3FA5555760000000
  %355 = tail call float @llvm.fma.f32(float %353, float %347, float %354)
  %356 = select i1 %349, float 0xBFC5555500000000, float 0xBFDFFFFFE0000000
  %357 = tail call float @llvm.fma.f32(float %355, float %347, float %356)
  %358 = tail call float @llvm.fma.f32(float %357, float %351, float %350)
  %359 = and i32 %345, 2
  %360 = icmp eq i32 %359, 0
  %361 = fsub float 0.000000e+00, %358
  %362 = select i1 %360, float %358, float %361
  call void @llvm.lifetime.end.p0(ptr nonnull %4)
  %363 = fpext contract float %362 to double
  %364 = getelementptr inbounds nuw i8, ptr %14, i64 48
  store double %363, ptr %364, align 8, !tbaa !11
  %365 = tail call float @llvm.nvvm.fabs.f32(float %11)
  %366 = fcmp olt float %365, 0x3810000000000000
  %367 = fmul float %365, 0x4170000000000000
  %368 = select i1 %366, float %367, float %365
  %369 = select i1 %366, float -2.400000e+01, float 0.000000e+00
  %370 = bitcast float %368 to i32
  %371 = add i32 %370, -1060439283
  %372 = and i32 %371, -8388608
  %373 = sub i32 %370, %372
  %374 = bitcast i32 %373 to float
  %375 = sitofp i32 %372 to float
  %376 = tail call float @llvm.fma.f32(float %375, float 0x3E80000000000000, float %369)
  %377 = fadd float %374, -1.000000e+00
  %378 = fadd float %374, 1.000000e+00
  %379 = tail call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %378) #9, !srcloc !16
  %380 = fmul float %377, 2.000000e+00
  %381 = fmul float %380, %379
  %382 = fmul float %381, %381
  %383 = fsub float %377, %381
  %384 = fmul float %383, 2.000000e+00
  %385 = fneg float %381
  %386 = tail call float @llvm.fma.f32(float %385, float %377, float %384)
  %387 = tail call float @llvm.nvvm.mul.rn.f(float %379, float %386) #8
  %388 = tail call float @llvm.fma.f32(float %382, float 0x3F45865C80000000, float 0x3F6A5CFB60000000)
  %389 = tail call float @llvm.fma.f32(float %388, float %382, float 0x3F92776E60000000)
  %390 = tail call float @llvm.fma.f32(float %389, float %382, float 0x3FBEC709E0000000)
  %391 = tail call float @llvm.nvvm.mul.rn.f(float %390, float %382) #8
  %392 = tail call float @llvm.fma.f32(float %381, float 0x3FF7154760000000, float %376)
  %393 = fsub float %376, %392
  %394 = tail call float @llvm.fma.f32(float %381, float 0x3FF7154760000000, float %393)
  %395 = tail call float @llvm.fma.f32(float %387, float 0x3FF7154760000000, float %394)
  %396 = tail call float @llvm.fma.f32(float %381, float 0x3E54ABC680000000, float %395)
  %397 = fmul float %391, 3.000000e+00
  %398 = tail call float @llvm.fma.f32(float %397, float %387, float %396)
  %399 = tail call float @llvm.fma.f32(float %391, float %381, float %398)
  %400 = tail call float @llvm.nvvm.add.rn.f(float %392, float %399) #8
  %401 = fneg float %392
  %402 = tail call float @llvm.nvvm.add.rn.f(float %400, float %401) #8
  %403 = fneg float %402
  %404 = tail call float @llvm.nvvm.add.rn.f(float %399, float %403) #8
  %405 = tail call float @llvm.nvvm.mul.rn.f(float %400, float 0x3FFB333340000000) #8
  %406 = fneg float %405
  %407 = tail call float @llvm.fma.f32(float %400, float 0x3FFB333340000000, float %406)
  %408 = tail call float @llvm.fma.f32(float %404, float 0x3FFB333340000000, float %407)
  %409 = tail call float @llvm.nvvm.round.f(float %405) #8
  %410 = fsub float %405, %409
  %411 = fadd float %410, %408
  %412 = tail call float @llvm.fma.f32(float %411, float 0x3F23F971C0000000, float 0x3F55F0BDA0000000)
  %413 = tail call float @llvm.fma.f32(float %412, float %411, float 0x3F83B30AC0000000)
  %414 = tail call float @llvm.fma.f32(float %413, float %411, float 0x3FAC6AF760000000)
  %415 = tail call float @llvm.fma.f32(float %414, float %411, float 0x3FCEBFBD80000000)
  %416 = tail call float @llvm.fma.f32(float %415, float %411, float 0x3FE62E4300000000)
  %417 = tail call float @llvm.fma.f32(float %416, float %411, float 1.000000e+00)
  %418 = fptosi float %409 to i32
  %419 = fcmp ogt float %409, 0.000000e+00
  %420 = select i1 %419, i32 0, i32 -2097152000
  %421 = add nsw i32 %420, 2130706432
  %422 = bitcast i32 %421 to float
  %423 = fmul float %417, %422
  %424 = shl i32 %418, 23
  %425 = sub i32 %424, %420
  %426 = bitcast i32 %425 to float
  %427 = fmul float %423, %426
  %428 = tail call float @llvm.nvvm.fabs.f32(float %405)
  %429 = fcmp ogt float %428, 1.520000e+02
  %430 = fcmp olt float %405, 0.000000e+00
  %431 = select i1 %430, float 0.000000e+00, float 0x7FF0000000000000
  %432 = select i1 %429, float %431, float %427
  %433 = fcmp oeq float %11, 1.000000e+00
  br i1 %433, label %448, label %434

434:                                              ; preds = %344
  %435 = fcmp uno float %365, 0.000000e+00
  br i1 %435, label %436, label %438

436:                                              ; preds = %434
  %437 = tail call float @llvm.nvvm.add.rn.f(float %11, float 0x3FFB333340000000) #8
  br label %448

438:                                              ; preds = %434
  %439 = fcmp oeq float %11, 0.000000e+00
  %440 = fcmp oeq float %365, 0x7FF0000000000000
  %441 = select i1 %439, i1 true, i1 %440
  br i1 %441, label %442, label %445

442:                                              ; preds = %438
  %443 = fadd float %11, %11
  %444 = tail call float @llvm.fabs.f32(float %443)
  br label %448

445:                                              ; preds = %438
  %446 = fcmp olt double %10, 0xB690000000000000
  br i1 %446, label %447, label %448

447:                                              ; preds = %445
  br label %448

448:                                              ; preds = %344, %436, %442, %445, %447
  %449 = phi float [ 1.000000e+00, %344 ], [ %437, %436 ], [ %444, %442 ], [ %432, %445 ], [ 0x7FFFFFFFE0000000, %447 ]
  %450 = fpext contract float %449 to double
  %451 = getelementptr inbounds nuw i8, ptr %14, i64 56
  store double %450, ptr %451, align 8, !tbaa !11
  %452 = fmul float %365, 0x4007154760000000
  %453 = tail call float @llvm.nvvm.ex2.approx.ftz.f32(float %452)
  %454 = fadd float %453, 1.000000e+00
  %455 = tail call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %454) #9, !srcloc !16
  %456 = tail call float @llvm.fma.f32(float %455, float -2.000000e+00, float 1.000000e+00)
  %457 = fcmp oge float %365, 0x4022059680000000
  %458 = select i1 %457, float 1.000000e+00, float %456
  %459 = tail call float @llvm.copysign.f32(float %458, float %11) #8
  %460 = fmul float %11, %11
  %461 = tail call float @llvm.fma.f32(float %460, float 0x3F901E1040000000, float 0xBFAAC795C0000000)
  %462 = tail call float @llvm.fma.f32(float %461, float %460, float 0x3FC10B2820000000)
  %463 = tail call float @llvm.fma.f32(float %462, float %460, float 0xBFD5553DA0000000)
  %464 = tail call float @llvm.fma.f32(float %463, float %460, float 0.000000e+00)
  %465 = tail call float @llvm.fma.f32(float %464, float %11, float %11)
  %466 = fcmp oge float %365, 0x3FE3333340000000
  %467 = select i1 %466, float %459, float %465
  %468 = fpext contract float %467 to double
  %469 = getelementptr inbounds nuw i8, ptr %14, i64 64
  store double %468, ptr %469, align 8, !tbaa !11
  %470 = tail call noundef float @llvm.nvvm.rsqrt.approx.f(float %11)
  %471 = fpext contract float %470 to double
  %472 = getelementptr inbounds nuw i8, ptr %14, i64 72
  store double %471, ptr %472, align 8, !tbaa !11
  %473 = fcmp oge float %365, 0x3FF00C1FC0000000
  %474 = select i1 %473, float %365, float %460
  %475 = select i1 %473, float 0x3F1D698740000000, float 0x3F163D2D40000000
  %476 = select i1 %473, float 0xBF55C00B60000000, float 0xBF4AE9A400000000
  %477 = tail call float @llvm.fma.f32(float %475, float %474, float %476)
  %478 = select i1 %473, float 0x3F813233E0000000, float 0x3F755ABD40000000
  %479 = tail call float @llvm.fma.f32(float %477, float %474, float %478)
  %480 = select i1 %473, float 0xBFA49B3340000000, float 0xBF9B837CE0000000
  %481 = tail call float @llvm.fma.f32(float %479, float %474, float %480)
  %482 = select i1 %473, float 0x3FC46AA320000000, float 0x3FBCE315E0000000
  %483 = tail call float @llvm.fma.f32(float %481, float %474, float %482)
  %484 = select i1 %473, float 0x3FED369F20000000, float 0xBFD8127580000000
  %485 = tail call float @llvm.fma.f32(float %483, float %474, float %484)
  %486 = select i1 %473, float 0x3FE4214280000000, float 0x3FC06EBA60000000
  %487 = tail call float @llvm.fma.f32(float %485, float %474, float %486)
  %488 = fneg float %474
  %489 = select i1 %473, float %488, float %11
  %490 = tail call float @llvm.fma.f32(float %487, float %489, float %489)
  br i1 %473, label %491, label %495

491:                                              ; preds = %448
  %492 = tail call float @llvm.nvvm.ex2.approx.ftz.f32(float %490)
  %493 = fsub float 1.000000e+00, %492
  %494 = tail call float @llvm.copysign.f32(float %493, float %11) #8
  br label %495

495:                                              ; preds = %448, %491
  %496 = phi float [ %494, %491 ], [ %490, %448 ]
  %497 = fpext contract float %496 to double
  %498 = getelementptr inbounds nuw i8, ptr %14, i64 80
  store double %497, ptr %498, align 8, !tbaa !11
  %499 = and i32 %36, 2147483647
  %500 = lshr i32 %499, 20
  %501 = icmp eq i32 %500, 0
  br i1 %501, label %502, label %508

502:                                              ; preds = %495
  %503 = tail call double @llvm.nvvm.lohi.i2d(i32 %57, i32 %499) #8
  %504 = fmul double %503, 0x4350000000000000
  %505 = tail call i32 @llvm.nvvm.d2i.hi(double %504) #8
  %506 = lshr i32 %505, 20
  %507 = tail call i32 @llvm.nvvm.d2i.lo(double %504) #8
  br label %508

508:                                              ; preds = %495, %502
  %509 = phi i32 [ %507, %502 ], [ %57, %495 ]
  %510 = phi i32 [ %505, %502 ], [ %499, %495 ]
  %511 = phi i32 [ %506, %502 ], [ %500, %495 ]
  %512 = phi i32 [ -18, %502 ], [ 0, %495 ]
  %513 = add nsw i32 %511, -1022
  %514 = sitofp i32 %513 to float
  %515 = fmul float %514, 0x3FD5555560000000
  %516 = tail call i32 @llvm.nvvm.f2i.rn(float %515) #8
  %517 = mul i32 %516, -3145728
  %518 = add i32 %517, %510
  %519 = tail call double @llvm.nvvm.lohi.i2d(i32 %509, i32 %518) #8
  %520 = fptrunc double %519 to float
  %521 = tail call float @llvm.nvvm.lg2.approx.ftz.f(float %520) #8
  %522 = fmul float %521, 0x3FD5555560000000
  %523 = tail call float @llvm.nvvm.ex2.approx.ftz.f32(float %522)
  %524 = fpext float %523 to double
  %525 = fmul double %524, %524
  %526 = tail call i32 @llvm.nvvm.d2i.lo(double %525) #8
  %527 = tail call i32 @llvm.nvvm.d2i.hi(double %525) #8
  %528 = add i32 %527, 1048576
  %529 = tail call double @llvm.nvvm.lohi.i2d(i32 %526, i32 %528) #8
  %530 = tail call double @llvm.fma.f64(double %529, double %524, double %519)
  %531 = tail call double @llvm.nvvm.rcp.approx.ftz.d(double %530) #8
  %532 = fneg double %530
  %533 = tail call double @llvm.fma.f64(double %532, double %531, double 1.000000e+00)
  %534 = tail call double @llvm.fma.f64(double %533, double %533, double %533)
  %535 = tail call double @llvm.fma.f64(double %534, double %531, double %531)
  %536 = fneg double %524
  %537 = tail call double @llvm.fma.f64(double %525, double %536, double %519)
  %538 = fmul double %537, %535
  %539 = tail call double @llvm.fma.f64(double %524, double %538, double %524)
  %540 = tail call i32 @llvm.nvvm.d2i.lo(double %539) #8
  %541 = tail call i32 @llvm.nvvm.d2i.hi(double %539) #8
  %542 = add i32 %516, %512
  %543 = shl i32 %542, 20
  %544 = add nsw i32 %541, %543
  %545 = tail call double @llvm.nvvm.lohi.i2d(i32 %540, i32 %544) #8
  %546 = tail call double @llvm.copysign.f64(double %545, double %10) #8
  %547 = fadd double %10, %10
  %548 = tail call noundef double asm "{ .reg .pred __$$temp3;\0A  setp.equ.f64 __$$temp3, $1, $2;\0A  selp.f64 $0, $3, $4, __$$temp3;}", "=d,d,d,d,d"(double %547, double %10, double %547, double %546) #9, !srcloc !17
  %549 = getelementptr inbounds nuw i8, ptr %14, i64 88
  store double %548, ptr %549, align 8, !tbaa !11
  %550 = tail call noundef double @llvm.minnum.f64(double %10, double 1.500000e+00)
  %551 = getelementptr inbounds nuw i8, ptr %14, i64 96
  store double %550, ptr %551, align 8, !tbaa !11
  %552 = tail call noundef float @llvm.maxnum.f32(float %11, float 1.500000e+00)
  %553 = fpext contract float %552 to double
  %554 = getelementptr inbounds nuw i8, ptr %14, i64 104
  store double %553, ptr %554, align 8, !tbaa !11
  %555 = tail call contract noundef double @llvm.rint.f64(double %10)
  %556 = getelementptr inbounds nuw i8, ptr %14, i64 112
  store double %555, ptr %556, align 8, !tbaa !11
  %557 = fneg contract double %10
  %558 = tail call noundef i32 @llvm.nvvm.d2i.rm(double %557)
  %559 = sitofp i32 %558 to double
  %560 = getelementptr inbounds nuw i8, ptr %14, i64 120
  store double %559, ptr %560, align 8, !tbaa !11
  br label %561

561:                                              ; preds = %3, %508
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.rint.f64(double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.rsqrt.approx.f(float) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.d2i.rm(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.fabs.f32(float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float) #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.copysign.f32(float, float) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.f2i.rn(float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.mul.rn.f(float, float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.saturate.f(float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.fma.rm.f(float, float, float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.add.rn.f(float, float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.round.f(float) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.nvvm.fabs.f64(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.nvvm.mul.rn.d(double, double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.d2i.rn(double) #1

; Function Attrs: nofree noinline norecurse nosync nounwind memory(none)
define internal fastcc { double, i32 } @__internal_trig_reduction_slowpathd(double %0) unnamed_addr #4 {
  %2 = alloca [5 x i64], align 8
  %3 = tail call i32 @llvm.nvvm.d2i.hi(double %0) #8
  %4 = and i32 %3, -2147483648
  %5 = lshr i32 %3, 20
  %6 = and i32 %5, 2047
  %7 = icmp eq i32 %6, 2047
  br i1 %7, label %104, label %8

8:                                                ; preds = %1
  %9 = add nsw i32 %6, -1024
  %10 = bitcast double %0 to i64
  %11 = shl i64 %10, 11
  %12 = or i64 %11, -9223372036854775808
  %13 = lshr i32 %9, 6
  %14 = sub nsw i32 15, %13
  %15 = sub nsw i32 19, %13
  %16 = tail call i32 @llvm.smin.i32(i32 %15, i32 18) #8
  %17 = icmp slt i32 %14, %16
  br i1 %17, label %18, label %32

18:                                               ; preds = %8, %18
  %19 = phi i32 [ %30, %18 ], [ %14, %8 ]
  %20 = phi i64 [ %26, %18 ], [ 0, %8 ]
  %21 = sext i32 %19 to i64
  %22 = getelementptr inbounds i64, ptr addrspace(1) @__cudart_i2opi_d, i64 %21
  %23 = load i64, ptr addrspace(1) %22, align 8
  %24 = tail call { i64, i64 } asm "{\0A\09.reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi, clo, chi;\0A\09mov.b64         {alo,ahi}, $2;    \0A\09mov.b64         {blo,bhi}, $3;    \0A\09mov.b64         {clo,chi}, $4;    \0A\09mad.lo.cc.u32   r0, alo, blo, clo;\0A\09madc.hi.cc.u32  r1, alo, blo, chi;\0A\09madc.hi.u32     r2, alo, bhi,   0;\0A\09mad.lo.cc.u32   r1, alo, bhi,  r1;\0A\09madc.hi.cc.u32  r2, ahi, blo,  r2;\0A\09madc.hi.u32     r3, ahi, bhi,   0;\0A\09mad.lo.cc.u32   r1, ahi, blo,  r1;\0A\09madc.lo.cc.u32  r2, ahi, bhi,  r2;\0A\09addc.u32        r3,  r3,   0;     \0A\09mov.b64         $0, {r0,r1};      \0A\09mov.b64         $1, {r2,r3};      \0A\09}", "=l,=l,l,l,l"(i64 %23, i64 %12, i64 %20) #9, !srcloc !18
  %25 = extractvalue { i64, i64 } %24, 0
  %26 = extractvalue { i64, i64 } %24, 1
  %27 = sub nsw i32 %19, %14
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i64, ptr %2, i64 %28
  store i64 %25, ptr %29, align 8
  %30 = add nsw i32 %19, 1
  %31 = icmp eq i32 %30, %16
  br i1 %31, label %32, label %18, !llvm.loop !19

32:                                               ; preds = %18, %8
  %33 = phi i64 [ 0, %8 ], [ %26, %18 ]
  %34 = phi i32 [ %14, %8 ], [ %16, %18 ]
  %35 = sub nsw i32 %34, %14
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds i64, ptr %2, i64 %36
  store i64 %33, ptr %37, align 8
  %38 = and i32 %5, 63
  %39 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %42 = load i64, ptr %41, align 8
  %43 = icmp eq i32 %38, 0
  br i1 %43, label %56, label %44

44:                                               ; preds = %32
  %45 = sub nuw nsw i32 64, %38
  %46 = zext nneg i32 %38 to i64
  %47 = shl i64 %42, %46
  %48 = zext nneg i32 %45 to i64
  %49 = lshr i64 %40, %48
  %50 = or i64 %47, %49
  %51 = shl i64 %40, %46
  %52 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %53 = load i64, ptr %52, align 8
  %54 = lshr i64 %53, %48
  %55 = or i64 %54, %51
  br label %56

56:                                               ; preds = %44, %32
  %57 = phi i64 [ %50, %44 ], [ %42, %32 ]
  %58 = phi i64 [ %55, %44 ], [ %40, %32 ]
  %59 = lshr i64 %57, 62
  %60 = trunc nuw nsw i64 %59 to i32
  %61 = tail call i64 @llvm.fshl.i64(i64 %57, i64 %58, i64 2)
  %62 = shl i64 %58, 2
  %63 = lshr i64 %61, 63
  %64 = trunc nuw nsw i64 %63 to i32
  %65 = add nuw nsw i32 %64, %60
  %66 = icmp eq i32 %4, 0
  %67 = sub nsw i32 0, %65
  %68 = select i1 %66, i32 %65, i32 %67
  %69 = icmp sgt i64 %61, -1
  br i1 %69, label %75, label %70

70:                                               ; preds = %56
  %71 = xor i32 %4, -2147483648
  %72 = tail call { i64, i64 } asm "{\0A\09.reg .u32 r0, r1, r2, r3, a0, a1, a2, a3, b0, b1, b2, b3;\0A\09mov.b64         {a0,a1}, $2;\0A\09mov.b64         {a2,a3}, $3;\0A\09mov.b64         {b0,b1}, $4;\0A\09mov.b64         {b2,b3}, $5;\0A\09sub.cc.u32      r0, a0, b0; \0A\09subc.cc.u32     r1, a1, b1; \0A\09subc.cc.u32     r2, a2, b2; \0A\09subc.u32        r3, a3, b3; \0A\09mov.b64         $0, {r0,r1};\0A\09mov.b64         $1, {r2,r3};\0A\09}", "=l,=l,l,l,l,l"(i64 0, i64 0, i64 %62, i64 %61) #9, !srcloc !20
  %73 = extractvalue { i64, i64 } %72, 0
  %74 = extractvalue { i64, i64 } %72, 1
  br label %75

75:                                               ; preds = %70, %56
  %76 = phi i64 [ %74, %70 ], [ %61, %56 ]
  %77 = phi i64 [ %73, %70 ], [ %62, %56 ]
  %78 = phi i32 [ %71, %70 ], [ %4, %56 ]
  %79 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %76, i1 false)
  %80 = freeze i64 %77
  %81 = tail call i64 @llvm.fshl.i64(i64 %76, i64 %80, i64 %79)
  %82 = tail call { i64, i64 } asm "{\0A\09.reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi;\0A\09mov.b64         {alo,ahi}, $2;   \0A\09mov.b64         {blo,bhi}, $3;   \0A\09mul.lo.u32      r0, alo, blo;    \0A\09mul.hi.u32      r1, alo, blo;    \0A\09mad.lo.cc.u32   r1, alo, bhi, r1;\0A\09madc.hi.u32     r2, alo, bhi,  0;\0A\09mad.lo.cc.u32   r1, ahi, blo, r1;\0A\09madc.hi.cc.u32  r2, ahi, blo, r2;\0A\09madc.hi.u32     r3, ahi, bhi,  0;\0A\09mad.lo.cc.u32   r2, ahi, bhi, r2;\0A\09addc.u32        r3, r3,  0;      \0A\09mov.b64         $0, {r0,r1};     \0A\09mov.b64         $1, {r2,r3};     \0A\09}", "=l,=l,l,l"(i64 %81, i64 -3958705157555305931) #9, !srcloc !21
  %83 = extractvalue { i64, i64 } %82, 1
  %84 = icmp sgt i64 %83, 0
  br i1 %84, label %85, label %90

85:                                               ; preds = %75
  %86 = add nuw nsw i64 %79, 1
  %87 = extractvalue { i64, i64 } %82, 0
  %88 = tail call { i64, i64 } asm "{\0A\09.reg .u32 r0, r1, r2, r3, a0, a1, a2, a3, b0, b1, b2, b3;\0A\09mov.b64         {a0,a1}, $2;\0A\09mov.b64         {a2,a3}, $3;\0A\09mov.b64         {b0,b1}, $4;\0A\09mov.b64         {b2,b3}, $5;\0A\09add.cc.u32      r0, a0, b0; \0A\09addc.cc.u32     r1, a1, b1; \0A\09addc.cc.u32     r2, a2, b2; \0A\09addc.u32        r3, a3, b3; \0A\09mov.b64         $0, {r0,r1};\0A\09mov.b64         $1, {r2,r3};\0A\09}", "=l,=l,l,l,l,l"(i64 %87, i64 %83, i64 %87, i64 %83) #9, !srcloc !22
  %89 = extractvalue { i64, i64 } %88, 1
  br label %90

90:                                               ; preds = %85, %75
  %91 = phi i64 [ %89, %85 ], [ %83, %75 ]
  %92 = phi i64 [ %86, %85 ], [ %79, %75 ]
  %93 = zext i32 %78 to i64
  %94 = shl nuw i64 %93, 32
  %95 = add i64 %91, 1
  %96 = lshr i64 %95, 10
  %97 = add nuw nsw i64 %96, 1
  %98 = lshr i64 %97, 1
  %99 = shl nuw nsw i64 %92, 52
  %100 = sub nsw i64 %98, %99
  %101 = add nsw i64 %100, 4602678819172646912
  %102 = or i64 %101, %94
  %103 = bitcast i64 %102 to double
  br label %104

104:                                              ; preds = %1, %90
  %105 = phi double [ %103, %90 ], [ %0, %1 ]
  %106 = phi i32 [ %68, %90 ], [ 0, %1 ]
  %107 = insertvalue { double, i32 } poison, double %105, 0
  %108 = insertvalue { double, i32 } %107, i32 %106, 1
  ret { double, i32 } %108
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.d2i.hi(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.d2i.lo(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.nvvm.lohi.i2d(i32, i32) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare double @llvm.nvvm.rcp.approx.ftz.d(double) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.nvvm.add.rn.d(double, double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.lg2.approx.ftz.f(float) #3

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #2

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none)
define internal fastcc double @__internal_accurate_pow(double %0) unnamed_addr #5 {
  %2 = tail call i32 @llvm.nvvm.d2i.hi(double %0) #8
  %3 = tail call i32 @llvm.nvvm.d2i.lo(double %0) #8
  %4 = lshr i32 %2, 20
  %5 = icmp eq i32 %4, 0
  %6 = fmul double %0, 0x4350000000000000
  %7 = tail call i32 @llvm.nvvm.d2i.hi(double %6) #8
  %8 = tail call i32 @llvm.nvvm.d2i.lo(double %6) #8
  %9 = lshr i32 %7, 20
  %10 = add nsw i32 %9, -54
  %11 = select i1 %5, i32 %8, i32 %3
  %12 = select i1 %5, i32 %7, i32 %2
  %13 = select i1 %5, i32 %10, i32 %4
  %14 = and i32 %12, -2146435073
  %15 = or disjoint i32 %14, 1072693248
  %16 = tail call double @llvm.nvvm.lohi.i2d(i32 %11, i32 %15) #8
  %17 = icmp ugt i32 %15, 1073127582
  %18 = tail call i32 @llvm.nvvm.d2i.lo(double %16) #8
  %19 = tail call i32 @llvm.nvvm.d2i.hi(double %16) #8
  %20 = add i32 %19, -1048576
  %21 = tail call double @llvm.nvvm.lohi.i2d(i32 %18, i32 %20) #8
  %22 = select i1 %17, double %21, double %16
  %23 = select i1 %17, i32 -1022, i32 -1023
  %24 = add nsw i32 %23, %13
  %25 = fadd double %22, -1.000000e+00
  %26 = fadd double %22, 1.000000e+00
  %27 = tail call double @llvm.nvvm.rcp.approx.ftz.d(double %26) #8
  %28 = fneg double %26
  %29 = tail call double @llvm.fma.f64(double %28, double %27, double 1.000000e+00)
  %30 = tail call double @llvm.fma.f64(double %29, double %29, double %29)
  %31 = tail call double @llvm.fma.f64(double %30, double %27, double %27)
  %32 = fmul double %25, %31
  %33 = fadd double %32, %32
  %34 = fmul double %33, %33
  %35 = tail call double @llvm.fma.f64(double %34, double 0x3EB0F5FF7D2CAFE2, double 0x3ED0F5D241AD3B5A)
  %36 = tail call double @llvm.fma.f64(double %35, double %34, double 0x3EF3B20A75488A3F)
  %37 = tail call double @llvm.fma.f64(double %36, double %34, double 0x3F1745CDE4FAECD5)
  %38 = tail call double @llvm.fma.f64(double %37, double %34, double 0x3F3C71C7258A578B)
  %39 = tail call double @llvm.fma.f64(double %38, double %34, double 0x3F6249249242B910)
  %40 = tail call double @llvm.fma.f64(double %39, double %34, double 0x3F89999999999DFB)
  %41 = fmul double %34, %40
  %42 = fsub double %25, %33
  %43 = fmul double %42, 2.000000e+00
  %44 = fneg double %33
  %45 = tail call double @llvm.fma.f64(double %44, double %25, double %43)
  %46 = fmul double %31, %45
  %47 = fadd double %41, 0x3FB5555555555555
  %48 = fsub double 0x3FB5555555555555, %47
  %49 = fadd double %41, %48
  %50 = fadd double %49, 0xBC46A4CB00B9E7B0
  %51 = fadd double %47, %50
  %52 = fsub double %47, %51
  %53 = fadd double %50, %52
  %54 = tail call double @llvm.nvvm.mul.rn.d(double %33, double %33) #8
  %55 = fneg double %54
  %56 = tail call double @llvm.fma.f64(double %33, double %33, double %55)
  %57 = tail call i32 @llvm.nvvm.d2i.lo(double %46) #8
  %58 = tail call i32 @llvm.nvvm.d2i.hi(double %46) #8
  %59 = add i32 %58, 1048576
  %60 = tail call double @llvm.nvvm.lohi.i2d(i32 %57, i32 %59) #8
  %61 = tail call double @llvm.fma.f64(double %33, double %60, double %56)
  %62 = tail call double @llvm.nvvm.mul.rn.d(double %54, double %33) #8
  %63 = fneg double %62
  %64 = tail call double @llvm.fma.f64(double %54, double %33, double %63)
  %65 = tail call double @llvm.fma.f64(double %54, double %46, double %64)
  %66 = tail call double @llvm.fma.f64(double %61, double %33, double %65)
  %67 = tail call double @llvm.nvvm.mul.rn.d(double %51, double %62) #8
  %68 = fneg double %67
  %69 = tail call double @llvm.fma.f64(double %51, double %62, double %68)
  %70 = tail call double @llvm.fma.f64(double %51, double %66, double %69)
  %71 = tail call double @llvm.fma.f64(double %53, double %62, double %70)
  %72 = fadd double %67, %71
  %73 = fsub double %67, %72
  %74 = fadd double %71, %73
  %75 = fadd double %33, %72
  %76 = fsub double %33, %75
  %77 = fadd double %72, %76
  %78 = fadd double %74, %77
  %79 = fadd double %46, %78
  %80 = fadd double %75, %79
  %81 = fsub double %75, %80
  %82 = fadd double %79, %81
  %83 = xor i32 %24, -2147483648
  %84 = tail call double @llvm.nvvm.lohi.i2d(i32 %83, i32 1127219200) #8
  %85 = tail call double @llvm.nvvm.lohi.i2d(i32 -2147483648, i32 1127219200) #8
  %86 = fsub double %84, %85
  %87 = tail call double @llvm.fma.f64(double %86, double 0x3FE62E42FEFA39EF, double %80)
  %88 = fneg double %86
  %89 = tail call double @llvm.fma.f64(double %88, double 0x3FE62E42FEFA39EF, double %87)
  %90 = fsub double %89, %80
  %91 = fsub double %82, %90
  %92 = tail call double @llvm.fma.f64(double %86, double 0x3C7ABC9E3B39803F, double %91)
  %93 = fadd double %87, %92
  %94 = fsub double %87, %93
  %95 = fadd double %92, %94
  %96 = tail call i32 @llvm.nvvm.d2i.hi(double 1.700000e+00) #8
  %97 = tail call i32 @llvm.nvvm.d2i.lo(double 1.700000e+00) #8
  %98 = shl i32 %96, 1
  %99 = icmp ugt i32 %98, -33554433
  %100 = and i32 %96, -15728641
  %101 = select i1 %99, i32 %100, i32 %96
  %102 = tail call double @llvm.nvvm.lohi.i2d(i32 %97, i32 %101) #8
  %103 = tail call double @llvm.nvvm.mul.rn.d(double %93, double %102) #8
  %104 = fneg double %103
  %105 = tail call double @llvm.fma.f64(double %93, double %102, double %104)
  %106 = tail call double @llvm.fma.f64(double %95, double %102, double %105)
  %107 = fadd double %103, %106
  %108 = tail call double @llvm.fma.f64(double %107, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %109 = tail call i32 @llvm.nvvm.d2i.lo(double %108) #8
  %110 = tail call double @llvm.nvvm.add.rn.d(double %108, double 0xC338000000000000) #8
  %111 = tail call double @llvm.fma.f64(double %110, double 0xBFE62E42FEFA39EF, double %107)
  %112 = tail call double @llvm.fma.f64(double %110, double 0xBC7ABC9E3B39803F, double %111)
  %113 = tail call double @llvm.fma.f64(double %112, double 0x3E5ADE1569CE2BDF, double 0x3E928AF3FCA213EA)
  %114 = tail call double @llvm.fma.f64(double %113, double %112, double 0x3EC71DEE62401315)
  %115 = tail call double @llvm.fma.f64(double %114, double %112, double 0x3EFA01997C89EB71)
  %116 = tail call double @llvm.fma.f64(double %115, double %112, double 0x3F2A01A014761F65)
  %117 = tail call double @llvm.fma.f64(double %116, double %112, double 0x3F56C16C1852B7AF)
  %118 = tail call double @llvm.fma.f64(double %117, double %112, double 0x3F81111111122322)
  %119 = tail call double @llvm.fma.f64(double %118, double %112, double 0x3FA55555555502A1)
  %120 = tail call double @llvm.fma.f64(double %119, double %112, double 0x3FC5555555555511)
  %121 = tail call double @llvm.fma.f64(double %120, double %112, double 0x3FE000000000000B)
  %122 = tail call double @llvm.fma.f64(double %121, double %112, double 1.000000e+00)
  %123 = tail call double @llvm.fma.f64(double %122, double %112, double 1.000000e+00)
  %124 = tail call i32 @llvm.nvvm.d2i.lo(double %123) #8
  %125 = tail call i32 @llvm.nvvm.d2i.hi(double %123) #8
  %126 = shl i32 %109, 20
  %127 = add i32 %125, %126
  %128 = tail call double @llvm.nvvm.lohi.i2d(i32 %124, i32 %127) #8
  %129 = tail call i32 @llvm.nvvm.d2i.hi(double %107) #8
  %130 = bitcast i32 %129 to float
  %131 = tail call float @llvm.nvvm.fabs.f32(float %130)
  %132 = fcmp olt float %131, 0x4010C46560000000
  br i1 %132, label %148, label %133

133:                                              ; preds = %1
  %134 = fcmp olt double %107, 0.000000e+00
  %135 = fadd double %107, 0x7FF0000000000000
  %136 = select i1 %134, double 0.000000e+00, double %135
  %137 = fcmp olt float %131, 0x4010E90000000000
  br i1 %137, label %138, label %148

138:                                              ; preds = %133
  %139 = sdiv i32 %109, 2
  %140 = shl i32 %139, 20
  %141 = add i32 %125, %140
  %142 = tail call double @llvm.nvvm.lohi.i2d(i32 %124, i32 %141) #8
  %143 = sub nsw i32 %109, %139
  %144 = shl i32 %143, 20
  %145 = add nsw i32 %144, 1072693248
  %146 = tail call double @llvm.nvvm.lohi.i2d(i32 0, i32 %145) #8
  %147 = fmul double %146, %142
  br label %148

148:                                              ; preds = %133, %138, %1
  %149 = phi double [ %128, %1 ], [ %147, %138 ], [ %136, %133 ]
  %150 = fsub double %103, %107
  %151 = fadd double %106, %150
  %152 = tail call double @llvm.nvvm.fabs.f64(double %149)
  %153 = fcmp oeq double %152, 0x7FF0000000000000
  %154 = tail call double @llvm.fma.f64(double %149, double %151, double %149)
  %155 = select i1 %153, double %149, double %154
  ret double %155
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.minnum.f64(double, double) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #7

attributes #0 = { noinline norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #4 = { nofree noinline norecurse nosync nounwind memory(none) "disable-tail-calls"="false" "frame-pointer"="all" "less-precise-fpmad"="false" "no-infs-fp-math"="false" "no-nans-fp-math"="false" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "unsafe-fp-math"="false" "use-soft-float"="false" }
attributes #5 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "disable-tail-calls"="false" "frame-pointer"="all" "less-precise-fpmad"="false" "no-infs-fp-math"="false" "no-nans-fp-math"="false" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "unsafe-fp-math"="false" "use-soft-float"="false" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nounwind }
attributes #9 = { nounwind memory(none) }

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
!11 = !{!12, !12, i64 0}
!12 = !{!"double", !8, i64 0}
!13 = !{i32 33673, i32 33677, i32 33722, i32 33767}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.count", i32 1}
!16 = !{i32 21352}
!17 = !{i32 213980, i32 214019, i32 214067}
!18 = !{i32 160011, i32 160015, i32 160084, i32 160132, i32 160180, i32 160228, i32 160276, i32 160324, i32 160372, i32 160420, i32 160468, i32 160516, i32 160564, i32 160612, i32 160660, i32 160708, i32 160756}
!19 = distinct !{!19, !15}
!20 = !{i32 157745, i32 157749, i32 157820, i32 157862, i32 157904, i32 157946, i32 157988, i32 158030, i32 158072, i32 158114, i32 158156, i32 158198, i32 158240}
!21 = !{i32 158786, i32 158790, i32 158849, i32 158896, i32 158943, i32 158990, i32 159037, i32 159084, i32 159131, i32 159178, i32 159225, i32 159272, i32 159319, i32 159366, i32 159413, i32 159460}
!22 = !{i32 156547, i32 156551, i32 156622, i32 156664, i32 156706, i32 156748, i32 156790, i32 156832, i32 156874, i32 156916, i32 156958, i32 157000, i32 157042}
