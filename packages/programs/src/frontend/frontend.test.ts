import { assert, describe, it } from "@effect/vitest"
import { bakery } from "../testing/bakery.fixture.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { museum } from "../testing/museum.fixture.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { frontend } from "./program.ts"

const textOf = async (path: string, texts: Texts): Promise<string> => {
  const project = await projectIn(texts, "example")
  return frontend.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

describe("frontend", () => {
  it("says what was searched", () => saysWhatWasSearched(frontend))
  it("gives the same bytes", async () => givesTheSameBytes(frontend, await factsIn(bakery)))
  it("cites what it says of React", () => citesWhatItSays(frontend, bakery))
  it("cites what it says of pages", () => citesWhatItSays(frontend, museum))
  it("differs", () => differs(frontend, bakery, museum))

  it.each([
    ["frontend-rules.md", bakery, [
      "- A file is named as its component in kebab case: 3 of 4, such as `Header`, `Loaf` +1; not `OldPrice`. (`src/price.tsx:5-7`",
      "- Props have types: 3 of 4, such as `RootLayout`, `Header` +1; not `Price`. (`src/price.tsx:1-3`",
      "| `Header` | `useState` | `src/header.tsx:5` |",
      "- `zustand` in 1 file. (`src/loaf.tsx:1`)",
      "- CSS modules in 1 file: `./header.module.css`. (`src/header.tsx:2`)"
    ]],
    ["component-guidelines.md", bakery, [
      "| `Loaf` | name: string; grams: number | `Home` | `Price` | `src/loaf.tsx:9-16`, `app/page.tsx:7`, `app/page.tsx:8` |",
      "- `Loaf` is used without `grams`, which it requires, and with `colour`, which it does not declare. (`app/page.tsx:8`",
      "- `OldPrice`: no use found. (`src/price.tsx:5-7`)"
    ]],
    ["layout-patterns.md", bakery, [
      "| `/` | `app/layout.tsx` | `Loaf` | main, header, nav | `app/page.tsx:3`",
      "- `RootLayout` writes `main` and uses `Header`.",
      "- `min-width: 600px` changes `gap` in 1 file. (`styles/bakery.css:19`)"
    ]],
    ["ui-audit.md", bakery, [
      "- `img` with src `/logo.svg` has no alt. (`src/header.tsx:8`)",
      "- `input` with placeholder `How many` has no label in its file. (`src/loaf.tsx:13`)",
      "- `button` holds no text. (`src/header.tsx:10`)",
      "- `span` takes clicks and no keys. (`src/header.tsx:9`)",
      "- `html` has no lang. (`app/layout.tsx:8`)",
      "- `a` with href `https://example.org/rye` opens a window without rel. (`src/loaf.tsx:14`)"
    ]],
    ["ui-audit.md", museum, [
      "- `input` with name `guests` has no label in its file. (`visit.html:8`)",
      "- `Collections` is `h3` behind `h1`. (`index.html:15`, `index.html:14`)",
      "- `iframe` with src `map.html` has no title. (`visit.html:9`)"
    ]]
  ])("says in %s what is planted", async (path, texts, lines) => {
    const text = await textOf(path, texts)
    for (const line of lines) assert.include(text, line)
  })

  it.each([
    "<img alt=''>",
    "<img {...rest} />",
    "<img aria-hidden='true' />",
    "<label>Name <input /></label>",
    "<label htmlFor='a'>Name</label>, <input id='a' />",
    "<input aria-label={label} />",
    "<input type='hidden' />",
    "<button>{label}</button>",
    "<button title='Close'><svg /></button>",
    "<button><img src='x' alt=\"Close\" /></button>",
    "<div role='button' tabIndex={0} onClick={go} />",
    "<a target='_blank' rel='noreferrer' href='/'>Out</a>"
  ])("finds nothing in %s", async (markup) => {
    const text = await textOf("ui-audit.md", { "src/a.tsx": `export const A = () => <p>\n${markup.replace(", ", "\n")}\n</p>\n` })
    assert.notInclude(text, "## ")
  })

  it("quotes names as data", async () => {
    const text = await textOf("ui-audit.md", { "a.html": "<html lang='en'><title>T</title><img src='`x` | <!-- ]]> $(id)\n# A'></html>\n" })
    assert.include(text, "- `img` with src `'x' | <!-- ]]> $(id) # A` has no alt. (`a.html:1-2`)")
  })
})
