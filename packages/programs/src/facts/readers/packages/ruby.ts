/** Gemfile, Gemfile.lock and gemspecs, by their lines: both are Ruby, but for the lock. */
import { linesWithSpans } from "../../lines.ts"
import { type AnyFact, fact, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { dependencyFact, licenseFact, manifestFact, readerOf } from "../reader.ts"
import { isForDevelopment } from "./requirement.ts"

/** `"~> 1.0", ">= 1.2"`: what stands in quotes before the first option. */
const rangeOf = (rest: string): string =>
  Array.from((/^[^:#]*/u.exec(rest)?.[0] ?? "").matchAll(/["']([^"']*)["']/gu), ([, text = ""]) => text).filter((text) => /\d/u.test(text))
    .join(", ")

const gemfile = readerOf(/(?:^|\/)Gemfile$/u, (path, text) => {
  const facts: Array<AnyFact> = []
  let group = ""
  for (const { span, text: line } of linesWithSpans(path, text)) {
    group = /^group\s(.*)\sdo\b/u.exec(line)?.[1] ?? (/^end\b/u.test(line) ? "" : group)
    const [, name, rest = ""] = /^\s*gem\s*(?:\(\s*)?["']([^"']+)["']([^]*)$/u.exec(line) ?? []
    if (name === undefined) continue
    const scope = isForDevelopment(/groups?:([^]*)$/u.exec(rest)?.[1] ?? group) ? "development" : "runtime"
    facts.push(dependencyFact(name, span, { ecosystem: "rubygems", range: rangeOf(rest), scope }))
  }
  return facts
})

const gemfileLock = readerOf(/(?:^|\/)Gemfile\.lock$/u, (path, text) => {
  const asked = new Set<string>()
  const found: Array<{ readonly name: string; readonly version: string; readonly span: Span }> = []
  let section = ""
  for (const { span, text: line } of linesWithSpans(path, text)) {
    if (/^\S/u.test(line)) section = line.trim()
    const [, name, version] = /^ {4}([^\s(]+) \(([^)]+)\)$/u.exec(line) ?? []
    if (name !== undefined && version !== undefined && section !== "PLATFORMS") found.push({ name, version, span })
    const direct = section === "DEPENDENCIES" ? /^ {2}([^\s(!]+)/u.exec(line)?.[1] : undefined
    if (direct !== undefined) asked.add(direct)
  }
  return found.map(({ name, span, version }) =>
    fact("locked", clip(name), { ecosystem: "rubygems", version: clip(version), direct: asked.has(name) }, span)
  )
})

const gemspec = readerOf(/\.gemspec$/u, (path, text) => {
  const facts: Array<AnyFact> = []
  const said = new Map<string, { readonly value: string; readonly span: Span }>()
  for (const { span, text: line } of linesWithSpans(path, text)) {
    const [, field, value] = /^\s*\w+\.(name|version|summary|license|required_ruby_version)\s*=\s*["']([^"']*)["']/u.exec(line) ?? []
    if (field !== undefined && value !== undefined) said.set(field, { value: clip(value), span })
    const [, kind, name, rest = ""] = /^\s*\w+\.add_(development_|runtime_)?dependency\s*(?:\(\s*)?["']([^"']+)["']([^]*)$/u.exec(line) ??
      []
    if (name === undefined) continue
    const scope = kind === "development_" ? "development" : "runtime"
    facts.push(dependencyFact(name, span, { ecosystem: "rubygems", range: rangeOf(rest), scope }))
  }
  const [name, license, ruby] = [said.get("name"), said.get("license"), said.get("required_ruby_version")]
  const licenses = license === undefined ? [] : [licenseFact(license.value, "manifest", license.span)]
  const manifest = name === undefined ? [] : [manifestFact(name.value, name.span, {
    ecosystem: "rubygems",
    version: said.get("version")?.value ?? null,
    description: said.get("summary")?.value ?? null,
    license: licenses[0]?.subject ?? null,
    requires: ruby === undefined ? [] : [`ruby ${ruby.value}`]
  })]
  return [...manifest, ...licenses, ...facts]
})

export const ruby = [gemfile, gemfileLock, gemspec]
