import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { relyingPartyOf } from "./rules.ts"

const told = (publicUrl: string) => Result.getOrElse(relyingPartyOf(publicUrl), ({ message }) => message)

it("passkeys belong to the host of the public address, and to this machine on a local start", () => {
  assert.deepStrictEqual(told("https://pay.example.com"), { id: "pay.example.com", origin: "https://pay.example.com" })
  assert.deepStrictEqual(told("https://pay.example.com:8443/"), { id: "pay.example.com", origin: "https://pay.example.com:8443" })
  assert.deepStrictEqual(told("http://localhost:4000"), { id: "localhost", origin: "http://localhost:4000" })
})

it("says what to do where browsers make none", () => {
  assert.include(told("http://192.0.2.7:4000"), "bare address 192.0.2.7. Set PUBLIC_URL")
  assert.include(told("https://[2001:db8::1]"), "bare address")
  assert.include(told("http://pay.example.com"), "Set it to an https address")
  assert.include(told("pay.example.com"), "is no address")
})
