/** Names of folders and commands of strangers that would be something else in a file of delivery than what they are. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { runningPrograms } from "../running.ts"
import type { Texts } from "../testing/measures.ts"
import { projectIn } from "../testing/repository.ts"

const SERVER = "require(\"node:http\").createServer(() => {}).listen(8080)\n"
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const manifest = pretty({ name: "shop", scripts: { start: "node server.js", test: "node --test" } })

const made = async (path: string, texts: Texts): Promise<string> => {
  const project = await projectIn(texts)
  const maker = runningPrograms.flatMap(({ artifacts }) => artifacts).find((artifact) => artifact.path === path)
  return maker?.make(project).text ?? assert.fail(`no artifact ${path}`)
}

/** A line of Docker's that names the program which builds, or how lines are read. */
const DIRECTIVE = /^#\s*\w+\s*=/mu

describe("names of strangers", () => {
  it.each([
    ["of a manifest", { "package.json": manifest, "server.js": SERVER }],
    ["of an own Dockerfile", { "package.json": manifest, "server.js": SERVER, Dockerfile: "FROM node:22\nCMD node server.js\n" }]
  ])("%s are no directive of a Dockerfile", async (_, texts) => {
    const moved = Object.fromEntries(Object.entries<string>(texts).map(([path, text]) => [`syntax=evil.example/x/${path}`, text]))
    for (const path of ["Dockerfile", "deploy/Dockerfile"]) {
      const text = await made(path, moved)
      assert.include(text, "syntax=evil.example/x")
      assert.notMatch(text, DIRECTIVE)
    }
  })

  it("run nothing where make only shows what it would do", async () => {
    const text = await made("Makefile", { "package.json": pretty({ name: "shop" }), Procfile: "web: +touch stolen\n" })
    const folder = mkdtempSync(join(import.meta.dirname, "make-"))
    try {
      writeFileSync(join(folder, "Makefile"), text)
      assert.strictEqual(spawnSync("make", ["-n", "start"], { cwd: folder }).status, 0)
      assert.isFalse(existsSync(join(folder, "stolen")))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("give each folder a job of its own", async () => {
    const text = await made(".github/workflows/ci.yml", { "a b/package.json": manifest, "a-b/package.json": manifest })
    const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, unknown>> }
    assert.lengthOf(Object.keys(jobs), 2)
  })

  it("end no line of YAML 1.1", async () => {
    const folder = "a\u2028privileged:\u2028x"
    const texts = {
      [`${folder}/package.json`]: manifest,
      [`${folder}/server.js`]: SERVER,
      [`${folder}/Dockerfile`]: "FROM node:22\nCMD node server.js\n"
    }
    for (const path of ["docker-compose.yml", "deploy/render.yaml"]) {
      assert.notMatch(await made(path, texts), /[\u0085\u2028\u2029]/u)
    }
    const { services } = parse(await made("docker-compose.yml", texts)) as {
      readonly services: { readonly shop: { readonly build: { readonly context: string } } }
    }
    assert.strictEqual(services.shop.build.context, `./${folder}`)
  })

  it.each([
    ["${A:-/root/.ssh}", "./$${A:-/root/.ssh}"],
    ["github.com/evil/shop", "./github.com/evil/shop"]
  ])("%s is a folder for compose", async (folder, context) => {
    const text = await made("docker-compose.yml", {
      [`${folder}/package.json`]: manifest,
      [`${folder}/server.js`]: SERVER,
      [`${folder}/Dockerfile`]: "FROM node:22\nCMD node server.js\n"
    })
    assert.include(text, `context: ${context}`)
  })

  it("that begin with a dash are folders for a shell", async () => {
    const text = await made("Makefile", { "-/package.json": manifest, "-/server.js": SERVER })
    const folder = mkdtempSync(join(import.meta.dirname, "make-"))
    try {
      mkdirSync(join(folder, "-"))
      writeFileSync(join(folder, "-/package.json"), pretty({ name: "shop", scripts: { test: "touch here" } }))
      writeFileSync(join(folder, "Makefile"), text)
      const { stderr } = spawnSync("make", ["test"], { cwd: folder, encoding: "utf8" })
      assert.isTrue(existsSync(join(folder, "-/here")), stderr)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("are no prototype of what code is given", async () => {
    const files = { "package.json": manifest, "server.js": SERVER, ".env.example": "__proto__=\nconstructor=\n" }
    const text = await made("deploy/worker.ts", files)
    assert.include(text, "constructor: this.env.constructor")
    assert.notInclude(text, "__proto__")
  })

  it("in a comment within a command leave no part of the command out", async () => {
    const text = await made("Dockerfile", {
      "package.json": manifest,
      "server.js": SERVER,
      Dockerfile: "FROM node:22\nRUN echo one \\\n#note\n && echo two\nCMD node server.js\n"
    })
    assert.notMatch(text, /one\s+#note/u)
  })
})
