/** Elements as Markdown. */
import { createRequire } from "node:module"
import TurndownService from "turndown"

// The plug-in has no types.
const { gfm }: { readonly gfm: TurndownService.Plugin } = createRequire(import.meta.url)("@joplin/turndown-plugin-gfm")

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", emDelimiter: "_" })
turndown.use(gfm)
// An image in the text itself says nothing to who reads text.
turndown.addRule("inlineImages", {
  filter: (node) => node.nodeName === "IMG" && (node.getAttribute("src") ?? "data:").startsWith("data:"),
  replacement: (_, node) => "getAttribute" in node ? node.getAttribute("alt") ?? "" : ""
})

/** Read anew, by the parser that Turndown is made for: its tables need more of a DOM than linkedom has. */
export const toMarkdown = (element: Element): string => turndown.turndown(element.outerHTML).replace(/\n{3,}/gu, "\n\n").trim()
