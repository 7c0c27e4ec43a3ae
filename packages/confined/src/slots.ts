/**
 * What a child has for itself: a user id, so that limits by user count its processes alone, and control groups, which limit its whole tree.
 * Both need root; without it, or in a container whose root may not, children run as the service's own user.
 */
import { Effect, FileSystem, Result } from "effect"
import { readFileSync, rmdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

export interface Slot {
  /** The account that the processes run under; undefined for the service's own. */
  readonly uid: number | undefined
  /** Control groups that the processes join, as folders. */
  readonly groups: ReadonlyArray<string>
}

/** No distribution gives out user ids from here to 100,000 (systemd's UIDS-GIDS.md). */
const FIRST_UID = 70_000
/** User ids of one process of the service, so that two on a machine share none. */
const UIDS = 128
const PROCESSES = 200
/** The user ids that children of this process may have. */
export const ownUids = { first: FIRST_UID + (process.pid % PROCESSES) * UIDS, count: UIDS }

export const MOST_PROCESSES = 64

const READ = 0o004
const ENTER = 0o001

const canBeEntered = (folder: string): boolean =>
  folder === dirname(folder) || (statSync(folder).mode & ENTER) !== 0 && canBeEntered(dirname(folder))

/** Whether a slot's user may read what stands there. Root's own home is closed to others on most machines. */
export const isReadableByAll = (path: string): boolean => {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined || (facts.mode & READ) !== 0 && canBeEntered(dirname(path))
}

/** A hierarchy of control groups, and the files that limit memory and processes in it. */
interface Hierarchy {
  readonly folder: string
  readonly memory: ReadonlyArray<string>
  readonly processes: ReadonlyArray<string>
}

const VERSION_1: ReadonlyArray<Hierarchy> = [
  { folder: "/sys/fs/cgroup/memory", memory: ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"], processes: [] },
  { folder: "/sys/fs/cgroup/pids", memory: [], processes: ["pids.max"] }
]
const VERSION_2: Hierarchy = { folder: "/sys/fs/cgroup", memory: ["memory.max"], processes: ["pids.max"] }

const isRoot = process.getuid?.() === 0
/** `linux/capability.h`. */
const CAP_SETGID = 6n
const CAP_SETUID = 7n

/** Root of a container may lack the right to take another user id, or the id. */
const mayChangeUser = (): boolean => {
  const capabilities = BigInt(`0x${/^CapEff:\t(\w+)/mu.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0}`)
  const ranges = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n").map((line) => line.trim().split(/\s+/u).map(Number))
  const isMapped = ranges.some(([first = 0, , count = 0]) => first <= ownUids.first && ownUids.first + ownUids.count <= first + count)
  return isMapped && [CAP_SETGID, CAP_SETUID].every((bit) => (capabilities >> bit & 1n) === 1n)
}

/** A control group is no ordinary folder: rmdir alone removes it, and only while it has no process. */
const removeGroup = (group: string) => Effect.ignore(Effect.try(() => rmdirSync(group)))

export const makeSlots = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const separatesUsers = isRoot && Result.getOrElse(Result.try(mayChangeUser), () => false)
  const taken = new Set<number>()

  const canLimit = (hierarchy: Hierarchy) => {
    const group = `${hierarchy.folder}/svc-${process.pid}-test`
    return fs.makeDirectory(group).pipe(
      Effect.andThen(Effect.forEach([...hierarchy.memory, ...hierarchy.processes].slice(0, 1), (file) => fs.access(`${group}/${file}`))),
      Effect.as(true),
      Effect.orElseSucceed(() => false),
      Effect.ensuring(removeGroup(group))
    )
  }
  const hierarchies = !isRoot
    ? []
    : (yield* canLimit(VERSION_2))
    ? [VERSION_2]
    : yield* Effect.filter(VERSION_1, canLimit)

  /** Groups that a process of the service left behind when it was killed. */
  const sweep = ({ folder }: Hierarchy) =>
    Effect.gen(function*() {
      for (const name of yield* fs.readDirectory(folder)) {
        const pid = /^svc-(\d+)-/u.exec(name)?.[1]
        if (pid !== undefined && !(yield* fs.exists(`/proc/${pid}`))) yield* removeGroup(`${folder}/${name}`)
      }
    })
  yield* Effect.ignore(Effect.forEach(hierarchies, sweep))

  const join = (number: number, memory: number) =>
    Effect.forEach(hierarchies, (hierarchy) => {
      const group = `${hierarchy.folder}/svc-${process.pid}-${number}`
      const write = (value: number) => (file: string) => Effect.ignore(fs.writeFileString(`${group}/${file}`, String(value)))
      // Of memory and memory with swap, neither may pass the other on the way: the second round sets what the first could not.
      return fs.makeDirectory(group, { recursive: true }).pipe(
        Effect.andThen(Effect.forEach([...hierarchy.memory, ...hierarchy.memory], write(memory))),
        Effect.andThen(Effect.forEach(hierarchy.processes, write(MOST_PROCESSES))),
        Effect.as(group)
      )
    })

  const leave = ({ groups }: Slot) => Effect.forEach(groups, removeGroup, { discard: true })

  const take = Effect.sync(() => {
    const number = Array.from({ length: UIDS }, (_, index) => index).find((index) => !taken.has(index)) ?? 0
    taken.add(number)
    return number
  })

  /** A slot until the scope ends, with so many bytes of memory. */
  const acquire = Effect.fnUntraced(function*(memory: number) {
    const number = yield* Effect.acquireRelease(take, (number) => Effect.sync(() => taken.delete(number)))
    const groups = Effect.orElseSucceed(join(number, memory), () => [])
    return yield* Effect.acquireRelease(
      Effect.map(groups, (groups): Slot => ({ uid: separatesUsers ? ownUids.first + number : undefined, groups })),
      leave
    )
  })

  return { acquire, limitsTrees: hierarchies.length > 0, separatesUsers, isRoot }
})
export type Slots = Effect.Success<typeof makeSlots>
