/** Numbers of system calls that the filter names, from Linux's `syscall_64.tbl` (x64) and `asm-generic/unistd.h` (arm64). */

/** `AUDIT_ARCH_*` of `linux/audit.h`. */
export const AUDIT_ARCH = { x64: 0xc0_00_00_3e, arm64: 0xc0_00_00_b7 } as const
export type Architecture = keyof typeof AUDIT_ARCH

export const isArchitecture = (name: string): name is Architecture => Object.hasOwn(AUDIT_ARCH, name)

export const CLONE = { x64: 56, arm64: 220 } as const
export const CLONE3 = { x64: 435, arm64: 435 } as const
export const SOCKET = { x64: 41, arm64: 198 } as const

/** Refused whatever their arguments. The list by purpose; a call that an architecture lacks has no number there. */
export const DENIED: Readonly<Record<string, Partial<Record<Architecture, number>>>> = {
  // Namespaces and mounts: the ways to a new root.
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  // Other processes.
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  kcmp: { x64: 312, arm64: 272 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  // Parts of the kernel in which most escapes were found.
  bpf: { x64: 321, arm64: 280 },
  userfaultfd: { x64: 323, arm64: 282 },
  perf_event_open: { x64: 298, arm64: 241 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  keyctl: { x64: 250, arm64: 219 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  name_to_handle_at: { x64: 303, arm64: 264 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  fanotify_init: { x64: 300, arm64: 262 },
  modify_ldt: { x64: 154 },
  personality: { x64: 135, arm64: 92 },
  // The machine.
  syslog: { x64: 103, arm64: 116 },
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  reboot: { x64: 169, arm64: 142 },
  quotactl: { x64: 179, arm64: 60 },
  acct: { x64: 163, arm64: 89 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  clock_adjtime: { x64: 305, arm64: 266 },
  adjtimex: { x64: 159, arm64: 171 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 }
}
