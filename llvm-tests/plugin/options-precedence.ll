; A pass parameter beats a command-line option, which beats the environment. `only` shows which one
; held, because the kernel that was not asked for is remarked on with its value.
; RUN: MESI_ONLY=environment %opt -load-pass-plugin %mesi -passes=mesi -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=ENV
; ENV: not staged: kernel mm: only 'environment' was asked for (Disabled)
; RUN: MESI_ONLY=environment %opt -load-pass-plugin %mesi -mesi-only=flag -passes=mesi -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=FLAG
; FLAG: only 'flag' was asked for
; RUN: MESI_ONLY=environment %opt -load-pass-plugin %mesi -mesi-only=flag -passes='mesi<only=parameter>' -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=PARAMETER
; PARAMETER: only 'parameter' was asked for
; A switch can be turned off by the stronger source.
; RUN: MESI_DISABLE=1 %opt -load-pass-plugin %mesi -passes='mesi<disable=off;only=parameter>' -pass-remarks-missed=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=PARAMETER
; RUN: MESI_DISABLE=1 %opt -load-pass-plugin %mesi -passes=mesi -pass-remarks-analysis=mesi -disable-output %S/mm.ll 2>&1 | %FileCheck %s -check-prefix=DISABLED
; DISABLED: mm: left alone: mesi is disabled by option
