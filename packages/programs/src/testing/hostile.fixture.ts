/** A repository in which every name and text tries to leave the place where it is written. */
import { type AnyFact, fact, type FactKind, type FactValues, type FileFacts } from "../facts/model.ts"

/** Ends strings, templates, comments, tags and lines of each format that is written. `stolen` is nowhere defined. */
export const NASTY = "a\"'`${stolen()}$(stolen)*/-->]]></title><script>stolen()</script>\n{{stolen}}\u2028\u202e..\\"

const PATH = `src/../${NASTY.replaceAll(/[\n\u2028]/gu, "")}.ts`

const at = <K extends FactKind>(kind: K, value: FactValues[K], subject = NASTY, path = PATH): AnyFact =>
  fact(kind, subject, value, { path, start_line: 1, end_line: 1 }) as unknown as AnyFact

const field = { name: NASTY, type: NASTY, required: false }
const symbol = { kind: "function", exported: true, container: null, signature: NASTY, doc: NASTY } as const
const importing = { names: [NASTY], style: "static" } as const

export const hostile: ReadonlyArray<FileFacts> = [
  {
    path: PATH,
    facts: [
      at("file", { language: "TypeScript", role: "source", lines: 9, bytes: 9 }, PATH),
      at("symbol", symbol),
      at("symbol", symbol, "constructor"),
      at("route", { method: "GET", path: "/rows/:key", handler: NASTY, framework: NASTY }, "GET /rows/:key"),
      at("route", { method: "GET", path: `/${NASTY}`, handler: null, framework: NASTY }),
      at("route", { method: "DELETE", path: "/rows/:id", handler: null, framework: NASTY }, `DELETE ${NASTY}`),
      at("route", { method: NASTY, path: "/rows", handler: NASTY, framework: NASTY }),
      at("component", { framework: NASTY, props: [field] }),
      at("schema", {
        style: NASTY,
        fields: [field, field, { name: "id", type: "constructor", required: true }, {
          name: "constructor",
          type: "string[]",
          required: true
        }]
      }, "rows"),
      at("test", { suite: NASTY, framework: NASTY }),
      at("todo", { text: NASTY }),
      at("error", { style: "throw", message: NASTY, within: NASTY }),
      at("error", { style: "catch", message: null, within: NASTY }),
      at("environment", { fallback: null, required: false }),
      at("sql", { tables: [NASTY], writes: [NASTY], text: NASTY }),
      at("command", { description: NASTY, framework: NASTY })
    ]
  },
  {
    path: "package.json",
    facts: [
      at("file", { language: "JSON", role: "configuration", lines: 9, bytes: 9 }, "package.json", "package.json"),
      at(
        "manifest",
        {
          ecosystem: "npm",
          version: NASTY,
          description: NASTY,
          license: NASTY,
          private: false,
          entries: [{ name: "main", target: PATH }],
          workspaces: [],
          requires: [NASTY]
        },
        NASTY,
        "package.json"
      ),
      at("entry", { ecosystem: "npm", target: PATH, package: NASTY }, "main", "package.json")
    ]
  },
  {
    path: "README.md",
    facts: [
      at("file", { language: "Markdown", role: "documentation", lines: 9, bytes: 9 }, "README.md", "README.md"),
      at("heading", { level: 1 }, NASTY, "README.md"),
      at("paragraph", { text: NASTY, under: NASTY }, NASTY, "README.md"),
      at("link", { target: NASTY, image: true }, NASTY, "README.md")
    ]
  },
  {
    path: "src/b.ts",
    facts: [
      at("file", { language: "TypeScript", role: "source", lines: 3, bytes: 9 }, "src/b.ts", "src/b.ts"),
      at("import", importing, "./other.ts", "src/b.ts")
    ]
  }
]
