import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

const card = `import Image from "next/image"
import { Link } from "./link"
export function Card({ title, ...rest }: { title: string }) {
  const items = [1].map((n) => <li key={n} onClick={() => open({ n })}>{n}</li>)
  return (
    <section className="card wide" style={{ color: "var(--ink)" }}>
      <h2>{title} <em>now</em></h2>
      <Image src="/a.png" width={10} />
      <img {...rest} />
      <button aria-label={"Close"} onClick={close}><Icon name="x" /></button>
      <input id='q' type="text" required />
      <a href="https://example.com/?a=>b" target="_blank">Out</a>
      <Link.Row to={\`/x/\${title}\`} />
      {items}
    </section>
  )
}
`

describe("markup in code", () => {
  it("gives the elements that say something, with their attributes", async () => {
    assert.deepStrictEqual(await linesOf("src/card.tsx", card, "element", "text", "attributes"), [
      "li  {\"onclick\":\"{() => open({ n })}\"} @4",
      "h2 {title} now {} @7",
      "img  {\"src\":\"/a.png\"} @8",
      "img  {\"...\":\"\"} @9",
      "button <Icon> {\"aria-label\":\"Close\",\"onclick\":\"{close}\"} @10",
      "input  {\"id\":\"q\",\"required\":\"\",\"type\":\"text\"} @11",
      "a Out {\"href\":\"https://example.com/?a=>b\",\"target\":\"_blank\"} @12"
    ])
  })

  it("gives the components that it uses, and in which component", async () => {
    assert.deepStrictEqual(await linesOf("src/card.tsx", card, "render", "within", "props"), [
      "Image Card src,width @8",
      "Icon Card name @10",
      "Link.Row Card to @13"
    ])
  })

  it("gives class names and custom properties of components", async () => {
    assert.deepStrictEqual(await linesOf("src/card.tsx", card, "classes", "names"), ["Card card,wide @6"])
    assert.deepStrictEqual(await linesOf("src/card.tsx", card, "token-use", "property", "scope"), ["--ink null Card @6"])
  })

  it("gives what a page of Next.js says of itself", async () => {
    const text =
      `export const metadata = { title: "Shop", description: "Sells bicycles." }\nexport default function Page() { return <p/> }\n`
    assert.deepStrictEqual(await linesOf("app/page.tsx", text, "element", "text", "attributes"), [
      "title Shop {} @1",
      "meta:description  {\"content\":\"Sells bicycles.\",\"name\":\"description\"} @1"
    ])
  })

  it.each([
    "<a href={",
    "<a b='",
    "<a ".repeat(400),
    `<a ${"{".repeat(2000)}`,
    `<a>${"<b alt=".repeat(500)}</a>`
  ])("survives markup that is not whole: %#", async (text) => {
    await linesOf("src/a.tsx", `export const A = () => ${text}`, "element")
  })
})
