/** How a child of Node.js is started: what it may read, and on the WebAssembly rung the permission model around it. */
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { COMPILED, type Inside } from "./bubblewrap.ts"
import { type Compiled, type Engine, type Limits, MOST_REQUESTS } from "./model.ts"

/** This package, which holds what the child runs beside the engine. */
export const OWN = dirname(import.meta.dirname)

const imported = (name: string, path: string) => `const { ${name} } = await import(${JSON.stringify(pathToFileURL(path).href)})`

/**
 * The text of a child's program: it answers until nothing is asked any more. `module` is that of the engine, `cache` the folder where
 * Node.js finds what it would else compile.
 */
export const programOf = (module: string, cache?: string): string =>
  [
    ...(cache === undefined ? [] : [`(await import("node:module")).enableCompileCache(${JSON.stringify(cache)})`]),
    imported("serve", `${import.meta.dirname}/engine-child.ts`),
    imported("engine", module),
    "await serve(engine)"
  ].join("; ")

export const quiet = ["--no-warnings", "--experimental-strip-types"]
const heap = ({ memory }: Limits) => `--max-old-space-size=${Math.floor(memory / 2 ** 21)}`

interface Start {
  readonly node: string
  readonly flags?: ReadonlyArray<string>
  readonly engine: Engine
  readonly limits: Limits
  readonly compiled?: Compiled | undefined
}

const starting = ({ compiled, engine, flags = [], limits, node }: Start): Inside => ({
  path: node,
  args: [
    ...quiet,
    heap(limits),
    ...flags,
    "--input-type=module",
    "--eval",
    programOf(engine.module, compiled === undefined ? undefined : COMPILED)
  ],
  shows: [node, OWN, engine.module, ...engine.shows],
  reservesAddresses: true,
  compiled,
  limits,
  requests: engine.warm ? MOST_REQUESTS : 1
})

/** Within bubblewrap. */
export const plainNode = (engine: Engine, limits: Limits, compiled: Compiled | undefined): Inside =>
  starting({ node: process.execPath, engine, limits, compiled })

/** Node.js closes files, processes, threads and native code; from version 25 on the network, too. */
export const permissionsOf = (readable: ReadonlyArray<string>): ReadonlyArray<string> => [
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`)
]

export const permittedNode = (node: string, engine: Engine, limits: Limits): Inside =>
  starting({ node, flags: permissionsOf([OWN, engine.module, ...engine.shows]), engine, limits })
