import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "action.yml",
    text: `
name: Label
description: Labels an issue.
author: Acme
branding: { icon: tag, color: blue }
inputs:
  token: { description: A token, required: true }
runs: { using: node24, main: index.js }
`,
    facts: `
1 listing name: json="Label"
2 listing description: json="Labels an issue."
3 listing author: json="Acme"
4 listing branding: json={"icon":"tag","color":"blue"}
5-6 listing inputs: json={"token":{"description":"A token","required":"true"}}
`
  },
  {
    path: "Tides/Tides.uplugin",
    text: `
{
  "FileVersion": 3,
  "FriendlyName": "Tides\\u200b",
  "CanContainContent": false,
  "Modules": [{ "Name": "Tides", "Type": "Runtime" }]
}
`,
    facts: `
2 listing FileVersion: json=3
3 listing FriendlyName: json="Tides"
4 listing CanContainContent: json=false
5 listing Modules: json=[{"Name":"Tides","Type":"Runtime"}]
`
  },
  {
    path: "Cargo.toml",
    text: `
[package]
name = "books"
version.workspace = true
publish = false
edition = "2024"
`,
    facts: `
2 listing name: json="books"
2 manifest books: version=workspace, private=true, ecosystem=cargo
3 listing version: json={"workspace":"true"}
4 listing publish: json="false"
`
  },
  {
    path: "pyproject.toml",
    text: `
[project]
name = "mail"
urls = { Source = "https://example.org/mail" }
`,
    facts: `
2 listing name: json="mail"
2 manifest mail: ecosystem=pypi
3 listing urls: json={"Source":"https://example.org/mail"}
`
  },
  {
    path: "package.json",
    text: `
{ "contributes": "${"x ".repeat(300)}", "keywords": [${`"${"k".repeat(100)}", `.repeat(170)}"k"], "preview": 1e400 }
`,
    facts: `
1 listing contributes: json="${"x ".repeat(249)}x…"
1 listing preview: json=null
`
  }
]

describe("what marketplaces show", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
