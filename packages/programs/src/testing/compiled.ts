/** What TypeScript's compiler says of artifacts, with the types of React and Remotion beside them. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Texts } from "./measures.ts"

const MODULES = join(import.meta.dirname, "../../../../node_modules")

const OPTIONS = {
  strict: true,
  noEmit: true,
  jsx: "react-jsx",
  module: "esnext",
  moduleResolution: "bundler",
  target: "es2023",
  lib: ["es2023", "dom"],
  isolatedModules: true,
  skipLibCheck: true,
  types: []
}

/** The compiler's complaints of files by their paths, one a line; empty where it has none. `paths`: files of modules, by their names. */
export const complaints = (texts: Texts, paths: Readonly<Record<string, ReadonlyArray<string>>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), "svc-compiled-"))
  try {
    symlinkSync(MODULES, join(folder, "node_modules"))
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    const files = Object.keys(texts).filter((name) => /\.tsx?$/u.test(name))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...OPTIONS, paths }, files }))
    execFileSync(process.execPath, [join(MODULES, "typescript/bin/tsc"), "--project", folder], { encoding: "utf8", stdio: "pipe" })
    return ""
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
