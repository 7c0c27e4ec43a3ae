/** What the conformance suites look for besides a server's own tools, added to the transports as they are. Only tests switch it on. */
import { Extras } from "@svc/doors/mcp/extras"
import { Layer } from "effect"
import { asking } from "./asking.ts"
import { contents } from "./contents.ts"
import { methods } from "./methods.ts"
import { rounds } from "./rounds.ts"

export const profile = Layer.succeed(Extras, {
  capabilities: { resources: { subscribe: true, listChanged: false }, prompts: { listChanged: false } },
  tools: new Map([...contents, ...asking, ...rounds].map((one) => [one.listed.name, one])),
  methods
})
