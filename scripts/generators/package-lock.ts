/**
 * Completes package-lock.json with the packages of other platforms.
 *
 * npm leaves a platform's optional package out of the lock file when the registry it asks does not have it, as partial mirrors do
 * not, and from then on `npm ci` refuses the lock file everywhere. A package that names each dependency by an exact version tells
 * all that npm needs: name, version and platform. Such entries carry no hash, so npm takes what the registry gives on that platform.
 */
interface Entry {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly dev?: boolean
  readonly license?: string
}

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32", "windows"]
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"]

/** The platform that a package's name stands for, in npm's terms, or undefined when the name says none. */
export const platformOf = (name: string) => {
  const parts = name.split(/[/-]/)
  const system = parts.find((part) => SYSTEMS.includes(part))
  const processor = parts.find((part) => PROCESSORS.includes(part))
  if (system === undefined || processor === undefined) return undefined
  const libc = parts.some((part) => part.startsWith("musl")) ? "musl" : parts.some((part) => part.startsWith("gnu")) ? "glibc" : undefined
  return {
    cpu: [processor],
    ...(system === "linux" && libc !== undefined ? { libc: [libc] } : {}),
    os: [system === "windows" ? "win32" : system]
  }
}

const isExact = (version: string) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)

const missing = (packages: Readonly<Record<string, Entry>>): ReadonlyArray<readonly [string, object]> =>
  Object.entries(packages).flatMap(([path, parent]) =>
    path === "" ? [] : Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, version]) => {
      const key = `node_modules/${name}`
      const platform = platformOf(name)
      if (packages[key] !== undefined || platform === undefined || !isExact(version)) return []
      const { cpu, os, ...libc } = platform
      return [[key, {
        version,
        cpu,
        ...(parent.dev === true ? { dev: true } : {}),
        ...libc,
        ...(parent.license === undefined ? {} : { license: parent.license }),
        optional: true,
        os
      }] as const]
    })
  )

/** The lock file's text with the missing entries, in npm's own order. Unchanged when nothing is missing. */
export const completeLock = (text: string): string => {
  const lock: { packages: Record<string, Entry> } = JSON.parse(text)
  const added = missing(lock.packages)
  if (added.length === 0) return text
  const all: Array<readonly [string, object]> = [...Object.entries(lock.packages), ...added]
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, "en")))
  return `${JSON.stringify(lock, null, 2)}\n`
}
