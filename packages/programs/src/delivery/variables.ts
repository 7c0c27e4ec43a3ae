/** Variables that a package reads from its environment. */
import { evidenceOf } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { pathOf, variablesOf } from "../map/uses.ts"
import type { Variable } from "./model.ts"
import { isIn } from "./packages.ts"

/** Set by systems, shells and tools, and not by who deploys. */
const OF_SYSTEMS = new RegExp(
  "^(?:CI|HOME|PATH|PWD|SHELL|USER|TERM|LANG|TZ|TMPDIR|EDITOR|HOSTNAME|DEBUG|NO_COLOR|FORCE_COLOR|NODE_ENV|NODE_OPTIONS|" +
    "npm_\\w+|GITHUB_\\w+|XDG_\\w+|VITEST\\w*|JEST\\w*)$",
  "u"
)
/** `__proto__` is no member of an object of code, but its prototype. */
const NAME = /^(?!__proto__$)[A-Za-z_]\w{0,80}$/u
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DSN)/iu
/** Values that mean the same in every format: no quotes, no spaces, nothing that a shell or YAML would read. */
const PLAIN = /^[\w./@:-]{1,80}$/u
const OF_HELPERS =
  /(?:^|\/)(?:scripts?|examples?|bench\w*|e2e|fixtures?|docs?|testkit|testing|\.github|\.ci)\/|(?:^|\/)(?:vitest|jest|playwright)\.[\w.]+$/u

const MOST = 40

export const isSecret = (name: string): boolean => SECRET.test(name)

/** An address of the machine that a program is written on, which means another one where it is deployed. */
const OF_MACHINE = /\b(?:localhost|127\.0\.0\.1)\b/u

/** A value without its quotes, where it is plain, holds no password, and is the same on every machine. */
const plainOf = (name: string, fallback: string | null): string | null => {
  const value = fallback?.trim().replace(/^(["'`])(.*)\1$/u, "$2") ?? ""
  const isName = /^[A-Za-z_$][\w$]*\.[A-Za-z_$.]/u.test(value) && fallback === value
  return PLAIN.test(value) && !isName && !isSecret(name) && !OF_MACHINE.test(value) && !/:\/\/[^/:]*:[^/@]*@/u.test(value) ? value : null
}

const variableOf = (name: string, facts: ReadonlyArray<Fact<"environment">>): ReadonlyArray<Variable> => {
  const evidence = evidenceOf(facts.slice(0, 3))
  if (evidence === undefined) return []
  const fallbacks = facts.flatMap(({ value: { fallback } }) => fallback === null ? [] : [fallback])
  return [{
    name,
    required: facts.some(({ value }) => value.required) &&
      !facts.some((one) => one.value.fallback !== null && !pathOf(one).includes(".env")),
    fallback: fallbacks.map((one) => plainOf(name, one)).find((one) => one !== null) ?? null,
    evidence
  }]
}

/** By name; those of other packages and of helpers are left out. */
export const variablesIn = (project: Project, folder: string, others: ReadonlyArray<string>): ReadonlyArray<Variable> => {
  const own = variablesOf(project).filter((one) => {
    const path = pathOf(one)
    return NAME.test(one.subject) && !OF_SYSTEMS.test(one.subject) && isIn(path, folder) && !OF_HELPERS.test(path) &&
      !others.some((other) => isIn(path, other))
  })
  return Array.from(Map.groupBy(own, ({ subject }) => subject)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST)
    .flatMap(([name, facts]) => variableOf(name, facts))
}
