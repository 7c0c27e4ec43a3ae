/** Settings of tools, hooks, and what files say of themselves. */
import type { Reader } from "../model.ts"
import { settingsInCode } from "./settings/code.ts"
import { files } from "./settings/files.ts"
import { fileHeads } from "./settings/heads.ts"
import { hooks } from "./settings/hooks.ts"

export const settings: ReadonlyArray<Reader> = [...files, settingsInCode, ...hooks, ...fileHeads]
