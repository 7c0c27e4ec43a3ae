/** Repositories for tests: a package of npm, a service in Python, a module of Go, and what only one marketplace takes. */
import type { Texts } from "../testing/measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const LICENSE = lines(
  "MIT License",
  "",
  "Copyright (c) 2026 Harbour Works",
  "",
  "Permission is hereby granted, free of charge, to any person obtaining a copy\r",
  "\tof this software"
)

export const tides: Texts = {
  "package.json": pretty({
    name: "@harbour/tides",
    version: "2.1.0",
    description: "Tide tables for small boats.",
    license: "MIT",
    repository: { type: "git", url: "https://example.org/harbour/tides.git" },
    keywords: ["tides", "boats"],
    type: "module",
    main: "src/index.js",
    bin: { tides: "src/cli.js" },
    exports: { ".": "./src/index.js" },
    files: ["src"],
    engines: { node: ">=22" },
    scripts: { build: "node scripts/tables.js", test: "node --test", start: "node src/server.js" },
    dependencies: { "@moon/phase": "^1.0.0", suncalc: "^1.9.0" },
    devDependencies: { eslint: "9.0.0" },
    peerDependencies: { pino: "9" },
    peerDependenciesMeta: { pino: { optional: true } }
  }),
  "package-lock.json": pretty({
    name: "@harbour/tides",
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { "@moon/phase": "^1.0.0", suncalc: "^1.9.0" } },
      "node_modules/@moon/phase": { version: "1.2.3" },
      "node_modules/suncalc": { version: "1.9.0" },
      "node_modules/suncalc/node_modules/@moon/phase": { version: "1.2.3" }
    }
  }),
  LICENSE,
  Dockerfile: lines("FROM node:22-slim", "WORKDIR /app", "COPY . .", "EXPOSE 8080", `CMD ["node", "src/server.js"]`),
  "src/index.js": lines("import { phase } from \"@moon/phase\"", "export const tide = (hour) => phase(hour) * 2"),
  "src/cli.js": lines("import { tide } from \"./index.js\"", "console.log(tide(Number(process.argv[2])))"),
  "src/server.js": lines(
    "import { createServer } from \"node:http\"",
    "import { tide } from \"./index.js\"",
    "const port = Number(process.env.PORT ?? 8080)",
    "const harbour = process.env.HARBOUR_NAME",
    "createServer((_, response) => response.end(`${harbour} ${tide(3)}`)).listen(port)"
  ),
  "test/index.test.js": lines(
    "import { test } from \"node:test\"",
    "import { tide } from \"../src/index.js\"",
    "test(\"rises\", () => tide(1))"
  )
}

export const mails: Texts = {
  "pyproject.toml": lines(
    "[project]",
    "name = \"mail-sorter\"",
    "version = \"0.7.1\"",
    "description = \"Sorts support mail by urgency.\"",
    "requires-python = \">=3.12\"",
    "license = \"Apache-2.0\"",
    "dependencies = [",
    "  \"flask>=3.0\",",
    "]",
    "",
    "[project.optional-dependencies]",
    "dev = [\"pytest>=8\", \"ruff>=0.8\"]"
  ),
  "uv.lock": lines(
    "version = 1",
    "",
    "[[package]]",
    "name = \"flask\"",
    "version = \"3.0.3\"",
    "",
    "[[package]]",
    "name = \"Jinja_2\"",
    "version = \"3.1.4\""
  ),
  COPYING: lines("Apache License", "Version 2.0, January 2004"),
  Makefile: lines("test:", "\tpython -m pytest", "lint:", "\tpython -m ruff check ."),
  "app.py": lines(
    "import os",
    "from flask import Flask",
    "",
    "app = Flask(__name__)",
    "",
    "@app.get(\"/urgent\")",
    "def urgent():",
    "    return os.environ[\"MAILBOX_URL\"]",
    "",
    "app.run(host=\"0.0.0.0\", port=5000)"
  ),
  "tests/test_app.py": lines("from app import urgent", "", "def test_urgent():", "    assert urgent()")
}

export const gates: Texts = {
  "go.mod": lines("module example.org/gates", "", "go 1.23", "", "require github.com/lib/pq v1.10.9"),
  "go.sum": lines("github.com/lib/pq v1.10.9 h1:YXG7RB+JIjhP29X+OtkiDnYaXQwpS4JEWq7dtCCRUEw="),
  "main.go": lines(
    "package main",
    "",
    "import (",
    "\t\"net/http\"",
    "\t\"os\"",
    "\t_ \"github.com/lib/pq\"",
    ")",
    "",
    "func main() {",
    "\tserve(os.Getenv(\"GATES_DATABASE\"), os.Getenv(\"GATES_OPERATOR\"))",
    "}",
    "",
    "func serve(database string, operator string) {",
    "\thttp.ListenAndServe(\":9090\", nil)",
    "}"
  ),
  "COPYING.md": lines("Mozilla Public License Version 2.0", "", "1. Definitions")
}

export const extension: Texts = {
  "package.json": pretty({
    name: "tide-colours",
    displayName: "Tide colours",
    version: "1.0.4",
    publisher: "harbour",
    engines: { vscode: "^1.90.0" },
    main: "./extension.js",
    contributes: { commands: [{ command: "tides.paint", title: "Paint" }] }
  })
}

export const plugin: Texts = {
  "Tides/Tides.uplugin": pretty({
    FileVersion: 3,
    FriendlyName: "Tides",
    CanContainContent: false,
    Modules: [{ Name: "Tides", Type: "Runtime" }]
  })
}

export const action: Texts = {
  "action.yml": lines(
    "name: Tide check",
    "description: Fails when the tide is out.",
    "branding: { icon: anchor, color: blue }",
    "inputs:",
    "  harbour: { description: Which harbour, required: true }",
    "  metres: { description: How deep, default: '2' }",
    "runs: { using: node24, main: index.js }"
  )
}

/** Names that would be code, a command or the end of a comment, if somebody let them. */
const NASTY = "x\"; $(touch stolen) `touch stolen` ${{ github.token }} */ --> ]]> ../.. 'y"

export const nasty: Texts = {
  "package.json": pretty({
    name: NASTY,
    version: `1.0.0\n$(touch stolen)`,
    description: `${NASTY}\nrun: touch stolen`,
    license: NASTY,
    bin: { [NASTY]: NASTY },
    files: [NASTY],
    scripts: { [`test${NASTY}`]: "touch stolen", test: "echo '$(touch stolen)' # \\", start: `node ${NASTY}` },
    dependencies: { [NASTY]: NASTY }
  }),
  [`$(touch stolen)/package.json`]: pretty({ name: "b", scripts: { test: "true" } }),
  "Dockerfile": lines(`FROM ${NASTY}`, "CMD touch stolen"),
  "LICENSE": `${NASTY}\n`
}
