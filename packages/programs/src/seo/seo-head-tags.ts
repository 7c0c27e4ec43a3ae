/** seo-head-tags.html: the tags that the head of each page lacks, in its own words, ready to be copied. Each page is a `template`. */
import { codeFile, type CodeLine } from "../claims/comments.ts"
import { htmlComment, htmlLine, htmlText } from "../claims/html.ts"
import { type Artifact, evidenceOf } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { packageOf } from "../map/packages.ts"
import { factsOfPage, saidOf } from "../map/pages.ts"
import { type Head, headsOf, isHidden, plainText } from "./head.ts"

const MOST = 60

const line = (text: string, facts: ReadonlyArray<AnyFact | undefined>): ReadonlyArray<CodeLine> => {
  const evidence = evidenceOf(facts.flatMap((fact) => fact ?? []))
  return evidence === undefined ? [] : [htmlLine(`  ${text}`, evidence)]
}

const meta = (kind: "name" | "property", name: string, text: string | undefined, fact: AnyFact | undefined): ReadonlyArray<CodeLine> =>
  text === undefined ? [] : line(`<meta ${kind}="${name}" content="${htmlText(text)}">`, [fact])

/** What the page does not say, and other words of it do. */
const tags = (project: Project, head: Head): ReadonlyArray<CodeLine> => {
  const { canonical, description, h1: [heading], ogDescription, ogTitle, title } = head
  const [titleText, headingText] = [plainText(title), plainText(heading)]
  const manifest = packageOf(project, head.page.path)
  const described = plainText(description) ?? (manifest?.value.description ?? undefined)
  const describing = plainText(description) === undefined ? manifest : description
  return [
    ...saidOf(title) === undefined && headingText !== undefined ? line(`<title>${htmlText(headingText)}</title>`, [heading]) : [],
    ...saidOf(description) === undefined ? meta("name", "description", described, describing) : [],
    ...saidOf(ogTitle) === undefined
      ? meta("property", "og:title", titleText ?? headingText, titleText === undefined ? heading : title)
      : [],
    ...saidOf(ogDescription) === undefined ? meta("property", "og:description", described, describing) : [],
    ...saidOf(canonical) === undefined ? [] : meta("property", "og:url", plainText(canonical), canonical)
  ]
}

const template = (project: Project, head: Head): ReadonlyArray<CodeLine> => {
  const lines = tags(project, head)
  const evidence = evidenceOf(factsOfPage(head.page))
  return lines.length === 0 || evidence === undefined
    ? []
    : [htmlLine(`<template data-page="${htmlText(head.page.address)}">`, evidence), ...lines, { text: "</template>" }]
}

export const seoHeadTags = (project: Project): Artifact => {
  const templates = headsOf(project).filter((head) => !isHidden(head)).slice(0, MOST).flatMap((head) => template(project, head))
  const name = htmlText(project.description.project_name)
  return codeFile([
    { text: "<!doctype html>" },
    { text: `<html lang="en"><head><meta charset="utf-8"><title>${name}</title></head><body>` },
    ...templates,
    ...templates.length === 0
      ? [{ text: htmlComment(`No page whose own words could fill its head. Searched: ${searchedForMarkup(project)} files.`) }]
      : [],
    { text: "</body></html>" }
  ])
}
