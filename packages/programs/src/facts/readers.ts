/** All readers. A file is read by each that takes it. */
import { type Grammar, loadGrammar } from "./grammars.ts"
import type { AnyFact, Reader } from "./model.ts"
import { cAndCpp } from "./readers/c.ts"
import { configuration } from "./readers/configuration.ts"
import { csharp } from "./readers/csharp.ts"
import { dart } from "./readers/dart.ts"
import { go } from "./readers/go.ts"
import { java } from "./readers/java.ts"
import { php } from "./readers/php.ts"
import { python } from "./readers/python.ts"
import { resolution } from "./readers/resolution.ts"
import { ruby } from "./readers/ruby.ts"
import { rust } from "./readers/rust.ts"
import { shell } from "./readers/shell.ts"
import { solidity } from "./readers/solidity.ts"
import { swift } from "./readers/swift.ts"
import { typescript } from "./readers/typescript.ts"

/** Readers of code. */
const languages: ReadonlyArray<Reader> = [typescript, python, go, rust, java, csharp, php, ruby, cAndCpp, solidity, shell, swift, dart]

export const readers: ReadonlyArray<Reader> = [...configuration, resolution, ...languages]

/** The grammars that have to be loaded before these files are read. */
export const grammarsOf = (paths: ReadonlyArray<string>): ReadonlyArray<Grammar> => [
  ...new Set(paths.flatMap((path) => readers.flatMap(({ grammar, takes }) => grammar === undefined || !takes(path) ? [] : [grammar(path)])))
]

/** The facts of one file, whose readers are not watched: for tests. */
export const readFile = async (path: string, text: string): Promise<ReadonlyArray<AnyFact>> => {
  await Promise.all(grammarsOf([path]).map(loadGrammar))
  return (await Promise.all(readers.filter((reader) => reader.takes(path)).map((reader) => reader.read(path, text)))).flat()
}
