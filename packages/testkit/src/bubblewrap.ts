/** The bubblewrap of this machine. Tests that need one are skipped, and say so, where there is none. */
import { existsSync } from "node:fs"

export const bubblewrapPath = (): string | undefined => ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].find((path) => existsSync(path))

/** What is said in the place of the tests. */
export const BUBBLEWRAP_MISSING = "skipped: there is no bubblewrap here. Install it: apt-get install bubblewrap"
