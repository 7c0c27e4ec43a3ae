/** npm, yarn and pnpm. */
import type { Reader } from "../model.ts"
import { npmLocks } from "./npm/locks.ts"
import { packageJson } from "./npm/package-json.ts"
import { pnpmWorkspace } from "./npm/pnpm-workspace.ts"

export const npm: ReadonlyArray<Reader> = [packageJson, pnpmWorkspace, ...npmLocks]
