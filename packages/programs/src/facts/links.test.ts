import { assert, describe, it } from "@effect/vitest"
import { type AnyFact, fact, type FactValues } from "./model.ts"
import { makeProject, type Project } from "./project.ts"
import { readFile } from "./readers.ts"

const projectOf = async (texts: Readonly<Record<string, string>>, more: ReadonlyArray<AnyFact> = []): Promise<Project> => {
  const files = await Promise.all(
    Object.entries(texts).map(async ([path, text]) => ({ path, facts: await readFile(path, text) }))
  )
  return makeProject({ project_name: "p" }, [...files, { path: "more", facts: more }])
}

/** `what is imported > the file`. */
const targets = (project: Project): ReadonlyArray<string> =>
  project.facts("import").map((one) => `${one.subject} > ${project.links.target(one) ?? "nothing"}`)

/** `what is called > file of the symbol:its line`. */
const callees = (project: Project): ReadonlyArray<string> =>
  project.facts("call").map((one) => {
    const at = project.links.callee(one)?.evidence[0]
    return `${one.value.callee} > ${at === undefined ? "nothing" : `${at.path}:${at.start_line}`}`
  })

const manifest = (ecosystem: FactValues["manifest"]["ecosystem"], name: string, path: string): AnyFact =>
  fact("manifest", name, {
    ecosystem,
    version: null,
    description: null,
    license: null,
    private: false,
    entries: [],
    workspaces: [],
    requires: []
  }, { path, start_line: 1, end_line: 1 })

describe("imports of JavaScript and TypeScript", () => {
  it("mean files by extension, index and the ending of what is built", async () => {
    const project = await projectOf({
      "src/a.ts":
        `import "./b"\nimport "./c.js"\nimport "./folder"\nimport "../root.json"\nimport "./none"\nimport "node:fs"\nimport "react"\n`,
      "src/b.tsx": "",
      "src/c.ts": "",
      "src/folder/index.ts": "",
      "root.json": ""
    })
    assert.deepStrictEqual(targets(project), [
      "./b > src/b.tsx",
      "./c.js > src/c.ts",
      "./folder > src/folder/index.ts",
      "../root.json > root.json",
      "./none > nothing",
      "node:fs > nothing",
      "react > nothing"
    ])
    assert.deepStrictEqual(project.links.importers("src/c.ts").map(({ evidence: [at] }) => at.start_line), [2])
  })

  it("mean files of other packages of the workspace, by what those export", async () => {
    const project = await projectOf({
      "packages/app/package.json": `{ "name": "@shop/app", "imports": { "#own": "./src/own.ts" } }`,
      "packages/app/src/a.ts":
        `import "@shop/kernel/money"\nimport "@shop/kernel/hidden"\nimport "@shop/built"\nimport "#own"\nimport "@shop/built/deep"\n`,
      "packages/app/src/own.ts": "",
      "packages/kernel/package.json": `{ "name": "@shop/kernel", "exports": { "./money": "./src/money.ts" } }`,
      "packages/kernel/src/money.ts": "",
      "packages/kernel/src/hidden.ts": "",
      "packages/built/package.json": `{ "name": "@shop/built", "main": "dist/index.js" }`,
      "packages/built/src/index.ts": "",
      "packages/built/src/deep.ts": ""
    })
    assert.deepStrictEqual(targets(project), [
      "@shop/kernel/money > packages/kernel/src/money.ts",
      "@shop/kernel/hidden > packages/kernel/src/hidden.ts",
      "@shop/built > packages/built/src/index.ts",
      "#own > packages/app/src/own.ts",
      "@shop/built/deep > packages/built/src/deep.ts"
    ])
  })

  it("mean files by the paths of the nearest tsconfig.json, and of what it extends", async () => {
    const project = await projectOf({
      "tsconfig.base.json": `{ "compilerOptions": { "baseUrl": ".", "paths": { "~/*": ["web/src/*"] } } }`,
      "web/tsconfig.json": `{ "extends": "../tsconfig.base.json" } // a comment`,
      "web/src/a.ts": `import "~/lib/b"\n`,
      "web/src/lib/b.ts": ""
    })
    assert.deepStrictEqual(targets(project), ["~/lib/b > web/src/lib/b.ts"])
  })
})

describe("imports of other languages", () => {
  it("mean modules and packages in Python", async () => {
    const project = await projectOf({
      "shop/__init__.py": "",
      "shop/api/orders.py":
        "from ..models import Order\nfrom . import helpers\nimport shop.db.session as s\nfrom shop import models\nimport os\n",
      "shop/api/helpers.py": "",
      "shop/models.py": "",
      "shop/db/session.py": ""
    })
    assert.deepStrictEqual(targets(project), [
      "..models > shop/models.py",
      ". > shop/api/helpers.py",
      "shop.db.session > shop/db/session.py",
      "shop > shop/models.py",
      "os > nothing"
    ])
  })

  it("mean folders of the module in Go", async () => {
    const project = await projectOf({
      "cmd/main.go":
        `package main\nimport (\n  "fmt"\n  "example.org/shop/internal/store"\n)\nfunc main() { store.Open(); fmt.Println(1) }\n`,
      "internal/store/store.go": "package store\nfunc Open() {}\n",
      "internal/store/store_test.go": "package store\n"
    }, [manifest("go", "example.org/shop", "go.mod")])
    assert.deepStrictEqual(targets(project), ["fmt > nothing", "example.org/shop/internal/store > internal/store/store.go"])
    assert.deepStrictEqual(callees(project), ["store.Open > internal/store/store.go:2", "fmt.Println > nothing"])
  })

  it("mean modules and crates in Rust", async () => {
    const project = await projectOf({
      "app/src/main.rs": "mod store;\nuse crate::store::rows::Row;\nuse shop_core::money::Amount;\nuse serde::Serialize;\n",
      "app/src/store/mod.rs": "mod rows;\nuse super::other;\n",
      "app/src/store/rows.rs": "",
      "core/src/lib.rs": "",
      "core/src/money.rs": ""
    }, [manifest("cargo", "shop-core", "core/Cargo.toml")])
    assert.deepStrictEqual(targets(project), [
      "self::store > app/src/store/mod.rs",
      "crate::store::rows::Row > app/src/store/rows.rs",
      "shop_core::money::Amount > core/src/money.rs",
      "serde::Serialize > nothing",
      "self::rows > app/src/store/rows.rs",
      "super::other > app/src/main.rs"
    ])
  })

  it("mean classes in Java and PHP, and headers in C", async () => {
    const project = await projectOf({
      "src/main/java/org/shop/App.java": "package org.shop;\nimport org.shop.store.Orders;\nimport java.util.List;\nclass App {}\n",
      "src/main/java/org/shop/store/Orders.java": "package org.shop.store;\npublic class Orders {}\n",
      "src/Http/Shop.php": "<?php\nuse App\\Models\\Order;\n",
      "src/Models/Order.php": "<?php\n",
      "lib/a.c": `#include "shop/money.h"\n#include <stdio.h>\n`,
      "include/shop/money.h": ""
    })
    assert.deepStrictEqual(targets(project), [
      "shop/money.h > include/shop/money.h",
      "stdio.h > nothing",
      "App\\Models\\Order > src/Models/Order.php",
      "org.shop.store.Orders > src/main/java/org/shop/store/Orders.java",
      "java.util.List > nothing"
    ])
  })
})

describe("calls", () => {
  it("mean symbols of the file, of imports and of what those export again", async () => {
    const project = await projectOf({
      "a.ts": `import { pay } from "./index.ts"
import * as money from "./money.ts"
import { Ledger } from "./ledger.ts"
function own() {}
own()
pay()
money.add()
new Ledger().post()
ledger.balance()
items.map(one)
unknown()
`,
      "index.ts": `export * from "./pay.ts"\n`,
      "pay.ts": "export function pay() {}\n",
      "money.ts": "export const add = () => 1\n",
      "ledger.ts": "export class Ledger {\n  post() { this.balance() }\n  balance() {}\n  map() {}\n}\n"
    })
    assert.deepStrictEqual(callees(project), [
      "own > a.ts:4",
      "pay > pay.ts:1",
      "money.add > money.ts:1",
      "Ledger > ledger.ts:1",
      "new Ledger().post > ledger.ts:2",
      "ledger.balance > ledger.ts:3",
      "items.map > nothing",
      "unknown > nothing",
      "this.balance > ledger.ts:3"
    ])
    const [post] = project.facts("symbol").filter(({ subject }) => subject === "post")
    assert.deepStrictEqual(
      post === undefined ? [] : project.links.callers(post).map(({ evidence: [at] }) => `${at.path}:${at.start_line}`),
      ["a.ts:8"]
    )
  })

  it("mean the class of their caller where the same words stand in two", async () => {
    const project = await projectOf({
      "a.ts": `class Cash {
  open() { this.check(); this.check() }
  check() {}
}
class Card {
  close() { this.check() }
  check() {}
}
`
    })
    assert.deepStrictEqual(callees(project), ["this.check > a.ts:3", "this.check > a.ts:3", "this.check > a.ts:7"])
  })
})
