import { assert, describe, it } from "@effect/vitest"
import { parse } from "postcss"
import StyleDictionary from "style-dictionary"
import { colourOf } from "../facts/colour.ts"
import { fact } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { bakery } from "../testing/bakery.fixture.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { museum } from "../testing/museum.fixture.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { contrastOf } from "./dark-mode-tokens.ts"
import { theme } from "./program.ts"
import { cssComment } from "./theme-css.ts"

const textOf = async (path: string, texts: Texts): Promise<string> => {
  const project = await projectIn(texts, "example")
  return theme.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

describe("theme", () => {
  it("says what was searched", () => saysWhatWasSearched(theme))
  it("gives the same bytes", async () => givesTheSameBytes(theme, await factsIn(bakery)))
  it("cites what it says of CSS", () => citesWhatItSays(theme, bakery))
  it("cites what it says of SCSS", () => citesWhatItSays(theme, museum))
  it("differs", () => differs(theme, bakery, museum))

  it.each([
    ["theme-guidelines.md", bakery, [
      "| `--crust` | `#6b3e1d` | `--text`, `color` | 3 | `styles/bakery.css:2`",
      "- `--unused-glaze`: `rgb(255 0 0 / 50%)`. (`styles/bakery.css:7`)",
      "- `--missing`: 1 use, set nowhere here. (`styles/bakery.css:12`)",
      "- `#6b3e1d` is `--crust`, and written plainly 1 time. (`styles/bakery.css:11`, `styles/bakery.css:2`)"
    ]],
    ["theme-guidelines.md", museum, ["- `14px` of `font-size` has no name, and is written 2 times."]],
    ["component-theme-map.json", bakery, ["{\"component\":\"Header\",\"tokens\":[{\"token\":\"--crust\",\"by\":[\"code\"]}]}"]],
    ["dark-mode-tokens.json", bakery, [
      "{\"token\":\"--crumb\",\"light\":\"#fffdf8\",\"dark\":\"#1c1410\"}",
      "{\"rule\":\".muted\",\"text\":\"#cccccc\",\"behind\":\"#ffffff\",\"ratio\":\"160:100\",\"enough\":\"for no text\"}"
    ]],
    ["dark-mode-tokens.json", museum, ["Shall there be a dark mode?"]]
  ])("says in %s what is planted", async (path, texts, lines) => {
    const text = await textOf(path, texts)
    for (const line of lines) assert.include(text, line)
  })

  it("writes tokens that style-dictionary builds", async () => {
    const dictionary = new StyleDictionary({
      tokens: JSON.parse(await textOf("design-tokens.json", bakery)),
      platforms: { css: { transforms: ["name/kebab"] } },
      log: { warnings: "error", verbosity: "silent" }
    })
    const { tokens } = await dictionary.getPlatformTokens("css")
    assert.deepStrictEqual(tokens["color"]?.["crust"]?.["$value"], { colorSpace: "srgb", components: [0.42, 0.243, 0.114], hex: "#6b3e1d" })
    assert.deepStrictEqual(tokens["color"]?.["text"]?.["$value"], tokens["color"]?.["crust"]?.["$value"])
    assert.deepStrictEqual(tokens["dimension"]?.["space-small"]?.["$value"], { value: 0.5, unit: "rem" })
    assert.deepStrictEqual(tokens["duration"]?.["rise"]?.["$value"], { value: 150, unit: "ms" })
    assert.deepStrictEqual(tokens["fontFamily"]?.["body-font"]?.["$value"], ["Inter", "sans-serif"])
  })

  it("writes style sheets that a foreign parser takes", async () => {
    const root = parse(await textOf("theme.css", bakery))
    const declared: Array<string> = []
    root.walkDecls(({ prop, value }) => void declared.push(`${prop}: ${value}`))
    assert.deepInclude(declared, "--crust: #6b3e1d")
    assert.deepInclude(declared, "--crust: #e8c9a8")
    assert.lengthOf(declared, 9)
  })

  it.each(["red;} body{display:none", "url(http://x)", "\"", "(", "/*", "*/", "a\\", "</style>", "$(id)", "`id`"])(
    "leaves out a value that could end its place: %j",
    (value) => {
      const token = fact("token", "--a", { value, scope: ":root" }, { path: "a.css", start_line: 1, end_line: 1 })
      const project = makeProject({ project_name: "example" }, [{ path: "a.css", facts: [token] }])
      const text = theme.artifacts[1]?.make(project).text ?? ""
      assert.notInclude(text, "--a")
      parse(text)
    }
  )

  it.each(["*/", "-->", "\n", "..", "`", "*/ a {} /*"])("writes comments that hold %j", (text) => {
    assert.deepStrictEqual(parse(cssComment(text)).nodes.map(({ type }) => type), ["comment"])
  })

  it.each([
    ["#333", [0.2, 0.2, 0.2], 1],
    ["rgb(255 0 0 / 50%)", [1, 0, 0], 0.5],
    ["rgba(0, 0, 255, 0.25)", [0, 0, 1], 0.25],
    ["hsl(120, 100%, 25%)", [0, 0.5, 0], 1],
    ["white", [1, 1, 1], 1]
  ])("reads the colour %s", (text, components, alpha) => {
    const colour = colourOf(text)
    assert.deepStrictEqual([colour?.components.slice(), colour?.alpha], [components, alpha])
  })

  it("works contrasts out as WCAG does", () => {
    assert.strictEqual(contrastOf([0, 0, 0], [1, 1, 1]), 2100)
    assert.strictEqual(contrastOf([0.467, 0.467, 0.467], [1, 1, 1]), 447)
  })
})
