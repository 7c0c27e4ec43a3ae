import { assert, describe, it } from "@effect/vitest"
import { redactSecrets } from "./secrets.ts"

const letters = "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"

describe("secrets in files", () => {
  it.each<readonly [before: string, shown: string, secret: string, after: string]>([
    ["token = \"", "ghp_", letters, "\""],
    ["", "AKIA", "IOSFODNN7EXAMPLQ", "\n"],
    ["Bearer ", "sk_live_", "51H8abcdefghijklmnop", "'"],
    ["key: ", "sk-proj-", `${letters}_x`, ", next"],
    ["//registry.npmjs.org/:_authToken=", "npm_", letters, "\n"],
    ["postgres://shop", ":", "pa55word", "@db/shop"],
    ["-----BEGIN RSA ", "PRIVATE KEY-----", "MIIEowIBAAKCAQEAx", "\n-----END RSA PRIVATE KEY-----\n"]
  ])("%s%s is hidden, and keeps its length", (before, shown, secret, after) => {
    assert.strictEqual(redactSecrets(before + shown + secret + after), before + shown + "*".repeat(secret.length) + after)
  })

  it.each([
    "postgres://user:${PASSWORD}@db/shop",
    "const ghp_short = 1",
    "class=\"sk-folding-cube sk-spinner\"",
    "http://localhost:8080/@scope/name",
    "git@github.com:a/b.git",
    "The AKIA prefix stands for access keys."
  ])("%s stays", (text) => assert.strictEqual(redactSecrets(text), text))

  it.each(["eyJ", "ghp_", "://a:", "://", "-----BEGIN PRIVATE KEY-----", "sk-", "xoxb-", "SG.a", "pypi-"])(
    "a mebibyte of %s takes no long time",
    (part) => {
      redactSecrets(part.repeat(1024 * 1024 / part.length))
    }
  )
})
