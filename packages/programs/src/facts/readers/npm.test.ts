import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "listed/package.json",
    text: `
{
  "name": "shop",
  "description": "Sells bicycles.",
  "keywords": [
    "shop",
    "bicycle"
  ],
  "homepage": ""
}
`,
    facts: `
2 listing name: json="shop"
2 manifest shop: description=Sells bicycles., ecosystem=npm
3 listing description: json="Sells bicycles."
4-7 listing keywords: json=["shop","bicycle"]
8 listing homepage: json=""
`
  },
  {
    path: "package.json",
    text: `
{
  "name": "@acme/shop",
  "version": "1.2.0",
  "type": "module",
  "license": "Apache 2",
  "private": true,
  "packageManager": "pnpm@9.1.0",
  "engines": { "node": ">=20" },
  "workspaces": ["packages/*", "tools"],
  "scripts": {
    "test": "node --test",
    "__proto__": "echo"
  },
  "dependencies": { "zod": "^4.0.0" },
  "devDependencies": {
    "typescript": "7.0.2"
  },
  "peerDependencies": { "react": ">=18", "vue": "3" },
  "peerDependenciesMeta": { "vue": { "optional": true } },
  "lint-staged": { "*.ts": ["oxlint", "dprint"] }
}
`,
    facts: `
2 listing name: json="@acme/shop"
2 manifest @acme/shop: version=1.2.0, license=Apache-2.0, private=true, workspaces=[packages/*; tools], requires=[node >=20], ecosystem=npm
3 listing version: json="1.2.0"
4 listing type: json="module"
4 setting npm: name=type, value=module
5 license Apache-2.0: source=manifest, spdx=true
5 listing license: json="Apache 2"
6 listing private: json=true
7 setting npm: name=packageManager, value=pnpm@9.1.0
8 listing engines: json={"node":">=20"}
8 setting npm: name=engines.node, value=>=20
11 script test: runner=npm, command=node --test
12 script __proto__: runner=npm, command=echo
14 dependency zod: ecosystem=npm, range=^4.0.0, scope=runtime
16 dependency typescript: ecosystem=npm, range=7.0.2, scope=development
18 dependency react: ecosystem=npm, range=>=18, scope=peer
18 dependency vue: ecosystem=npm, range=3, scope=optional
19 listing peerDependenciesMeta: json={"vue":{"optional":true}}
20 setting lint-staged: name=*.ts, value=oxlint, dprint
`
  },
  {
    path: "kit/package.json",
    text: `
{
  "name": "kit",
  "bin": { "kit": "k.js" },
  "exports": {
    ".": { "types": "a.ts", "import": "a.js" },
    "./internal/*": null
  }
}
`,
    facts: `
2 listing name: json="kit"
2 manifest kit: entries=[bin.kit k.js; exports.. (types) a.ts; exports.. (import) a.js], ecosystem=npm
3 entry bin.kit: ecosystem=npm, package=kit, target=k.js
3 listing bin: json={"kit":"k.js"}
4-7 listing exports: json={".":{"types":"a.ts","import":"a.js"},"./internal/*":null}
5 entry exports.. (import): ecosystem=npm, package=kit, target=a.js
5 entry exports.. (types): ecosystem=npm, package=kit, target=a.ts
`
  },
  {
    path: "old/package.json",
    text: `
{ "name": "old", "licenses": [{ "type": "MIT" }], "main": "index.js", "bin": "cli.js", "workspaces": { "packages": ["a"] } }
`,
    facts: `
1 entry bin: ecosystem=npm, package=old, target=cli.js
1 entry main: ecosystem=npm, package=old, target=index.js
1 license MIT: source=manifest, spdx=true
1 listing bin: json="cli.js"
1 listing main: json="index.js"
1 listing name: json="old"
1 manifest old: license=MIT, entries=[main index.js; bin cli.js], workspaces=[a], ecosystem=npm
`
  },
  {
    path: "pnpm-workspace.yaml",
    text: `
packages:
  - "packages/*"
  - '!**/test'
catalog:
  react: ^18.3.1
`,
    facts: `
2 setting pnpm: name=packages, value=packages/*
3 setting pnpm: name=packages, value=!**/test
5 setting pnpm: name=catalog.react, value=^18.3.1
`
  },
  {
    path: "package-lock.json",
    text: `
{
  "lockfileVersion": 3,
  "packages": {
    "": { "dependencies": { "zod": "^4.0.0" } },
    "packages/a": { "version": "1.0.0", "devDependencies": { "ms": "1" } },
    "node_modules/@acme/a": { "resolved": "packages/a", "link": true },
    "node_modules/zod": {
      "version": "4.0.1",
      "license": "MIT"
    },
    "packages/a/node_modules/ms": { "version": "1.0.0" },
    "node_modules/debug/node_modules/ms": { "version": "2.1.3" }
  }
}
`,
    facts: `
7-8 locked zod: ecosystem=npm, version=4.0.1, direct=true
11 locked ms: ecosystem=npm, version=1.0.0, direct=true
12 locked ms: ecosystem=npm, version=2.1.3, direct=false
`
  },
  {
    path: "npm-shrinkwrap.json",
    text: `
{
  "lockfileVersion": 1,
  "dependencies": {
    "debug": {
      "version": "4.3.4",
      "dependencies": { "ms": { "version": "2.1.2" } }
    }
  }
}
`,
    facts: `
4-5 locked debug: ecosystem=npm, version=4.3.4
6 locked ms: ecosystem=npm, version=2.1.2
`
  },
  {
    path: "yarn.lock",
    text: `
# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.24.0"
  dependencies:
    ms "2.1.2"

ms@2.1.2:
  version "2.1.2"
`,
    facts: `
4-5 locked @babel/core: ecosystem=npm, version=7.24.0
9-10 locked ms: ecosystem=npm, version=2.1.2
`
  },
  {
    path: "berry/yarn.lock",
    text: `
__metadata:
  version: 8

"ms@npm:2.1.2":
  version: 2.1.2
  checksum: 10/abc

"debug@npm:^4.3.0":
  version: 4.3.4
  dependencies:
    ms: "npm:2.1.2"

"shop@workspace:.":
  version: 0.0.0-use.local
  dependencies:
    debug: "npm:^4.3.0"
  bin:
    shop: cli.js
`,
    facts: `
4-5 locked ms: ecosystem=npm, version=2.1.2, direct=false
8-9 locked debug: ecosystem=npm, version=4.3.4, direct=true
`
  },
  {
    path: "pnpm-lock.yaml",
    text: `
lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@acme/kit':
        specifier: ^1.0.0
        version: 1.0.3(react@18.3.1)

packages:

  '@acme/kit@1.0.3':
    resolution: {integrity: sha512-x}

  ms@2.1.2:
    resolution: {integrity: sha512-y}

snapshots:

  ms@2.1.2: {}
`,
    facts: `
13 locked @acme/kit: ecosystem=npm, version=1.0.3, direct=true
16 locked ms: ecosystem=npm, version=2.1.2, direct=false
`
  },
  {
    path: "v5/pnpm-lock.yaml",
    text: `
lockfileVersion: 5.4

specifiers:
  debug: ^4.3.0

dependencies:
  debug: 4.3.4

packages:

  /@acme/kit/1.0.3_react@18.3.1:
    dev: false

  /debug/4.3.4:
    dev: false
`,
    facts: `
11 locked @acme/kit: ecosystem=npm, version=1.0.3, direct=false
14 locked debug: ecosystem=npm, version=4.3.4, direct=true
`
  }
]

describe("files of npm, yarn and pnpm", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
