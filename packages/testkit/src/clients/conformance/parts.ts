/** What the fixtures of the conformance suites are made of. */
import { failed, type MethodAnswer, result } from "@svc/doors/mcp/answers"
import type { Method } from "@svc/doors/mcp/extras"
import type { Params } from "@svc/doors/mcp/json-rpc"
import { isRecord } from "@svc/kernel/values/record"

export type Fixture = {
  readonly listed: { readonly name: string; readonly description: string; readonly inputSchema: object }
  readonly call: Method
}
type Schema = Readonly<Record<string, unknown>>

export const tool = (name: string, description: string, call: Fixture["call"], properties: Schema = {}, more: Schema = {}): Fixture => ({
  listed: { name, description, inputSchema: { type: "object", properties, ...more } },
  call
})

export const said = (text: string): MethodAnswer => result({ content: [{ type: "text", text }] })

export const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((at, name) => isRecord(at) ? at[name] : undefined, value)

export const argument = (params: Params, name: string): string => String(field(params, "arguments", name) ?? "")

/** Of one red pixel. */
export const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
/** Silence, as short as a file of it can be. */
export const AUDIO = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

export const wrong = (message: string, data?: unknown): MethodAnswer =>
  failed({ code: -32602, message, ...(data === undefined ? {} : { data }) })

/** What this client has not said that it can do. */
export const lacking = (requiredCapabilities: object): MethodAnswer =>
  failed({ code: -32021, message: "The client has not declared what this needs.", data: { requiredCapabilities } })
