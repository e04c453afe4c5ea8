// SPDX-License-Identifier: BSD-3-Clause
// A stub per wrapped function: adds one to the thread's count and jumps on to the function that
// would have been called, with all arguments as they are. It needs no signature, leaves no frame
// behind, and costs a few instructions. Where calls are timed, it calls the function from a frame of
// its own, with the arguments copied that are on the stack: no MPI function has more than 14.
//
// The symbols carry the version LAUNCHWISE, hidden and the first of this library: the dynamic
// linker binds references without a version to it (MPI libraries have none), but dlsym() does not
// find it. Functions of libgomp and libomp have the versions that they have there.

#if defined(__x86_64__)

    .set stack_arguments, 12

// The slow way, to which stubs jump with their index pushed: rax, the argument registers and the
// static chain are kept.
    .text
    .type launchwise_first, @function
launchwise_first:
    .cfi_startproc
    .cfi_adjust_cfa_offset 8
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    push %r10
    sub $128, %rsp
    .cfi_adjust_cfa_offset 192
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov %rdi, %rsi
    mov 192(%rsp), %edi
    call launchwise_prepare
    mov %rax, %r11
    test %rdx, %rdx                     // nothing below changes the flags
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    lea 128(%rsp), %rsp
    pop %r10
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    lea 8(%rsp), %rsp
    .cfi_adjust_cfa_offset -200
    jnz launchwise_timed
    jmp *%r11
    .cfi_endproc
    .size launchwise_first, . - launchwise_first

// Calls the function in r11.
    .type launchwise_timed, @function
launchwise_timed:
    .cfi_startproc
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbp, 0
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    sub $(8 * stack_arguments), %rsp
    .set offset, 0
    .rept stack_arguments / 2
    movups (16 + offset)(%rbp), %xmm8
    movups %xmm8, offset(%rsp)
    .set offset, offset + 16
    .endr
    call *%r11
    mov %rax, (%rsp)
    mov %rdx, 8(%rsp)
    movups %xmm0, 16(%rsp)
    movups %xmm1, 32(%rsp)
    call launchwise_leave
    mov (%rsp), %rax
    mov 8(%rsp), %rdx
    movups 16(%rsp), %xmm0
    movups 32(%rsp), %xmm1
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size launchwise_timed, . - launchwise_timed

.macro body name, counted
    .cfi_startproc
    endbr64
  .if \counted
    mov launchwise_slot@gottpoff(%rip), %r11
    mov %fs:(%r11), %r11
    test %r11, %r11
    jz 1f
  .endif
    cmpq $0, .Lnext_\name(%rip)
    je 1f
  .if \counted
    incq (%r11)
  .endif
    jmp *.Lnext_\name(%rip)
1:  push $index
    .cfi_adjust_cfa_offset 8
    jmp launchwise_first
    .cfi_endproc
.endm

#elif defined(__aarch64__)

    .set stack_arguments, 12

// The slow way, to which stubs jump with their index in w9: the argument registers and the address
// of a result are kept.
    .text
    .type launchwise_first, %function
launchwise_first:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_adjust_cfa_offset 224
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov x1, x0
    mov w0, w9
    bl launchwise_prepare
    mov x16, x0
    mov x17, x1
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_adjust_cfa_offset -224
    .cfi_restore x29
    .cfi_restore x30
    cbnz x17, launchwise_timed
    br x16
    .cfi_endproc
    .size launchwise_first, . - launchwise_first

// Calls the function in x16.
    .type launchwise_timed, %function
launchwise_timed:
    .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x29, sp
    .cfi_def_cfa_register x29
    sub sp, sp, #(8 * stack_arguments)
    .set offset, 0
    .rept stack_arguments / 4
    ldp q18, q19, [x29, #(16 + offset)]
    stp q18, q19, [sp, #offset]
    .set offset, offset + 32
    .endr
    blr x16
    stp x0, x1, [sp]
    stp q0, q1, [sp, #16]
    bl launchwise_leave
    ldp x0, x1, [sp]
    ldp q0, q1, [sp, #16]
    mov sp, x29
    .cfi_def_cfa_register sp
    ldp x29, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size launchwise_timed, . - launchwise_timed

.macro body name, counted
    .cfi_startproc
    hint #34                            // bti c
  .if \counted
    adrp x17, :gottprel:launchwise_slot
    ldr x17, [x17, #:gottprel_lo12:launchwise_slot]
    mrs x16, tpidr_el0
    ldr x17, [x16, x17]
    cbz x17, 1f
  .endif
    adrp x16, .Lnext_\name
    ldr x16, [x16, #:lo12:.Lnext_\name]
    cbz x16, 1f
  .if \counted
    ldr x9, [x17]
    add x9, x9, #1
    str x9, [x17]
  .endif
    br x16
1:  mov w9, #index
    b launchwise_first
    .cfi_endproc
.endm

#endif

// Begins an array of which every stub adds an entry.
.macro array name, section, alignment, flags:vararg
    .section \section, \flags
    .p2align \alignment
    .globl \name
    .hidden \name
\name:
.endm

    array launchwise_names, .rodata.launchwise, 2, "a"
    array launchwise_kinds, .rodata.launchwise_kinds, 0, "a"
    array launchwise_next, .bss.launchwise, 3, "aw", %nobits
    array launchwise_timed_next, .bss.launchwise_timed, 3, "aw", %nobits
    .set index, 0

#if defined(__x86_64__) || defined(__aarch64__)

// enum LaunchwiseKind
    .set kOpenMp, 0
    .set kMpi, 1
    .set kPoll, 2
    .set kBegin, 3
    .set kEnd, 4
    .set kMark, 5
    .set kMarkByReference, 6

.macro stub kind, name, version=LAUNCHWISE, other=
    .text
    .p2align 4
    .globl launchwise_\name
    .type launchwise_\name, %function
launchwise_\name:
    body \name, (\kind != kPoll && \kind != kMark && \kind != kMarkByReference)
    .size launchwise_\name, . - launchwise_\name
    .symver launchwise_\name, \name@\version
  .ifnb \other
    .symver launchwise_\name, \name@\other
  .endif
    .section .bss.launchwise
.Lnext_\name:
    .zero 8
    .section .bss.launchwise_timed
    .zero 8
    .section .rodata.launchwise_kinds
    .byte \kind
    .section .rodata.launchwise
    .long .Lname_\name - launchwise_names
    .section .rodata.launchwise_strings, "a"
.Lname_\name:
    .asciz "\name"
    .set index, index + 1
.endm

// C, with big counts where there are; Fortran as gfortran and others spell it, and its mpi_f08.
#define MPI_IN_C(kind, mixed) stub kind, MPI_##mixed; stub kind, MPI_##mixed##_c
#define MPI_IN_FORTRAN(kind, lower) \
    stub kind, mpi_##lower##_; stub kind, mpi_##lower##__; \
    stub kind, mpi_##lower##_f08_; stub kind, mpi_##lower##_f08ts_
#define MPI(mixed, lower) MPI_IN_C(kMpi, mixed); MPI_IN_FORTRAN(kMpi, lower)
#define POLL(mixed, lower) MPI_IN_C(kPoll, mixed); MPI_IN_FORTRAN(kPoll, lower)
#define BEGIN(mixed, lower) MPI_IN_C(kBegin, mixed); MPI_IN_FORTRAN(kBegin, lower)
#define END(mixed, lower) MPI_IN_C(kEnd, mixed); MPI_IN_FORTRAN(kEnd, lower)
#define MARK(mixed, lower) MPI_IN_C(kMark, mixed); MPI_IN_FORTRAN(kMarkByReference, lower)
#define GOMP(name, version) stub kOpenMp, GOMP_##name, version
#define KMPC(name) stub kOpenMp, __kmpc_##name, LAUNCHWISE, VERSION
#include "probe/calls.def"

#endif

    .section .rodata.launchwise_count, "a"
    .p2align 2
    .globl launchwise_stubs
    .hidden launchwise_stubs
launchwise_stubs:
    .long index
    .section .note.GNU-stack, "", %progbits
