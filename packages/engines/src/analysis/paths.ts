/** Paths of a repository: one spelling each, and which of them are somebody else's work or made by a program. */

const LONGEST = 1024
/** As long as file systems take one. */
const LONGEST_SEGMENT = 255

/** With `/`, without `.` and empty segments; undefined for a path that leads out of the repository or is none. */
export const normalized = (path: string): string | undefined => {
  const slashed = path.replaceAll("\\", "/")
  const segments = slashed.split("/").filter((segment) => segment !== "" && segment !== ".")
  const leadsOut = slashed.startsWith("/") || /^[A-Za-z]:/u.test(slashed) || segments.includes("..")
  const isLong = slashed.length > LONGEST || segments.some(({ length }) => length > LONGEST_SEGMENT)
  const isWritable = segments.length > 0 && !isLong && path.isWellFormed() && !/\p{Cc}/u.test(path)
  return leadsOut || !isWritable ? undefined : segments.join("/")
}

const VENDORED = new Set(
  (".git .hg .svn .yarn .next .nuxt .gradle .tox .venv venv __pycache__ node_modules bower_components jspm_packages " +
    "vendor third_party Pods dist").split(" ")
)

/** The folder of the path that holds the code of others or what a build makes, or undefined. */
export const vendoredFolder = (path: string): string | undefined => path.split("/").slice(0, -1).find((segment) => VENDORED.has(segment))

const MINIFIED_NAME = /[.-]min\.(?:[cm]?js|css)$|\.(?:js|css)\.map$/u
/** Characters of a line, on average, that nobody writes by hand. */
const LONG_LINE = 500

export const isMinified = (path: string, text: string, lines: number): boolean =>
  MINIFIED_NAME.test(path) || (/\.(?:[cm]?js|css)$/u.test(path) && text.length / Math.max(1, lines) > LONG_LINE)
