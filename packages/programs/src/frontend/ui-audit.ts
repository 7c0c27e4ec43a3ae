/** ui-audit.md: what of the markup keeps people out, each with its line and the criterion of WCAG that it fails. */
import { absence, type Artifact, type Block, type Rule, rule } from "../claims/model.ts"
import { claimOf, page, type Section } from "../claims/sections.ts"
import { isPassive, UNKNOWN } from "../facts/markup.ts"
import type { Project } from "../facts/project.ts"
import { type ElementFact, elementsOf, searchedForMarkup } from "../map/interface.ts"
import { pagesOf } from "../map/pages.ts"
import { lineOf, pathOf } from "../map/uses.ts"
import { code, count } from "../map/words.ts"

const MOST = 10

/** Its number finds the criterion. */
const wcag = (criterion: string): Rule => rule(`${criterion}.`, { name: "WCAG 2.2" })

interface Finding {
  readonly text: string
  readonly facts: readonly [ElementFact, ...ReadonlyArray<ElementFact>]
}

interface Check {
  readonly title: string
  readonly rule: Rule
  readonly find: (elements: ReadonlyArray<ElementFact>, project: Project) => ReadonlyArray<Finding>
}

const attribute = ({ value }: ElementFact, name: string): string | undefined => value.attributes[name]
/** A run may give what is not written. */
const isKnown = (element: ElementFact): boolean => attribute(element, UNKNOWN) === undefined
const isHidden = (element: ElementFact): boolean =>
  attribute(element, "aria-hidden") === "true" || /^(?:presentation|none)$/u.test(attribute(element, "role") ?? "")
const hasName = (element: ElementFact): boolean =>
  ["aria-label", "aria-labelledby", "title"].some((name) => (attribute(element, name) ?? "") !== "")

/** How somebody finds it in its line: by what it shows, says or is called. */
const described = ({ subject, value: { attributes } }: ElementFact): string => {
  const said = ["src", "name", "id", "href", "placeholder", "type"].map((name) => [name, attributes[name] ?? ""] as const)
    .find(([, value]) => value !== "")
  return said === undefined ? code(subject) : `${code(subject)} with ${said[0]} ${code(said[1])}`
}

const alone = (says: string, is: (element: ElementFact) => boolean) => (elements: ReadonlyArray<ElementFact>): ReadonlyArray<Finding> =>
  elements.filter((element) => isKnown(element) && is(element)).map((element) => ({
    text: `${described(element)} ${says}`,
    facts: [element]
  }))

const ENTERED = /^(?:input|select|textarea)$/u
const NO_LABEL = /^(?:hidden|submit|button|reset|image)$/u

const withoutLabel = (elements: ReadonlyArray<ElementFact>): ReadonlyArray<Finding> =>
  Array.from(Map.groupBy(elements, pathOf).values()).flatMap((ofFile) => {
    const labels = ofFile.filter(({ subject }) => subject === "label")
    const labelled = new Set(labels.map((label) => attribute(label, "for")))
    const wrapping = labels.filter((label) => attribute(label, "for") === undefined)
    const isWrapped = (element: ElementFact) =>
      wrapping.some(({ evidence: [{ end_line, start_line }] }) => lineOf(element) >= start_line && lineOf(element) <= end_line)
    return alone("has no label in its file", (element) => {
      const id = attribute(element, "id")
      return ENTERED.test(element.subject) && !NO_LABEL.test(attribute(element, "type") ?? "") && !hasName(element) && !isHidden(element) &&
        !(id !== undefined && labelled.has(id)) && !isWrapped(element)
    })(ofFile)
  })

const COMPONENTS = /<[A-Za-z][\w.]*>/gu

const withoutName = (elements: ReadonlyArray<ElementFact>): ReadonlyArray<Finding> =>
  elements.filter((element) => {
    const isControl = element.subject === "button" || element.subject === "a" && attribute(element, "href") !== undefined
    return isControl && isKnown(element) && !hasName(element) && !isHidden(element) &&
      element.value.text.replaceAll(COMPONENTS, "").trim() === ""
  }).map((element) => {
    const held = element.value.text.match(COMPONENTS) ?? []
    return {
      text: `${described(element)} ${
        held.length === 0 ? "holds no text" : `holds only ${code(held.join(" "))}; does that say what it does?`
      }`,
      facts: [element]
    }
  })

/** In documents alone: where a component's heading will stand is not known. */
const skippedHeadings = (_: ReadonlyArray<ElementFact>, project: Project): ReadonlyArray<Finding> =>
  pagesOf(project).filter(({ isDocument }) => isDocument).flatMap(({ elements }) => {
    const headings = elements.filter(({ subject }) => /^h[1-6]$/u.test(subject))
    return headings.slice(1).flatMap((heading, at): ReadonlyArray<Finding> => {
      const before = headings[at]
      const isSkipped = before !== undefined && Number(heading.subject.slice(1)) > Number(before.subject.slice(1)) + 1
      return isSkipped
        ? [{ text: `${code(heading.value.text)} is ${code(heading.subject)} behind ${code(before.subject)}`, facts: [heading, before] }]
        : []
    })
  })

const withoutTitle = (_: ReadonlyArray<ElementFact>, project: Project): ReadonlyArray<Finding> =>
  pagesOf(project).filter(({ elements }) => elements.every(({ subject }) => subject !== "title")).flatMap((
    { address, elements: [first] }
  ) =>
    first === undefined || first.subject !== "html"
      ? []
      : [{ text: `${code(address)} has no title, only ${described(first)}`, facts: [first] }]
  )

const NOOPENER = { name: "HTML, link type noopener", url: "https://html.spec.whatwg.org/multipage/links.html#link-type-noopener" }

const CHECKS: ReadonlyArray<Check> = [
  {
    title: "Pictures",
    rule: wcag("1.1.1 Non-text Content"),
    find: alone("has no alt", (one) => one.subject === "img" && attribute(one, "alt") === undefined && !hasName(one) && !isHidden(one))
  },
  {
    title: "Fields",
    rule: wcag("4.1.2 Name, Role, Value"),
    find: withoutLabel
  },
  { title: "Buttons and links", rule: wcag("4.1.2 Name, Role, Value"), find: withoutName },
  {
    title: "Clicks",
    rule: wcag("2.1.1 Keyboard"),
    find: alone(
      "takes clicks and no keys",
      (one) =>
        isPassive(one.subject) && attribute(one, "onclick") !== undefined &&
        ["onkeydown", "onkeyup", "tabindex"].every((name) => attribute(one, name) === undefined)
    )
  },
  {
    title: "Language",
    rule: wcag("3.1.1 Language of Page"),
    find: alone("has no lang", (one) => one.subject === "html" && (attribute(one, "lang") ?? "") === "")
  },
  { title: "Titles", rule: wcag("2.4.2 Page Titled"), find: withoutTitle },
  {
    title: "Headings",
    rule: rule("G141: Organizing a page using headings.", {
      name: "WCAG 2.2, techniques",
      url: "https://www.w3.org/WAI/WCAG22/Techniques/general/G141"
    }),
    find: skippedHeadings
  },
  {
    title: "Frames",
    rule: wcag("4.1.2 Name, Role, Value"),
    find: alone("has no title", (one) => one.subject === "iframe" && !hasName(one) && !isHidden(one))
  },
  {
    title: "Order of focus",
    rule: wcag("2.4.3 Focus Order"),
    find: alone("comes before all that have no tabindex", (one) => /^\{?["']?[1-9]\d*["']?\}?$/u.test(attribute(one, "tabindex") ?? ""))
  },
  {
    title: "Windows",
    rule: rule("Older browsers hand `window.opener` to the page unless `rel` says noopener or noreferrer.", NOOPENER),
    find: alone(
      "opens a window without rel",
      (one) => one.subject === "a" && attribute(one, "target") === "_blank" && !/noopener|noreferrer/u.test(attribute(one, "rel") ?? "")
    )
  }
]

const more = (findings: ReadonlyArray<Finding>): ReadonlyArray<Block> => {
  const rest = findings.slice(MOST)
  const files = [...new Set(rest.map(({ facts: [first] }) => pathOf(first)))]
  return claimOf(
    `${count(rest.length, "more line")} in ${files.slice(0, 4).map(code).join(", ")}.`,
    rest.map(({ facts: [first] }) => first)
  )
}

export const uiAudit = (project: Project): Artifact => {
  const elements = elementsOf(project)
  const files = searchedForMarkup(project)
  const sections = CHECKS.map(({ find, rule, title }): Section => {
    const findings = find(elements, project)
    const claims = findings.slice(0, MOST).flatMap(({ facts, text }) => claimOf(`${text}.`, facts))
    return { title: `${title}: ${findings.length}`, blocks: claims.length === 0 ? [] : [rule, ...claims, ...more(findings)] }
  })
  const clean = CHECKS.filter((_, at) => sections[at]?.blocks.length === 0).map(({ title }) => title.toLowerCase())
  const nothing = elements.length === 0 ? "No markup." : `Clean: ${clean.join(", ")}.`
  return page(`${project.description.project_name}: barriers`, [
    ...sections,
    { title: "", blocks: [], ...clean.length === 0 ? {} : { none: absence(nothing, files) } }
  ])
}
