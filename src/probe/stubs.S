// SPDX-License-Identifier: BSD-3-Clause
// A stub per counted function: adds one to the thread's count and jumps on to the function that
// would have been called, with all arguments as they are. It needs no signature, leaves no frame
// behind, and costs a few instructions.
//
// The symbols carry the version LAUNCHWISE, hidden and the first of this library: the dynamic
// linker binds references without a version to it (MPI libraries have none), but dlsym() does not
// find it. Functions of libgomp and libomp have the versions that they have there.

#if defined(__x86_64__)

// The slow way: rax, the argument registers and the static chain are kept.
    .text
    .type launchwise_first, @function
launchwise_first:
    .cfi_startproc
    .cfi_adjust_cfa_offset 8            // the index, pushed by the stub
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    push %r10
    sub $136, %rsp
    .cfi_adjust_cfa_offset 200
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov 208(%rsp), %edi
    call launchwise_prepare
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $136, %rsp
    pop %r10
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    .cfi_adjust_cfa_offset -200
    ret
    .cfi_endproc
    .size launchwise_first, . - launchwise_first

.macro body name
    .cfi_startproc
    endbr64
    mov launchwise_slot@gottpoff(%rip), %r11
    mov %fs:(%r11), %r11
    test %r11, %r11
    jz 1f
    cmpq $0, .Lnext_\name(%rip)
    je 1f
    incq (%r11)
    jmp *.Lnext_\name(%rip)
1:  push $index
    .cfi_adjust_cfa_offset 8
    call launchwise_first
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp launchwise_\name
    .cfi_endproc
.endm

#elif defined(__aarch64__)

// The slow way: the argument registers and the address of a result are kept.
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
    mov w0, w9
    bl launchwise_prepare
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
    ret
    .cfi_endproc
    .size launchwise_first, . - launchwise_first

.macro body name
    .cfi_startproc
    hint #34                            // bti c
    adrp x17, :gottprel:launchwise_slot
    ldr x17, [x17, #:gottprel_lo12:launchwise_slot]
    mrs x16, tpidr_el0
    ldr x17, [x16, x17]
    adrp x16, .Lnext_\name
    ldr x16, [x16, #:lo12:.Lnext_\name]
    cbz x17, 1f
    cbz x16, 1f
    ldr x9, [x17]
    add x9, x9, #1
    str x9, [x17]
    br x16
1:  stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov w9, #index
    bl launchwise_first
    ldp x29, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    b launchwise_\name
    .cfi_endproc
.endm

#endif

    .section .rodata.launchwise, "a"
    .p2align 2
    .globl launchwise_names
    .hidden launchwise_names
launchwise_names:
    .section .bss.launchwise, "aw", %nobits
    .p2align 3
    .globl launchwise_next
    .hidden launchwise_next
launchwise_next:
    .set index, 0

#if defined(__x86_64__) || defined(__aarch64__)

.macro stub name, version=LAUNCHWISE, other=
    .text
    .p2align 4
    .globl launchwise_\name
    .type launchwise_\name, %function
launchwise_\name:
    body \name
    .size launchwise_\name, . - launchwise_\name
    .symver launchwise_\name, \name@\version
  .ifnb \other
    .symver launchwise_\name, \name@\other
  .endif
    .section .bss.launchwise
.Lnext_\name:
    .zero 8
    .section .rodata.launchwise
    .long .Lname_\name - launchwise_names
    .section .rodata.launchwise_strings, "a"
.Lname_\name:
    .asciz "\name"
    .set index, index + 1
.endm

// C, with big counts where there are; Fortran as gfortran and others spell it, and its mpi_f08.
#define MPI(mixed, lower) \
    stub MPI_##mixed; stub MPI_##mixed##_c; stub mpi_##lower##_; stub mpi_##lower##__; \
    stub mpi_##lower##_f08_; stub mpi_##lower##_f08ts_
#define GOMP(name, version) stub GOMP_##name, version
#define KMPC(name) stub __kmpc_##name, LAUNCHWISE, VERSION
#include "probe/calls.def"

#endif

    .section .rodata.launchwise_count, "a"
    .p2align 2
    .globl launchwise_stubs
    .hidden launchwise_stubs
launchwise_stubs:
    .long index
    .section .note.GNU-stack, "", %progbits
