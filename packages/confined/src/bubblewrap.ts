/** The command line of the bubblewrap rung: a slot's user and groups, limits of each process, then namespaces and the filter. */
import { existsSync, lstatSync, readlinkSync } from "node:fs"
import type { Compiled, Limits } from "./model.ts"
import type { Command } from "./run.ts"
import { seccompFilter } from "./seccomp.ts"
import { isReadableByAll, MOST_PROCESSES, type Slot } from "./slots.ts"
import type { Architecture } from "./syscalls.ts"

/** What is run inside. */
export interface Inside {
  readonly path: string
  readonly args: ReadonlyArray<string>
  /** Becomes the file `CODE_FILE`. */
  readonly code?: string | undefined
  readonly shows: ReadonlyArray<string>
  /** What it reads instead of compiling. */
  readonly compiled?: Compiled | undefined
  readonly reservesAddresses?: boolean | undefined
  readonly limits: Limits
  /** How often it may work for as long as `limits` say; once where this is left out. */
  readonly requests?: number
  /** Whether it is a test of ours, which foreign work must not hold up. */
  readonly isTest?: boolean
}

/** Where util-linux has its programs, and bash. Debian installs them always. */
const UTILITIES = ["/usr/bin/setpriv", "/usr/bin/prlimit", "/usr/bin/chrt", "/usr/bin/unshare", "/bin/bash"] as const
const [SETPRIV, PRLIMIT, CHRT, UNSHARE, SHELL] = UTILITIES
export const hasUtilities = (): boolean => UTILITIES.every((path) => existsSync(path))

export const CODE_FILE = "/run/code"

/** A folder that every machine has, and over which a slot mounts what its user could not read. */
const READABLE = "/mnt"

/** Bytes of each folder that can be written: `/tmp` and `/dev/shm`, both in memory. */
const DISK = 64 * 1024 * 1024
const OPEN_FILES = 256
/** What V8 sets aside for code as writable, whether it uses it or not: counted by the kernel as data. */
const V8_CODE_RANGE = 512 * 1024 * 1024

/** `/bin` and its like are links into `/usr` on most distributions, and folders on others. */
const systemFolders = ["/bin", "/sbin", "/lib", "/lib64"].flatMap((path) => {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return []
  return facts.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path]
})

/** Words of a command line that hold no spaces themselves. */
const words = (line: string): ReadonlyArray<string> => line.trim().split(/\s+/u)

/** The user's number inside. */
const UID = 1000

const namespaces = words(`
  --unshare-all --unshare-user --disable-userns --uid ${UID} --gid ${UID} --hostname confined
  --cap-drop ALL --clearenv --new-session --die-with-parent
`)

const files = [
  ...words("--ro-bind /usr /usr --ro-bind-try /etc/alternatives /etc/alternatives"),
  ...systemFolders,
  ...words(`--proc /proc --dev /dev --size ${DISK} --tmpfs /dev/shm --size ${DISK} --tmpfs /tmp`)
]
/** After everything is in its place, only `/tmp` and `/dev/shm` can be written. */
const closing = words("--remount-ro /dev --remount-ro /")

const environment = words("--setenv PATH /usr/local/bin:/usr/bin --setenv HOME /tmp --setenv LANG C.UTF-8 --chdir /tmp")

/** The folder of the compile cache inside. */
export const COMPILED = "/run/compiled"
/** Node.js looks for the cache of the user that it runs as. */
const placeOf = ({ name }: Compiled) => `${COMPILED}/${name.replace(/-\d+$/u, `-${UID}`)}`

const asUser = (uid: number | undefined) =>
  uid === undefined ? [] : [SETPRIV, "--reuid", String(uid), "--regid", String(uid), "--clear-groups"]

/** The kernel counts all processes of a user: within a namespace of its own those inside, else only a slot's user has no others. */
const limitedProcesses = [PRLIMIT, `--nproc=${MOST_PROCESSES}`]

/** The kernel counts the time of a process over its life. A request is ended by the service, by the clock, before this is reached. */
const processorSeconds = ({ limits: { seconds }, requests = 1 }: Inside) => (Math.ceil(seconds) + 1) * requests

const limited = (inside: Inside) => [
  PRLIMIT,
  inside.reservesAddresses === true ? `--data=${inside.limits.memory + V8_CODE_RANGE}` : `--as=${inside.limits.memory}`,
  ...words(`--fsize=${DISK} --cpu=${processorSeconds(inside)} --nofile=${OPEN_FILES} --core=0`)
]

/**
 * What the first process does, before the rest replaces it. Files that the service itself inherited from what started it would go along:
 * those above the command's own are closed. Paths that only root can read, as those in its home, are mounted where the slot's user can.
 */
const PREPARE = `
last=$1 group_count=$2 path_count=$3
shift 3
for file in /proc/self/fd/*; do
  file=\${file##*/}
  (( file > last )) && exec {file}>&-
done
for (( i = 0; i < group_count; i++ )); do
  echo $$ > "$1/cgroup.procs"
  shift
done
(( path_count == 0 )) || /bin/mount -t tmpfs -o mode=755 none ${READABLE}
for (( i = 0; i < path_count; i++ )); do
  if [[ -d $1 ]]; then /bin/mkdir ${READABLE}/$i; else : > ${READABLE}/$i; fi
  /bin/mount --bind "$1" ${READABLE}/$i
  shift
done
exec -c "$@"
`

const prepared = ({ groups }: Slot, lastFile: number, paths: ReadonlyArray<string>) => [
  // Mounts are seen by this process and its children only.
  ...(paths.length === 0 ? [] : [UNSHARE, "--mount"]),
  SHELL,
  "--norc",
  "-ec",
  PREPARE,
  SHELL,
  ...[lastFile, groups.length, paths.length].map(String),
  ...groups,
  ...paths
]

/**
 * The words before a program that make it the slot's, limit each of its processes, and put it into the idle class of the scheduler: foreign
 * work has what payments leave.
 */
const bounds = ({ uid }: Slot, inside: Inside) => [
  ...(inside.isTest === true ? [] : [CHRT, ...words("--idle 0")]),
  ...asUser(uid),
  ...limited(inside)
]

/** Bounded, and not confined: what the WebAssembly rung starts Node.js with. A Node.js that only root can read runs as root. */
export const bounded = (slot: Slot, inside: Inside): Command => {
  const isReadable = [inside.path, ...inside.shows].every(isReadableByAll)
  const own = isReadable ? slot : { ...slot, uid: undefined }
  const [path = "", ...args] = [
    ...prepared(own, 2, []),
    ...bounds(own, inside),
    ...(own.uid === undefined ? [] : limitedProcesses),
    inside.path,
    ...inside.args
  ]
  return { path, args, inputs: [], namesFirstProcess: false }
}

/** The first process inside: when the program ends, the shell ends, and with it the kernel ends whatever the program started. */
const FIRST_PROCESS = ["/bin/sh", "-c", `"$@"; exit $?`, "sh"]

export const bubblewrapped = (bwrap: string, architecture: Architecture, slot: Slot, inside: Inside): Command => {
  const inputs = [seccompFilter(architecture), ...(inside.code === undefined ? [] : [Buffer.from(inside.code)])]
  const last = 3 + inputs.length
  const shown = inside.shows.filter((path) => !path.startsWith("/usr/"))
  const { compiled } = inside
  const sources = compiled === undefined ? shown : [...shown, compiled.folder]
  const closed = slot.uid === undefined ? [] : sources.filter((path) => !isReadableByAll(path))
  const sourceOf = (path: string) => closed.includes(path) ? `${READABLE}/${closed.indexOf(path)}` : path
  const [path = "", ...args] = [
    ...prepared(slot, last, closed),
    ...bounds(slot, inside),
    bwrap,
    ...namespaces,
    ...files,
    ...shown.flatMap((path) => ["--ro-bind", sourceOf(path), path]),
    // Another process may remove it at any moment.
    ...(compiled === undefined ? [] : ["--ro-bind-try", sourceOf(compiled.folder), placeOf(compiled)]),
    ...(inside.code === undefined ? [] : ["--perms", "0444", "--ro-bind-data", "4", CODE_FILE]),
    ...closing,
    ...environment,
    ...words(`--seccomp 3 --info-fd ${last} --as-pid-1 --`),
    ...limitedProcesses,
    ...FIRST_PROCESS,
    inside.path,
    ...inside.args
  ]
  return { path, args, inputs, namesFirstProcess: true }
}
