/**
 * The system call filter of the bubblewrap rung: classic BPF over `struct seccomp_data`, which the kernel runs before each call
 * (`Documentation/userspace-api/seccomp_filter.rst`). bubblewrap reads it from `--seccomp FD`.
 */
import { type Architecture, AUDIT_ARCH, CLONE, CLONE3, DENIED, SOCKET } from "./syscalls.ts"

/** Where `struct seccomp_data` holds what. Of an argument of 64 bits, the low half comes first on both architectures. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

/** `linux/bpf_common.h` and `linux/seccomp.h`. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7f_ff_00_00
const KILL = 0x80_00_00_00
const fail = (errno: number): number => 0x00_05_00_00 | errno

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`. */
const NAMESPACES = 0x7e_02_00_00
/** Numbers from here on are those of x32, a second way to every call of x64. */
const X32 = 0x40_00_00_00
const AF_INET = 2
const AF_INET6 = 10

/** One instruction, and for a test how many of the following ones are skipped when it holds, and when it does not. */
interface Instruction {
  readonly code: number
  readonly value: number
  readonly skipsIfTrue?: number
  readonly skipsIfFalse?: number
}

const load = (value: number): Instruction => ({ code: LOAD, value })
const answer = (value: number): Instruction => ({ code: RETURN, value })
/** The next instruction runs only where the test holds. */
const when = (code: number, value: number): Instruction => ({ code, value, skipsIfFalse: 1 })
/** The next instruction runs only where the loaded value is another. */
const unless = (value: number): Instruction => ({ code: JUMP_IF_EQUAL, value, skipsIfTrue: 1 })

const instructionsFor = (architecture: Architecture): ReadonlyArray<Instruction> => [
  load(ARCHITECTURE),
  unless(AUDIT_ARCH[architecture]),
  answer(KILL),
  load(NUMBER),
  when(JUMP_IF_AT_LEAST, X32),
  answer(KILL),
  ...Object.values(DENIED).flatMap(({ [architecture]: number }) =>
    number === undefined ? [] : [when(JUMP_IF_EQUAL, number), answer(fail(EPERM))]
  ),
  // Its flags lie in memory, where a filter cannot look. C libraries fall back to clone.
  when(JUMP_IF_EQUAL, CLONE3[architecture]),
  answer(fail(ENOSYS)),
  { code: JUMP_IF_EQUAL, value: CLONE[architecture], skipsIfFalse: 4 },
  load(FIRST_ARGUMENT),
  when(JUMP_IF_ANY_BIT, NAMESPACES),
  answer(fail(EPERM)),
  answer(ALLOW),
  // AF_UNIX, AF_NETLINK and families that no network namespace covers, such as AF_VSOCK and AF_ALG. socketpair is another call.
  { code: JUMP_IF_EQUAL, value: SOCKET[architecture], skipsIfFalse: 4 },
  load(FIRST_ARGUMENT),
  { code: JUMP_IF_EQUAL, value: AF_INET, skipsIfTrue: 2 },
  unless(AF_INET6),
  answer(fail(EAFNOSUPPORT)),
  answer(ALLOW)
]

const SIZE = 8

/** `struct sock_filter`: 16 bits of code, two jumps of 8 bits, 32 bits of value. */
const encode = ({ code, skipsIfFalse = 0, skipsIfTrue = 0, value }: Instruction): Buffer => {
  const bytes = Buffer.alloc(SIZE)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(skipsIfTrue, 2)
  bytes.writeUInt8(skipsIfFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

export const seccompFilter = (architecture: Architecture): Buffer => Buffer.concat(instructionsFor(architecture).map(encode))
