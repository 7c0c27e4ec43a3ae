/** The share of lines that tests run, as a report that was sent says it: lcov, Cobertura, or the summary of Istanbul. */
import { parseJson } from "@svc/kernel/values/json"
import type { HygieneFile } from "../files.ts"
import { REPORT } from "./project.ts"

const share = (hit: number, found: number): number | undefined => found > 0 && hit >= 0 && hit <= found ? hit / found : undefined

const sumOf = (text: string, mark: RegExp): number =>
  Array.from(text.matchAll(mark), ([, count]) => Number(count)).reduce((all, one) => all + one, 0)

const ofLcov = (text: string) => share(sumOf(text, /^LH:(\d{1,9})\r?$/gmu), sumOf(text, /^LF:(\d{1,9})\r?$/gmu))

const ofCobertura = (text: string) => {
  const root = /<coverage\b[^>]{0,2000}>/u.exec(text)?.[0] ?? ""
  const rate = Number(/\bline-rate="([\d.]{1,20})"/u.exec(root)?.[1] ?? Number.NaN)
  return rate >= 0 && rate <= 1 ? rate : undefined
}

const ofSummary = (text: string) => {
  try {
    const { total } = parseJson(text) as { readonly total?: { readonly lines?: { readonly covered?: number; readonly total?: number } } }
    return share(total?.lines?.covered ?? Number.NaN, total?.lines?.total ?? Number.NaN)
  } catch {
    // What is no JSON is a finding of its own.
    return undefined
  }
}

export interface Coverage {
  readonly path: string
  /** From 0 to 1. */
  readonly lines: number
}

/** Of the first report that says it. */
export const coverageOf = (files: ReadonlyArray<HygieneFile>): Coverage | undefined => {
  for (const { extension, path, text } of files) {
    if (!REPORT.test(path)) continue
    const lines = extension === ".info" ? ofLcov(text) : extension === ".json" ? ofSummary(text) : ofCobertura(text)
    if (lines !== undefined) return { path, lines }
  }
  return undefined
}
