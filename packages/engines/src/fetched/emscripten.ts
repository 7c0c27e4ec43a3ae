/**
 * Loads a program that Emscripten made, in a child. Emscripten's own JavaScript asks Node.js for files, processes and sockets where it
 * finds it: here it gets none of them, so the program in WebAssembly has its memory, its files in memory, and random numbers.
 */
import { randomFillSync } from "node:crypto"
import { readFileSync } from "node:fs"

/** `ENOTSUP` of Emscripten. An error of this name becomes a system call's answer. */
const refused = (): never => {
  throw Object.assign(new Error("Not supported"), { name: "ErrnoError", errno: 138 })
}

const modules: Readonly<Record<string, object>> = {
  "node:crypto": { randomFillSync },
  crypto: { randomFillSync },
  "node:fs": { readFileSync: refused },
  fs: { readFileSync: refused }
}

const require = (name: string): object => modules[name] ?? refused()

type Factory<Program> = (options: object) => Promise<Program>

/** `path` is that of the JavaScript; the WebAssembly stands beside it. */
export const loadEmscripten = async <Program>(path: string, options: object): Promise<Program> => {
  const module: { exports: unknown } = { exports: {} }
  // The text is a package's, with a known hash. Only what runs in it is foreign.
  new Function("module", "exports", "require", "__filename", "__dirname", readFileSync(path, "utf8"))(
    module,
    module.exports,
    require,
    "/program.js",
    "/"
  )
  return (module.exports as Factory<Program>)({ wasmBinary: readFileSync(path.replace(/\.c?js$/u, ".wasm")), ...options })
}
