/** How a child of Node.js is started: what it may read, and on the WebAssembly rung the permission model around it. */
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import type { Inside } from "./bubblewrap.ts"
import { type Compiled, type Engine, type Limits, MOST_REQUESTS } from "./model.ts"

/** This package, which holds what the child runs beside the engine. */
export const OWN = dirname(import.meta.dirname)

const imported = (name: string, path: string) => `import { ${name} } from ${JSON.stringify(pathToFileURL(path).href)}`

/** The text of a child's program: it answers until nothing is asked any more. `module` is that of the engine. */
export const programOf = (module: string) =>
  `${imported("serve", `${import.meta.dirname}/engine-child.ts`)}; ${imported("engine", module)}; await serve(engine)`

export const quiet = ["--no-warnings", "--experimental-strip-types"]
const heap = ({ memory }: Limits) => `--max-old-space-size=${Math.floor(memory / 2 ** 21)}`

const starting = (node: string, flags: ReadonlyArray<string>, engine: Engine, limits: Limits): Inside => ({
  path: node,
  args: [...quiet, heap(limits), ...flags, "--input-type=module", "--eval", programOf(engine.module)],
  shows: [node, OWN, engine.module, ...engine.shows],
  reservesAddresses: true,
  limits,
  requests: engine.warm ? MOST_REQUESTS : 1
})

/** Within bubblewrap. */
export const plainNode = (engine: Engine, limits: Limits, compiled: Compiled | undefined): Inside => ({
  ...starting(process.execPath, [], engine, limits),
  compiled
})

/** Node.js closes files, processes, threads and native code; from version 25 on the network, too. */
export const permissionsOf = (readable: ReadonlyArray<string>): ReadonlyArray<string> => [
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`)
]

export const permittedNode = (node: string, engine: Engine, limits: Limits): Inside =>
  starting(node, permissionsOf([OWN, engine.module, ...engine.shows]), engine, limits)
