import { assert, describe, it } from "@effect/vitest"
import { parseFragment } from "parse5"
import { htmlComment, htmlText } from "./html.ts"

const NASTY = ["\"", "'", "`", "$(id)", "a\nb", "*/", "-->", "--!>", "]]>", "../..", "</title>", "<!--", "-", "&amp;", "<script>", "><"]

describe("HTML", () => {
  it.each(NASTY)("keeps %j a text, an attribute and a comment", (text) => {
    const errors: Array<string> = []
    const html = `<p title="${htmlText(text)}">${htmlText(text)}</p>${htmlComment(text)}`
    const { childNodes } = parseFragment(html, { onParseError: ({ code }) => errors.push(code) })
    const shown = text.replaceAll("\n", " ")
    assert.deepStrictEqual(errors, [])
    const [paragraph, comment] = childNodes
    assert.isTrue(paragraph !== undefined && "attrs" in paragraph && paragraph.attrs[0]?.value === shown)
    const child = paragraph !== undefined && "childNodes" in paragraph ? paragraph.childNodes[0] : undefined
    assert.isTrue(child !== undefined && "value" in child && child.value === shown)
    assert.deepStrictEqual([childNodes.length, comment?.nodeName], [2, "#comment"])
  })
})
