import { assert, describe, it } from "@effect/vitest"
import { pack } from "@svc/programs/confined/pack"
import { packTar, type TarEntry } from "modern-tar"
import { gzipSync, inflateRawSync } from "node:zlib"
import { engine } from "./intake.ts"
import type { IntakeAnswer } from "./model.ts"

const file = (name: string, body: string | Uint8Array = "x\n"): TarEntry => ({
  header: { name, type: "file", size: Buffer.byteLength(body) },
  body
})
const special = (name: string, type: NonNullable<TarEntry["header"]["type"]>, linkname = "/etc/passwd"): TarEntry => ({
  header: { name, type, size: 0, linkname }
})
const tarball = async (...entries: ReadonlyArray<TarEntry>) => gzipSync(await packTar(entries))

const ofTarball = async (bytes: Uint8Array) => await engine(bytes, { source: "tarball" }) as unknown as IntakeAnswer
const ofFiles = async (files: Readonly<Record<string, string | Uint8Array>>) =>
  await engine(pack(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))), {
    source: "files"
  }) as unknown as IntakeAnswer

const taken = (answer: IntakeAnswer) => "files" in answer ? answer : assert.fail(JSON.stringify(answer))
const pathsOf = (answer: IntakeAnswer) => taken(answer).files.map(({ path }) => path)
const textOf = (answer: IntakeAnswer, path: string) =>
  inflateRawSync(Buffer.from(taken(answer).files.find((file) => file.path === path)?.deflated ?? "", "base64")).toString()
const skippedOf = (answer: IntakeAnswer) => Object.fromEntries(taken(answer).skipped.map(({ path, reason }) => [path, reason]))
const refusalOf = (answer: IntakeAnswer) => "refused" in answer ? answer.refused.reason : JSON.stringify(answer).slice(0, 200)

describe("a tarball", () => {
  it("gives its files without the first folder, in the order of their paths, with hash, bytes and lines", async () => {
    const answer = await ofTarball(
      await tarball(special("r-1/", "directory", ""), file("r-1/src/b.ts", "one\ntwo"), file("r-1/a.md", "ä\n"), file("r-1/empty", ""))
    )
    assert.deepStrictEqual(taken(answer).files.map(({ bytes, lines, path }) => ({ path, bytes, lines })), [
      { path: "a.md", bytes: 3, lines: 1 },
      { path: "empty", bytes: 0, lines: 0 },
      { path: "src/b.ts", bytes: 7, lines: 2 }
    ])
    assert.strictEqual(textOf(answer, "src/b.ts"), "one\ntwo")
    assert.strictEqual(taken(answer).files[1]?.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  })

  it("names links and devices, and follows none", async () => {
    const answer = await ofTarball(
      await tarball(
        file("r/a"),
        special("r/s", "symlink"),
        special("r/h", "link"),
        special("r/c", "character-device"),
        special("r/b", "block-device"),
        special("r/f", "fifo")
      )
    )
    assert.deepStrictEqual(pathsOf(answer), ["a"])
    assert.deepStrictEqual(Object.keys(skippedOf(answer)), ["b", "c", "f", "h", "s"])
  })

  const zeros = (mib: number) => Buffer.alloc(mib * 1024 * 1024)
  const hostile: Readonly<Record<string, readonly [reason: string, bytes: () => Promise<Uint8Array>]>> = {
    "an absolute name": ["unsafe_path", () => tarball(file("/etc/passwd"))],
    "a name that leads out": ["unsafe_path", () => tarball(file("r/../../x"))],
    "a name that leads out in the middle": ["unsafe_path", () => tarball(file("r/a/../../../x"))],
    "a name that leads out with backslashes": ["unsafe_path", () => tarball(file("r\\..\\..\\x"))],
    "a name of another drive": ["unsafe_path", () => tarball(file("C:\\x"))],
    "a name with a control character": ["unsafe_path", () => tarball(file("r/a\u0001b"))],
    "a link of a name that leads out": ["unsafe_path", () => tarball(special("../x", "symlink"))],
    "the same name twice": ["duplicate_path", () => tarball(file("r/a"), file("r/a"))],
    "the same name in two spellings": ["duplicate_path", () => tarball(file("r/a/b"), file("r/./a//b"))],
    "a file and a link of the same name": ["duplicate_path", () => tarball(special("r/a", "symlink"), file("r/a"))],
    "20,001 entries": ["too_large", () => tarball(...Array.from({ length: 20_001 }, (_, at) => file(`r/${at}`)))],
    "a bomb in one file": ["too_large", () => tarball(file("r/a", zeros(40)))],
    "a bomb of many files": ["too_large", () => tarball(...Array.from({ length: 60 }, (_, at) => file(`r/${at}`, zeros(1))))],
    "a bomb in a bomb": ["damaged", async () => gzipSync(gzipSync(zeros(40)))],
    "an archive that is cut off": ["damaged", async () => {
      const bytes = await tarball(file("r/a", Buffer.from(Array.from({ length: 9_999 }, (_, at) => at * 7 % 251))))
      return bytes.subarray(0, bytes.length - 60)
    }],
    "a tar that is cut off": ["damaged", async () => gzipSync((await packTar([file("r/a"), file("r/b")])).subarray(0, 1500))],
    "what is no tar": ["damaged", async () => gzipSync("a".repeat(2000))],
    "what is not gzipped": ["damaged", async () => packTar([file("r/a")])],
    "nothing": ["damaged", async () => new Uint8Array()]
  }
  for (const [name, [reason, bytes]] of Object.entries(hostile)) {
    it(`with ${name} is refused`, async () => {
      assert.strictEqual(refusalOf(await ofTarball(await bytes())), reason)
    })
  }
})

describe("files", () => {
  it("that are binary, minified, over 1 MiB, vendored or ignored are named with the reason", async () => {
    const answer = await ofFiles({
      ".gitignore": "*.log\n/build/\nsecret\n",
      "src/a.ts": "a",
      "app.log": "x",
      "build/a.js": "x",
      "src/build/a.js": "x",
      "packages/web/.gitignore": "!keep.log\nlocal.*\n",
      "packages/web/keep.log": "x",
      "packages/web/local.ts": "x",
      "secret/deep/.gitignore": "!*\n",
      "secret/deep/a.ts": "x",
      "node_modules/a/index.js": "x",
      "web/vendor/jquery.js": "x",
      "picture.png": Buffer.from([0x89, 0x50, 0, 1]),
      "latin1.txt": Buffer.from([0xe4, 0xf6]),
      "site.min.js": "x",
      "bundle.js": "a=1;".repeat(500),
      "large.json": "x".repeat(1024 * 1024 + 1)
    })
    assert.deepStrictEqual(pathsOf(answer), [
      ".gitignore",
      "packages/web/.gitignore",
      "packages/web/keep.log",
      "src/a.ts",
      "src/build/a.js"
    ])
    const ignored = "a .gitignore leaves it out"
    assert.deepStrictEqual(skippedOf(answer), {
      "app.log": ignored,
      "build/a.js": ignored,
      "bundle.js": "minified",
      "large.json": "over 1 MiB",
      "latin1.txt": "binary: it is no UTF-8 text",
      "node_modules/a/index.js": "vendored or built: it lies in node_modules",
      "packages/web/local.ts": ignored,
      "picture.png": "binary: it is no UTF-8 text",
      "secret/deep/.gitignore": ignored,
      "secret/deep/a.ts": ignored,
      "site.min.js": "minified",
      "web/vendor/jquery.js": "vendored or built: it lies in vendor"
    })
  })

  it("are refused when two are one", async () => {
    assert.strictEqual(refusalOf(await ofFiles({ "src/a.ts": "a", "./src//a.ts": "b" })), "duplicate_path")
    assert.strictEqual(refusalOf(await ofFiles({ "../a.ts": "a" })), "unsafe_path")
  })

  it("hold no card number, and every other character where it was", async () => {
    const text = "const card = \"4242 4242 4242 4242\" // 5555555555554444, order 1234567890123456\nnext()\n"
    const answer = await ofFiles({ "a.ts": text })
    assert.strictEqual(
      textOf(answer, "a.ts"),
      "const card = \"**** **** **** 4242\" // ************4444, order 1234567890123456\nnext()\n"
    )
  })

  it("hold no key that somebody left in them", async () => {
    const key = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
    const answer = await ofFiles({ "a.ts": `export const TOKEN = "${key}"\nnext()\n` })
    assert.strictEqual(textOf(answer, "a.ts"), `export const TOKEN = "ghp_${"*".repeat(36)}"\nnext()\n`)
  })

  it("with a path that may not be shown are named by what may, and not read", async () => {
    const answer = await ofFiles({
      "4242424242424242.ts": "x",
      "src/a\u202egnp.ts": "x",
      "b\u2028c.ts": "x",
      "d\u200b.ts": "x",
      "d.ts": "x"
    })
    assert.deepStrictEqual(pathsOf(answer), ["d.ts"])
    assert.deepStrictEqual(taken(answer).skipped.map(({ path }) => path), ["************4242.ts", "bc.ts", "d.ts", "src/agnp.ts"])
  })

  it("with patterns that would take for ever are read in a moment", async () => {
    const name = "a".repeat(200)
    await ofFiles({
      ".gitignore": `${"a*".repeat(40)}b\n${"a*".repeat(3)}b\n${"*a/".repeat(90)}x\n`,
      ...Object.fromEntries([1, 2, 3].map((at) => [`${name}${at}`, "x"]))
    })
  })
})
