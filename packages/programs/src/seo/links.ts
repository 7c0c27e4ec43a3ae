/** Links from page to page. */
import { posix } from "node:path"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import type { ElementFact } from "../map/interface.ts"
import { memo } from "../map/memo.ts"
import { type Page, pagesOf } from "../map/pages.ts"
import { pathOf, routesOf } from "../map/uses.ts"

export interface PageLink {
  readonly from: Page
  readonly element: ElementFact
  readonly href: string
  /** Undefined where no page, file or route has the address. */
  readonly to: Page | undefined
  readonly isBroken: boolean
}

/** Addresses of this site, whose ends after `?` and `#` are left out. */
const ownAddress = (href: string): string | undefined => {
  const plain = href.split(/[?#]/u, 1)[0] ?? ""
  return plain === "" || /^(?:[a-z][a-z0-9+.-]*:|\/\/)|[{}<>]/iu.test(href) ? undefined : plain
}

const withoutEnd = (address: string): string => address.replace(/(?:index)?\.html?$/u, "").replace(/(?<=.)\/$/u, "")

/** `/orders/[id]` and `/orders/:id` as a pattern that an address is compared with. */
const isSame = (pattern: string, address: string): boolean => {
  const [steps, own] = [pattern.split("/"), address.split("/")]
  return steps.length === own.length && steps.every((step, at) => /^(?::|\[|\{|<)/u.test(step) || step === own[at])
}

export const linksOf: (project: Project) => ReadonlyArray<PageLink> = memo((project) => {
  const pages = pagesOf(project)
  const known = new Set(project.paths)
  const byAddress = new Map(
    pages.flatMap((page) => [[page.address, page] as const, [withoutEnd(page.address), page] as const]).toReversed()
  )
  const patterns = routesOf(project).map(({ value }) => value.path)
  const exact = new Set(patterns)
  const open = [...exact].filter((path) => /[:[{<*]/u.test(path))
  return pages.flatMap((from) =>
    from.elements.filter(({ subject }) => subject === "a").flatMap((element): ReadonlyArray<PageLink> => {
      const href = element.value.attributes["href"] ?? ""
      const address = ownAddress(href)
      if (address === undefined) return []
      const file = posix.join(address.startsWith("/") ? "." : folderOf(pathOf(element)), address)
      const to = byAddress.get(address) ?? byAddress.get(withoutEnd(address)) ?? byAddress.get(file) ?? byAddress.get(withoutEnd(file)) ??
        pages.find((page) => isSame(page.address, address))
      const isServed = known.has(file) || known.has(`${file}/index.html`) || known.has(`public/${file}`) || known.has(`static/${file}`) ||
        exact.has(address) || open.some((pattern) => isSame(pattern, address))
      return [{ from, element, href, to, isBroken: to === undefined && !isServed }]
    })
  )
})
