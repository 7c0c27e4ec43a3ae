import { assert, describe, it } from "@effect/vitest"
import { seccompFilter } from "./seccomp.ts"
import { type Architecture, AUDIT_ARCH, DENIED } from "./syscalls.ts"

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x00050001
const ENOSYS = 0x00050026
const EAFNOSUPPORT = 0x00050061

/** What the kernel answers: an interpreter of the instructions that the filter uses, by `linux/bpf_common.h`. */
const verdict = (filter: Buffer, data: Buffer): number => {
  let accumulator = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8)
    const [whenTrue, whenFalse, value] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3), filter.readUInt32LE(at * 8 + 4)]
    const jump = (holds: boolean) => {
      at += holds ? whenTrue : whenFalse
    }
    if (code === 0x20) accumulator = data.readUInt32LE(value)
    else if (code === 0x15) jump(accumulator === value)
    else if (code === 0x35) jump(accumulator >= value)
    else if (code === 0x45) jump((accumulator & value) !== 0)
    else if (code === 0x06) return value
    else assert.fail(`an instruction of code ${code}`)
  }
  return assert.fail("the filter ends without an answer")
}

/** `struct seccomp_data`. */
const called = (architecture: number, number: number, argument = 0): Buffer => {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(architecture, 4)
  data.writeUInt32LE(argument, 16)
  return data
}

const numbers = {
  x64: { clone: 56, clone3: 435, read: 0, socket: 41, socketpair: 53 },
  arm64: { clone: 220, clone3: 435, read: 63, socket: 198, socketpair: 199 }
}

describe.each(["x64", "arm64"] as const)("the system call filter on %s", (architecture: Architecture) => {
  const filter = seccompFilter(architecture)
  const own = AUDIT_ARCH[architecture]
  const { clone, clone3, read, socket, socketpair } = numbers[architecture]
  const answer = (number: number, argument?: number) => verdict(filter, called(own, number, argument))

  it("denies each call of the list", () => {
    for (const [name, { [architecture]: number }] of Object.entries(DENIED)) {
      if (number !== undefined) assert.strictEqual(answer(number), EPERM, name)
    }
  })

  it("allows processes and threads, and no namespaces", () => {
    const SIGCHLD = 17
    assert.strictEqual(answer(clone, SIGCHLD), ALLOW)
    for (const namespace of [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      assert.strictEqual(answer(clone, namespace | SIGCHLD), EPERM, namespace.toString(16))
    }
    assert.strictEqual(answer(clone3), ENOSYS)
  })

  it("allows sockets of the two families that the network namespace empties", () => {
    const families = Array.from({ length: 46 }, (_, family) => family).filter((family) => answer(socket, family) === ALLOW)
    assert.deepStrictEqual(families, [2, 10])
    assert.strictEqual(answer(socket, 1), EAFNOSUPPORT)
    assert.strictEqual(answer(socketpair, 1), ALLOW)
  })

  it("allows what programs do, and ends those of another architecture", () => {
    assert.strictEqual(answer(read), ALLOW)
    for (const other of [0x40000003, ...Object.values(AUDIT_ARCH).filter((number) => number !== own)]) {
      assert.strictEqual(verdict(filter, called(other, read)), KILL)
    }
    assert.strictEqual(answer(0x40000000 | read), KILL, "x32")
  })
})
