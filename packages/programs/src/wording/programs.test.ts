/** The programs of words and pictures over one shop: what they quote, count, ask and draw. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { parse } from "yaml"
import { brand } from "../brand/program.ts"
import { canvas } from "../canvas/program.ts"
import type { Artifact } from "../claims/model.ts"
import { makeProject, type Project } from "../facts/project.ts"
import { marketing } from "../marketing/program.ts"
import { pitch } from "../pitch/program.ts"
import { givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { citedShare, unitsOf } from "../testing/measures.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { wordyShop } from "./shop.fixture.ts"

const made = [canvas, brand, pitch, marketing]
const artifacts = made.flatMap((program) => program.artifacts)

describe("programs of words and pictures", () => {
  let shop: Project

  beforeAll(async () => {
    shop = await projectIn(wordyShop, "wheelhouse")
  })

  const artifactOf = (path: string, project = shop): Artifact =>
    artifacts.find((artifact) => artifact.path === path)?.make(project) ?? assert.fail(`no artifact ${path}`)
  const holds = (path: string, ...texts: ReadonlyArray<string>): void => {
    const { text } = artifactOf(path)
    for (const one of texts) assert.include(text, one)
  }

  it.each(made.map((program) => [program.name, program] as const))("%s says of nothing what it searched", (_, program) => {
    saysWhatWasSearched(program)
  })

  it.each(made.map((program) => [program.name, program] as const))("%s gives the same bytes in any order of files", async (_, program) => {
    givesTheSameBytes(program, await factsIn(wordyShop))
  })

  it("cite what they say", async () => {
    for (const [texts, project] of [[wordyShop, shop], [orders, await projectIn(orders, "orders")]] as const) {
      const units = artifacts.filter(({ path }) => /\.(?:md|json|ya?ml)$/u.test(path)).flatMap(({ make, path }) =>
        unitsOf(path, make(project), texts)
      )
      const wrong = units.filter(({ resolves, worded }) => !resolves || !worded).map(({ text }) => text)
      assert.isAtLeast(citedShare(units), 0.9, wrong.join("\n"))
    }
  })

  it("find words in two spellings and the way the project prefers", () => {
    assert.deepStrictEqual(parse(artifactOf("styles/Svc/PreferredTerms.yml").text), {
      extends: "substitution",
      message: "Use '%s', not '%s'.",
      level: "warning",
      ignorecase: false,
      swap: { "sign in": "log in", Github: "GitHub", "e-mail": "email", Wheelhouse: "WheelHouse" }
    })
    assert.deepStrictEqual(parse(artifactOf("styles/Svc/ForbiddenPatterns.yml").text), {
      extends: "existence",
      message: "Say something else than '%s'.",
      level: "warning",
      ignorecase: false,
      tokens: ["click here", "the the"]
    })
    holds("brand-guidelines.md", "| `GitHub` × 2 | `Github` × 1 | `README.md:9` |", "`Wheelhouse` × 1 (`README.md:9`)")
  })

  it("name colours as the project writes them", async () => {
    const texts = { "kiosk.css": ":root { --ink: #FFF }\nb { color: #ffffff; background: #EEE }\n" }
    const { text } = artifactOf("brand-board.md", await projectIn(texts, "kiosk"))
    assert.include(text, "| `#FFF` | `--ink` | 2 times |")
    assert.include(text, "| `#EEE` | – | 1 time |")
  })

  it("write settings that Vale reads", () => {
    const { text } = artifactOf(".vale.ini")
    assert.match(text, /^StylesPath = styles\nMinAlertLevel = suggestion\n\n/u)
    assert.include(text, "\n[*.md]\nBasedOnStyles = Svc\n")
    const nothing = makeProject({ project_name: "nothing" }, [])
    assert.deepStrictEqual(parse(artifactOf("styles/Svc/ForbiddenPatterns.yml", nothing).text).tokens, ["[^\\s\\S]"])
  })

  it("quote what the project says of itself, and ask for the rest", () => {
    const messages = parse(artifactOf("messaging-system.yaml").text)
    assert.strictEqual(messages.says["description of package.json"], "The fastest way to sell bicycles.")
    assert.strictEqual(messages.says["first paragraph of README.md"], "WheelHouse sells bicycles for merchants who log in by GitHub.")
    holds("pitch-deck.md", "- `Refunds are not yet there.` (`README.md:7`)", "- `0.4.0`: `Baskets are kept for a week.`")
    holds(
      "campaign-brief.md",
      "`fastest` in `The fastest way to sell bicycles.` (`package.json:4`)",
      "`wheelhouse` is private",
      "Question: "
    )
    holds("content-constraints.md", "`Never call a customer a user in documents.` (`CONTRIBUTING.md:5`)")
    holds("voice-and-tone.md", "README: ")
  })

  it("map the way to payment, with what measures it, and what is sent, asked and refused", () => {
    holds("funnel-map.md", "| sign up | `POST /signup` | `signed_up` |", "| pay | `POST /checkout` | – |")
    holds("sequence-pack.md", "| `Welcome to WheelHouse` | `welcome` | `welcome` | `signUp` |", "pay: `POST /checkout`")
    holds(
      "cro-playbook.md",
      "| `POST /signup` | 2: `mail`, `phone` | 1 | `phone` | `Join us` |",
      "| `POST /checkout` | `RangeError` | `the basket is empty` |"
    )
    holds("ab-test-plan.md", "| `short-form` | `signUp` | `signed_up` |", "h1: `Ride today`")
  })

  it("ask what counts where nothing is measured", async () => {
    const texts = {
      "README.md": "# Till\n\nTakes coins of every size.\n",
      "package.json": "{ \"name\": \"till\",\n\"description\": \"A till.\" }\n"
    }
    const { text } = artifactOf("ab-test-plan.md", await projectIn(texts, "till"))
    assert.include(
      text,
      "- `A till.` / `Takes coins of every size.` (`package.json:2`, `README.md:3`)\n- Question: what counts as success of till?"
    )
  })

  it("draw pictures, colours and imports", () => {
    holds(
      "asset-guidelines.md",
      `| \`docs/basket.svg\` | svg | 40 × 30, ${Buffer.byteLength(wordyShop["docs/basket.svg"] ?? "")} bytes | 1 |`
    )
    holds("brand-board.md", "| `#ff0000` | `--brand` | 2 times |", "`#ff0000` and `#fe0101` differ", "`Inter, sans-serif`")
    holds("social-pack.md", "| `public/index.html` | `Bicycles` | – | – |", "`The fastest way to sell bicycles.` 33")
    holds("slide-art-prompts.json", "src/server.ts → src/customers.ts", "\"value\":\"#ff0000\",\"name\":\"--brand\"")
    holds("poster-layouts.md", "| 1 | `src/server.ts` |")
  })

  it("draw a canvas of nodes that do not overlap, and edges between them", () => {
    const { edges, nodes } = parseJson(artifactOf("canvas-spec.json").text) as {
      readonly nodes: ReadonlyArray<Readonly<Record<"id" | "type" | "text", string> & Record<"x" | "y" | "width" | "height", number>>>
      readonly edges: ReadonlyArray<Readonly<Record<"id" | "fromNode" | "toNode" | "fromSide" | "toSide", string>>>
    }
    const ids = nodes.map(({ id }) => id)
    assert.deepStrictEqual([...ids].sort(), ["src/customers.ts", "src/mail.ts", "src/server.ts"])
    assert.strictEqual(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, nodes.length)
    for (const { height, type, width, x, y } of nodes) {
      assert.strictEqual(type, "text")
      for (const number of [x, y, width, height]) assert.isTrue(Number.isInteger(number))
    }
    assert.deepStrictEqual(edges.map(({ fromNode, fromSide, toNode, toSide }) => [fromNode, fromSide, toNode, toSide]), [
      ["src/customers.ts", "bottom", "src/mail.ts", "top"],
      ["src/server.ts", "bottom", "src/customers.ts", "top"]
    ])
  })

  it("write each line of D2 as a box or an arrow", () => {
    const lines = artifactOf("architecture-diagram.d2").text.trimEnd().split("\n")
    const name = "'(?:[^'\\\\`]|'')*'"
    const line = new RegExp(`^(?:direction: down|${name}(?: -> ${name})?: ${name} # [^\n]+)$`, "u")
    for (const one of lines) assert.match(one, line)
    assert.strictEqual(lines.length, 1 + 3 + 2)
  })
})
