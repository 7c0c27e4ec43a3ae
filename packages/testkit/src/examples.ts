/** The code of a page is that of files in `examples/`, which are run. */
import { readFileSync } from "node:fs"

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8")

export const pageText = (page: string): string => textOf(`../../../${page}`)

/** The blocks of TypeScript on a page. */
export const typescriptOf = (page: string): ReadonlyArray<string> =>
  Array.from(pageText(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = ""]) => block)

/**
 * The file of an example as its reader writes it in another package: imports of the testkit by its name. An example keeps together what
 * belongs into several packages; `moved` says how a file of theirs imports what an example's file imports by another name.
 */
export const exampleAs = (file: string, moved: Readonly<Record<string, string>> = {}): string =>
  textOf(`examples/${file}`).replace(
    / from "(.+)"$/gm,
    (_, path: string) => ` from "${moved[path] ?? path.replace(/^\.\.\/\.\.\/(.+)\.ts$/u, "@svc/testkit/$1")}"`
  )
