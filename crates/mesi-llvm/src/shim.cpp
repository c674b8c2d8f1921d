// The C++ side of the plug-in: what LLVM's C API lacks. No decisions here; `sys.rs` mirrors this file line for line.
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
using namespace llvm;

struct Callbacks { // Must match `sys::Callbacks`.
  bool (*Run)(uint32_t Where, uint32_t Level, LLVMModuleRef M, const char *Text, size_t Size);
  bool (*IsOurs)(const char *Text, size_t Size);
  bool (*KeepRolled)(LLVMBasicBlockRef Header); // null: no loop pass
};
static_assert(LLVM_PLUGIN_API_VERSION == 2 && sizeof(PassPluginLibraryInfo) == 40 && sizeof(Callbacks) == 24 && DS_Error == 0 && DS_Warning == 1);

namespace {
struct MesiPass : PassInfoMixin<MesiPass> {
  const Callbacks *C; uint32_t Where, Level; std::string Text;
  MesiPass(const Callbacks *C, uint32_t Where, uint32_t Level, StringRef Text) : C(C), Where(Where), Level(Level), Text(Text) {}
  static StringRef name() { return "mesi"; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return C->Run(Where, Level, wrap(&M), Text.data(), Text.size()) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};
struct MesiRolled : PassInfoMixin<MesiRolled> {
  const Callbacks *C; MesiRolled(const Callbacks *C) : C(C) {}
  static StringRef name() { return "mesi-rolled"; }
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &, LoopStandardAnalysisResults &, LPMUpdater &) {
    if (C->KeepRolled(wrap(L.getHeader())) && !findOptionMDForLoop(&L, "llvm.loop.unroll.disable")) {
      addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
      addStringMetadataToLoop(&L, "mesi.rolled", 1);
    }
    return PreservedAnalyses::all();
  }
};
Function &fn(LLVMValueRef F) { return *unwrap<Function>(F); }
DiagnosticLocation where(LLVMValueRef F, LLVMValueRef I) { // The instruction's line, else the function's, else none.
  return I && unwrap<Instruction>(I)->getDebugLoc() ? DiagnosticLocation(unwrap<Instruction>(I)->getDebugLoc()) : DiagnosticLocation(fn(F).getSubprogram());
}
} // namespace

extern "C" void mesi_register(PassBuilder *PB, const Callbacks *C) {
  PB->registerPipelineParsingCallback([C](StringRef Name, ModulePassManager &PM, ArrayRef<PassBuilder::PipelineElement>) {
    return C->IsOurs(Name.data(), Name.size()) && (PM.addPass(MesiPass(C, 0, 0, Name)), true); });
  PB->registerOptimizerEarlyEPCallback([C](ModulePassManager &PM, OptimizationLevel L, ThinOrFullLTOPhase P) {
    PM.addPass(MesiPass(C, P == ThinOrFullLTOPhase::None ? 1 : 3, L.getSpeedupLevel(), "mesi")); });
  PB->registerOptimizerLastEPCallback([C](ModulePassManager &PM, OptimizationLevel L, ThinOrFullLTOPhase) { PM.addPass(MesiPass(C, 2, L.getSpeedupLevel(), "mesi")); });
  if (C->KeepRolled) PB->registerLateLoopOptimizationsEPCallback([C](LoopPassManager &PM, OptimizationLevel) { PM.addPass(MesiRolled(C)); });
}
extern "C" bool mesi_option_exists(const char *Name, size_t Size) { return cl::getRegisteredOptions().count(StringRef(Name, Size)); }
extern "C" bool mesi_option_given(const char *Name, size_t Size) {
  auto &All = cl::getRegisteredOptions(); auto I = All.find(StringRef(Name, Size)); return I != All.end() && I->second->getNumOccurrences(); }
extern "C" void *mesi_option_add(const char *Name, size_t NameSize, const char *Help, size_t HelpSize, const char *Value, size_t ValueSize, bool Flag) {
  return new cl::opt<std::string>(StringRef(Name, NameSize), cl::desc(StringRef(Help, HelpSize)),
    cl::value_desc(StringRef(Value, ValueSize)), Flag ? cl::ValueOptional : cl::ValueRequired);
}
extern "C" bool mesi_option_read(void *Option, const char **Text, size_t *Size) {
  auto *O = static_cast<cl::opt<std::string> *>(Option);
  return *Text = O->data(), *Size = O->size(), O->getNumOccurrences() > 0;
}
extern "C" void mesi_diagnose(LLVMModuleRef M, LLVMValueRef F, LLVMValueRef I, uint32_t Severity, const char *Text, size_t Size) {
  F ? fn(F).getContext().diagnose(DiagnosticInfoUnsupported(fn(F), StringRef(Text, Size), where(F, I), DiagnosticSeverity(Severity)))
    : unwrap(M)->getContext().diagnose(DiagnosticInfoGeneric(StringRef(Text, Size), DiagnosticSeverity(Severity)));
}
extern "C" DiagnosticInfoIROptimization *mesi_remark_new(uint32_t Kind, LLVMValueRef F, LLVMValueRef I, const char *Name, size_t Size) {
  auto make = [&](auto *R) -> DiagnosticInfoIROptimization * { return new std::remove_pointer_t<decltype(R)>("mesi", StringRef(Name, Size), where(F, I), &fn(F).getEntryBlock()); };
  return Kind == 0 ? make((OptimizationRemark *)0) : Kind == 1 ? make((OptimizationRemarkMissed *)0) : make((OptimizationRemarkAnalysis *)0);
}
extern "C" void mesi_remark_text(DiagnosticInfoIROptimization *R, const char *Text, size_t Size) { R->insert(StringRef(Text, Size)); }
extern "C" void mesi_remark_arg(DiagnosticInfoIROptimization *R, const char *Key, size_t KeySize, const char *Text, size_t Size) {
  R->insert(DiagnosticInfoOptimizationBase::Argument(StringRef(Key, KeySize), StringRef(Text, Size)));
}
extern "C" void mesi_remark_emit(DiagnosticInfoIROptimization *R, LLVMValueRef F) { OptimizationRemarkEmitter(&fn(F)).emit(*R); delete R; }
extern "C" char *mesi_demangle(const char *Mangled, uint32_t Part) { // 0: base name, 1: the scope around it; null: not mangled
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled)) return nullptr;
  return Part == 0 ? D.getFunctionBaseName(nullptr, nullptr) : D.getFunctionDeclContextName(nullptr, nullptr);
}
extern "C" LLVMValueRef mesi_duplicate(LLVMValueRef F, const char *Name, size_t Size, const LLVMValueRef *From, const LLVMValueRef *To, size_t Count) {
  ValueToValueMapTy Map;
  for (size_t I = 0; I != Count; ++I) Map[unwrap(From[I])] = unwrap(To[I]);
  Function *Copy = CloneFunction(&fn(F), Map);
  Copy->setName(StringRef(Name, Size));
  return wrap(Copy);
}
extern "C" LLVMValueRef mesi_extend(LLVMValueRef F, LLVMTypeRef Extra) { // Attributes, body, and name move to a function of another type.
  Function &Old = fn(F); Type *Struct = unwrap(Extra); LLVMContext &C = Old.getContext();
  SmallVector<Type *> Types(Old.getFunctionType()->params());
  Types.push_back(PointerType::get(C, 0));
  Function *New = Function::Create(FunctionType::get(Old.getReturnType(), Types, false), Old.getLinkage(), Old.getAddressSpace(), "", Old.getParent());
  New->copyAttributesFrom(&Old); New->copyMetadata(&Old, 0); New->setComdat(Old.getComdat());
  New->splice(New->begin(), &Old);
  for (auto [From, To] : zip_first(Old.args(), New->args())) { From.replaceAllUsesWith(&To); To.takeName(&From); }
  New->addParamAttr(Old.arg_size(), Attribute::getWithByValType(C, Struct));
  New->addParamAttr(Old.arg_size(), Attribute::getWithAlignment(C, Align(4)));
  New->takeName(&Old); Old.replaceAllUsesWith(New); Old.eraseFromParent();
  return wrap(New);
}
extern "C" uint64_t mesi_hash(LLVMValueRef F) { return StructuralHash(fn(F), true); }
extern "C" void mesi_drop_kept(LLVMValueRef Global) {
  auto *G = unwrap<GlobalVariable>(Global);
  removeFromUsedLists(*G->getParent(), [G](Constant *C) { return C == G; });
  G->eraseFromParent();
}
extern "C" void mesi_keep(LLVMModuleRef M, LLVMValueRef Global) { appendToCompilerUsed(*unwrap(M), {unwrap<GlobalValue>(Global)}); }
