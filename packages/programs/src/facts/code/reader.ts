/** Reads the files of one language: its query finds places, and each kind of fact is made of them. */
import { catalogItems } from "../catalog-items.ts"
import { matching } from "../grammars.ts"
import type { AnyFact, Reader } from "../model.ts"
import { promptFacts } from "../prompt.ts"
import { commands } from "./commands.ts"
import { todos } from "./comments.ts"
import { components } from "./components.ts"
import { environment } from "./environment.ts"
import { errors } from "./errors.ts"
import { header } from "./header.ts"
import type { Language, Source } from "./language.ts"
import { listens } from "./listens.ts"
import { logs } from "./logs.ts"
import { markup } from "./markup.ts"
import { modelCalls } from "./model-calls.ts"
import { paymentSigns } from "./payment-signs.ts"
import { product } from "./product.ts"
import { promptDrafts } from "./prompts.ts"
import { calls, imports } from "./references.ts"
import { routes } from "./routes.ts"
import { schemas } from "./schemas.ts"
import { sourceOf } from "./source.ts"
import { sql } from "./sql.ts"
import { symbols } from "./symbols.ts"
import { tests } from "./tests.ts"
import { tokenUses } from "./token-uses.ts"

const FINDERS: ReadonlyArray<(source: Source) => ReadonlyArray<AnyFact>> = [
  header,
  symbols,
  imports,
  calls,
  routes,
  components,
  markup,
  tokenUses,
  tests,
  environment,
  listens,
  errors,
  logs,
  sql,
  modelCalls,
  schemas,
  paymentSigns,
  catalogItems,
  commands,
  product,
  todos
]

export const codeReader = (language: Language): Reader => ({
  takes: (path) => language.takes.test(path),
  grammar: (path) => language.syntax(path).grammar,
  read: (path, text) => {
    const { drafts, facts } = matching({ ...language.syntax(path), text }, (matches) => {
      const source = sourceOf(path, text, language, matches)
      return { facts: FINDERS.flatMap((find) => find(source)), drafts: promptDrafts(source) }
    })
    return drafts.length === 0 ? facts : promptFacts(drafts).then((prompts) => [...facts, ...prompts])
  }
})
