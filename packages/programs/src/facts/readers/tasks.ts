/** Runners of tasks. */
import type { Reader } from "../model.ts"
import { justfile, makefile } from "./tasks/makefile.ts"
import { procfile } from "./tasks/procfile.ts"
import { denoTasks, taskfile } from "./tasks/taskfile.ts"

export const tasks: ReadonlyArray<Reader> = [makefile, justfile, taskfile, denoTasks, procfile]
