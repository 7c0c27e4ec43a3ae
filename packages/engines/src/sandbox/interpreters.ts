/** The interpreters of the WebAssembly rung, one for each runtime: what each child runs, and what it lacks. */
import type { Engine } from "@svc/confined/model"
import type { PackageGroup } from "@svc/platform/fetched/model"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { sandboxPackages } from "../fetched/groups.ts"
import type { Runtime } from "./runtimes.ts"

const MIB = 1024 * 1024
/** What this package imports from. */
const OWN = dirname(dirname(import.meta.dirname))
const LIBRARIES = dirname(dirname(dirname(fileURLToPath(import.meta.resolve("quickjs-emscripten-core")))))

const engine = (name: string, folder: string, webAssembly = true): Engine => ({
  module: `${import.meta.dirname}/${name}.ts`,
  shows: [OWN, folder],
  webAssembly,
  warm: false,
  limits: { memory: 512 * MIB, seconds: 600, output: 4 * MIB }
})

const quickJs = engine("quickjs", LIBRARIES)

export interface WebAssemblyInterpreter {
  /** With version. */
  readonly name: string
  /** Undefined for one that is installed with the service. */
  readonly packages: PackageGroup | undefined
  /** `folder` is that of the packages. */
  readonly engineIn: (folder: string) => Engine
  /** What the caller should know, in a sentence. */
  readonly note: string
}

export const webAssemblyInterpreters: Readonly<Record<Runtime, WebAssemblyInterpreter>> = {
  node: {
    name: "quickjs-emscripten 0.32.0",
    packages: undefined,
    engineIn: () => quickJs,
    note: "This server runs JavaScript in QuickJS, with console and the text `stdin`, without Node's modules. " +
      "With bubblewrap Node.js would run it."
  },
  python: {
    name: "CPython 3.13.2 of just-bash 3.4.2",
    packages: sandboxPackages,
    engineIn: (folder) => engine("python", folder),
    note: "This server runs Python in WebAssembly, without threads, processes, sockets, asyncio and compiled packages. " +
      "With bubblewrap python3 would run it."
  },
  bash: {
    name: "just-bash 3.4.2",
    packages: sandboxPackages,
    // It is JavaScript: the wall lets it in where a child reaches no network.
    engineIn: (folder) => engine("bash", folder, false),
    note: "This server runs bash in just-bash, which has the usual commands of its own and no other program. " +
      "With bubblewrap bash would run it."
  }
}
