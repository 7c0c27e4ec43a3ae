import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { validate } from "dockerfile-utils"
import { parse as parseJsonc, type ParseError } from "jsonc-parser"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser"
import { Language, Parser } from "web-tree-sitter"
import { parse as parseYaml } from "yaml"
import type { Project } from "../facts/project.ts"
import { programs } from "../programs.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { deploy } from "./program.ts"
import { atlas, bakery, ferry, nasty, weather } from "./services.fixture.ts"

const all: Readonly<Record<string, Texts>> = { bakery, weather, ferry, atlas, nasty, nothing: {} }
const names = Object.keys(all)

const projects = new Map<string, Promise<Project>>()
const projectOf = (name: string): Promise<Project> => {
  const project = projects.get(name) ?? projectIn(all[name] ?? {}, name)
  projects.set(name, project)
  return project
}

const textOf = async (name: string, path: string): Promise<string> =>
  deploy.artifacts.find((artifact) => artifact.path === `deploy/${path}`)?.make(await projectOf(name)).text ?? assert.fail(path)

describe("the program deploy", () => {
  it("makes what the contract lists, in its order", () => {
    const listed = programs.find(({ name }) => name === "deploy")?.artifacts.map(({ path }) => path)
    assert.deepStrictEqual(deploy.artifacts.map(({ path }) => path), listed)
  })
  it("says what was searched where there is nothing", () => saysWhatWasSearched(deploy))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(deploy, await factsIn(bakery)))
  it.each(["bakery", "weather", "ferry", "atlas"])("cites what it says of %s", (name) => {
    // Lines of code are no sentences: their places stand in comments.
    const sentences = deploy.artifacts.filter(({ path }) => path.endsWith(".md"))
    return citesWhatItSays({ ...deploy, artifacts: sentences }, all[name] ?? {})
  })
  it("says of another repository something else", () => differs(deploy, bakery, weather))

  it("builds in one stage and runs in another, without rights of an administrator", async () => {
    const instructions = (await textOf("bakery", "Dockerfile")).split("\n").filter((line) => !line.startsWith("#") && line !== "")
    assert.deepStrictEqual(instructions, [
      "FROM node:22-slim AS build",
      "WORKDIR /srv/bakery",
      "COPY [\"package.json\", \"package-lock.json\", \"./\"]",
      "RUN npm ci",
      "COPY . .",
      "RUN npm run build",
      "RUN npm prune --omit=dev",
      "FROM node:22-slim",
      "WORKDIR /srv/bakery",
      "ENV NODE_ENV=production",
      "COPY --from=build /srv/bakery ./",
      "ENV OVEN_PORT=8085",
      "USER node",
      "EXPOSE 8085",
      "CMD [\"node\", \"dist/oven.js\", \"--hot\"]"
    ])
  })

  const tally = {
    "pyproject.toml": [
      "[project]",
      "name = \"tally\"",
      "[project.scripts]",
      "tally = \"tally.__main__:main\"",
      "[build-system]",
      "requires = [\"setuptools>=61\"]",
      ""
    ].join("\n"),
    "tally/__main__.py": [
      "import os",
      "from http.server import HTTPServer",
      "def main():",
      "    os.environ.get(\"TALLY_TOKEN\")",
      "    HTTPServer((\"\", 8077), None).serve_forever()",
      ""
    ].join("\n")
  }
  const madeOf = async (path: string, more: Texts = {}) =>
    deploy.artifacts.find((artifact) => artifact.path === path)?.make(await projectIn({ ...tally, ...more }, "tally")).text ?? ""

  it("keeps its own folders from setuptools, which would take them for packages", async () => {
    assert.match(
      await madeOf("deploy/Dockerfile"),
      /^COPY \. \.\n#.*\nRUN rm -rf deploy mcp packaging styles\n#.*\nRUN pip install --no-cache-dir \.$/mu
    )
    assert.include(await madeOf("deploy/Dockerfile", { "deploy/notes.py": "kept = 1\n" }), "RUN rm -rf mcp packaging styles\n")
    for (
      const said of [
        { "pyproject.toml": `${tally["pyproject.toml"]}[tool.setuptools]\npackages = ["tally"]\n` },
        { "pyproject.toml": `${tally["pyproject.toml"]}[tool.setuptools.packages.find]\ninclude = ["tally"]\n` },
        { "setup.cfg": "[options]\npackages = tally\n" },
        { "pyproject.toml": tally["pyproject.toml"].replace("setuptools>=61", "hatchling") }
      ]
    ) {
      assert.notInclude(await madeOf("deploy/Dockerfile", said), "rm -rf", JSON.stringify(said))
    }
  })

  it("sets no variable to empty text that nobody set", async () => {
    const { services } = parseYaml(await madeOf("deploy/docker-compose.dev.yml"))
    assert.deepStrictEqual(services.tally.environment, { TALLY_TOKEN: null })
  })

  it("quotes the repository's own Dockerfile, and what its context leaves out", async () => {
    const text = await textOf("ferry", "Dockerfile")
    assert.include(text, "# Dockerfile:4-5\nRUN go build -o /ferryd ./cmd/ferryd\n")
    assert.notInclude(text, "WORKDIR /srv")
    assert.strictEqual(await textOf("ferry", "Dockerfile.dockerignore"), "# .dockerignore:2\nlogs/\n")
  })

  it("starts by the repository's own Dockerfile where nothing else says how", async () => {
    const own = "FROM eclipse-temurin:21\nCOPY . .\nEXPOSE 6060\nENTRYPOINT [\"java\", \"Tram.java\"]\n"
    const project = await projectIn({ "pom.xml": "<project><artifactId>tram</artifactId></project>\n", Dockerfile: own }, "tram")
    const report = deploy.artifacts.at(-1)?.make(project).text ?? ""
    assert.include(
      report,
      "A container: ready, by ENTRYPOINT `[\"java\", \"Tram.java\"]` and EXPOSE `6060`. (`Dockerfile:4`, `Dockerfile:3`)"
    )
  })

  it("is ready for containers where the program starts, answers, and can be reached", async () => {
    const text = await textOf("bakery", "deploy-qualification-report.md")
    assert.include(
      text,
      "A container: ready, by `start`, which is `node dist/oven.js --hot` and `app.listen`. (`package.json:6`, `src/oven.ts:5`"
    )
    assert.include(text, "`FLOUR_TOKEN` must be set")
  })

  it.each([
    ["no start", { "package.json": bakery["package.json"]?.replace("\"start\"", "\"begin\"") ?? "" }, "no command starts bakery"],
    ["no port", { "src/oven.ts": "export const oven = 1\n" }, "the port of bakery is not known"],
    [
      "a port that only the machine reaches",
      { "src/oven.ts": bakery["src/oven.ts"]?.replace("0.0.0.0", "127.0.0.1") ?? "" },
      "bakery listens for its own machine only"
    ]
  ])("is not ready with %s, and nothing that it makes deploys", async (_, changed: Texts, why) => {
    const project = await projectIn({ ...bakery, ...changed }, "bakery")
    const made = new Map(deploy.artifacts.map(({ make, path }) => [path, make(project).text]))
    const report = made.get("deploy/deploy-qualification-report.md") ?? ""
    assert.include(report, `No container, Render, Cloudflare Containers: ${why}.`)
    assert.notInclude(report, "ready")
    assert.match(made.get("deploy/deploy.sh") ?? "", /exit 1\n$/u)
    assert.match(made.get("deploy/deploy.ps1") ?? "", /exit 1\n$/u)
    assert.deepStrictEqual(parseYaml(made.get("deploy/render.yaml") ?? ""), { services: [] })
    assert.notInclude(made.get("deploy/wrangler.containers.toml"), "[[containers]]")
  })

  it("serves pages where there is nothing else to serve", async () => {
    assert.deepStrictEqual(parseYaml(await textOf("atlas", "render.yaml")), {
      services: [{ type: "web", name: "atlas", runtime: "static", buildCommand: "npm run build", staticPublishPath: "./dist" }]
    })
    assert.include(await textOf("atlas", "deploy-cloudflare.sh"), "npx wrangler pages deploy dist --project-name atlas # package.json:3")
    assert.include(await textOf("atlas", "deploy-qualification-report.md"), "Cloudflare Pages: ready, from dist after npm run build.")
  })
})

/** Keys of a web service as https://render.com/docs/blueprint-spec lists them: Render's own schema has no licence. */
const RENDER_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["services"],
  properties: {
    services: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "name", "runtime"],
        properties: {
          type: { const: "web" },
          name: { type: "string", pattern: "^[a-z][a-z0-9-]*$" },
          runtime: { enum: ["docker", "static"] },
          plan: { type: "string" },
          region: { enum: ["oregon", "ohio", "virginia", "frankfurt", "singapore"] },
          dockerfilePath: { type: "string", pattern: "^\\./" },
          dockerContext: { type: "string" },
          healthCheckPath: { type: "string", pattern: "^/" },
          buildCommand: { type: "string" },
          staticPublishPath: { type: "string" },
          envVars: {
            type: "array",
            items: {
              oneOf: ["value", "sync"].map((other) => ({
                type: "object",
                additionalProperties: false,
                required: ["key", other],
                properties: { key: { type: "string" }, [other]: other === "sync" ? { const: false } : { type: "string" } }
              }))
            }
          }
        }
      }
    }
  }
}

/** Keys of a service as https://github.com/compose-spec/compose-spec lists them. */
const COMPOSE_SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    include: { type: "array", items: { type: "object", required: ["path"], properties: { path: { type: "string" } } } },
    services: {
      type: "object",
      additionalProperties: false,
      patternProperties: {
        "^[a-zA-Z0-9._-]+$": {
          type: "object",
          additionalProperties: false,
          required: ["build"],
          properties: {
            build: {
              type: "object",
              additionalProperties: false,
              properties: { context: { type: "string" }, dockerfile: { type: "string" }, target: { type: "string" } }
            },
            init: { type: "boolean" },
            ports: { type: "array", items: { type: "string", pattern: "^\\d+:\\d+$" } },
            environment: { type: "object", additionalProperties: { type: ["string", "null"] } },
            command: { type: "array", items: { type: "string" } },
            volumes: { type: "array", items: { type: "string" } }
          }
        }
      }
    }
  }
}

const inFolder = async <A>(use: (folder: string) => A | Promise<A>): Promise<A> => {
  // Types of packages are found from a folder within the repository.
  const folder = mkdtempSync(join(import.meta.dirname, ".deploy-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const powershellParser = async (): Promise<Parser> => {
  await Parser.init()
  const path = fileURLToPath(import.meta.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm"))
  return new Parser().setLanguage(await Language.load(path))
}

let powershell: Promise<Parser> | undefined

const wranglerSchema = JSON.parse(readFileSync(join(import.meta.dirname, "wrangler.schema.fixture.json"), "utf8"))
const isWrangler = new Ajv({ strict: false, allowUnionTypes: true }).compile(wranglerSchema)

describe.each(names)("formats of what is made of %s", (name) => {
  it("are a Dockerfile in which a judge finds nothing wrong", async () => {
    const problems = validate(await textOf(name, "Dockerfile")).map(({ message }) => message)
    assert.deepStrictEqual(problems, [])
  })

  it("are scripts that a shell and a parser of PowerShell read", async () => {
    const parser = await (powershell ??= powershellParser())
    for (const path of ["deploy.sh", "deploy-cloudflare.sh"]) {
      execFileSync("sh", ["-n"], { input: await textOf(name, path) })
    }
    for (const path of ["deploy.ps1", "deploy-cloudflare.ps1"]) {
      const text = await textOf(name, path)
      assert.strictEqual(parser.parse(text)?.rootNode.hasError, false, text)
    }
  })

  it("are settings that keep to their schemas", async () => {
    for (const path of ["wrangler.pages.toml", "wrangler.containers.toml"]) {
      assert.isTrue(isWrangler(getStaticTOMLValue(parseTOML(await textOf(name, path)))), JSON.stringify(isWrangler.errors))
    }
    const ajv = new Ajv2020()
    for (const [path, expected] of [["render.yaml", RENDER_SCHEMA], ["docker-compose.dev.yml", COMPOSE_SCHEMA]] as const) {
      const isValid = ajv.compile(expected)
      assert.isTrue(isValid(parseYaml(await textOf(name, path))), JSON.stringify(isValid.errors))
    }
    const errors: Array<ParseError> = []
    const launch: unknown = parseJsonc(await textOf(name, "vscode-launch.json.template"), errors, { disallowComments: false })
    assert.deepStrictEqual(errors, [])
    assert.containsAllKeys(launch, ["version", "configurations"])
  })
})

describe("workers", () => {
  it("compile strictly with the types of Cloudflare", () =>
    inFolder(async (folder) => {
      for (const name of names) writeFileSync(join(folder, `${name}.ts`), await textOf(name, "worker.ts"))
      const options = { strict: true, noEmit: true, module: "esnext", moduleResolution: "bundler", target: "esnext", lib: ["esnext"] }
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { ...options, types: ["@cloudflare/workers-types"], skipLibCheck: true }, include: ["*.ts"] })
      )
      const compiler = join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc")
      execFileSync(process.execPath, [compiler, "--project", folder], { encoding: "utf8" })
    }), 180_000)
})

describe("names that would break out", () => {
  it("are no command, no path and no text of another format", async () => {
    const project = await projectOf("nasty")
    for (const { make, path } of deploy.artifacts) {
      const { text } = make(project)
      const code = text.split("\n").filter((line) => !/^\s*(?:#|\/\/)/u.test(line)).join("\n")
      if (/\.(?:sh|ps1|toml|ts)$/u.test(path)) assert.notInclude(code, "touch", path)
    }
    const dockerfile = await textOf("nasty", "Dockerfile")
    const command = /^CMD (.*)$/mu.exec(dockerfile)?.[1] ?? ""
    assert.deepStrictEqual(JSON.parse(command).slice(0, 2), ["sh", "-c"])
  })
})
