/** A bakery's shop in React, with a page of HTML, styles and a model: each program of interfaces finds something of its own here. */
import type { Texts } from "./measures.ts"

export const bakery: Texts = {
  "package.json": `{
  "name": "bakery",
  "version": "2.1.0",
  "description": "Bread by subscription.",
  "homepage": "https://bakery.example",
  "dependencies": { "next": "^16.0.0", "openai": "^7.0.0", "react": "^19.0.0", "zustand": "^5.0.0" }
}
`,
  "app/layout.tsx": `import "../styles/bakery.css"
import { Header } from "../src/header"

export const metadata = { title: "Bakery", description: "Bread by subscription." }

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html>
      <body className="page">
        <Header title="Bakery" />
        <main>{children}</main>
      </body>
    </html>
  )
}
`,
  "app/page.tsx": `import { Loaf } from "../src/loaf"

export default function Home() {
  return (
    <>
      <h1>Bread of the week</h1>
      <Loaf name="Rye" grams={750} />
      <Loaf name="Spelt" colour="dark" />
    </>
  )
}
`,
  "app/about/page.tsx": `export const metadata = { title: "About the bakery" }

export default function About() {
  return <p className="muted">We bake at night. <a href="/">Shop</a> <a href="/ovens">Ovens</a></p>
}
`,
  "src/header.tsx": `import { useState } from "react"
import styles from "./header.module.css"

export function Header({ title }: { title: string }) {
  const [open, setOpen] = useState(false)
  return (
    <header className="bar" style={{ color: "var(--crust)" }}>
      <img src="/logo.svg" />
      <span onClick={() => setOpen(!open)}>{title}</span>
      <button><svg /></button>
      <nav><a href="/about">About</a></nav>
    </header>
  )
}
`,
  "src/loaf.tsx": `import { create } from "zustand"
import { Price } from "./price"

interface LoafProps {
  name: string
  grams: number
}

export const Loaf = ({ name, grams }: LoafProps) => (
  <article className="card loaf">
    <h2>{name}</h2>
    <Price cents={grams} />
    <input type="number" placeholder="How many" />
    <a href="https://example.org/rye" target="_blank">Recipe</a>
  </article>
)
`,
  "src/price.tsx": `export function Price({ cents }) {
  return <span className="price">{cents}</span>
}

export function OldPrice() {
  return <s className="price">0</s>
}
`,
  "styles/bakery.css": `:root {
  --crust: #6b3e1d;
  --crumb: #fffdf8;
  --space-small: 0.5rem;
  --rise: 150ms;
  --text: var(--crust);
  --unused-glaze: rgb(255 0 0 / 50%);
  --body-font: "Inter", sans-serif;
}
.page { color: var(--text); background: var(--crumb); font-family: var(--body-font) }
.bar { background-color: #6b3e1d; color: #8a5a34 }
.card { padding: var(--space-small); border-radius: 8px; color: var(--missing) }
.muted { color: #cccccc; background: #ffffff }
.price { color: var(--crust) }
@media (prefers-color-scheme: dark) {
  :root { --crumb: #1c1410; --crust: #e8c9a8 }
}
@media (min-width: 600px) {
  .card { padding: 1rem; gap: 12px }
}
`,
  "src/advice.ts": `import OpenAI from "openai"

const client = new OpenAI()

export const ADVICE_PROMPT = "You advise customers of a bakery on bread, in at most three sentences, and never name a price."
const RYE_PROMPT = "You advise customers of a bakery on rye bread, in at most three sentences, and never name a price."

export async function advise(questions: ReadonlyArray<string>) {
  for (const question of questions) {
    await client.chat.completions.create({
      model: "gpt-4o-mini",
      max_tokens: 200,
      messages: [{ role: "system", content: ADVICE_PROMPT }, { role: "user", content: question }]
    })
  }
}

export const nameLoaf = (grain: string) =>
  client.responses.create({ model: "gpt-5", input: \`\${grain} bread needs a name: give one word, and no reason for it.\` })
`
}
