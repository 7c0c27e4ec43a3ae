/** Compiles a schema and validates a value, in a thread that may be ended at any moment. */
import Ajv, { type ErrorObject } from "ajv"
import formats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { parentPort, workerData } from "node:worker_threads"
import { RE2JS } from "re2js"
import type { Checked, Task } from "./check.ts"

const SHOWN = 20

/** Linear in the text, whatever the pattern: what needs to go back, such as a look-ahead, is refused. */
const regExp = Object.assign((pattern: string) => {
  const compiled = RE2JS.compile(pattern)
  return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern }
}, { code: "re2" })

// Of a reference no code is made in place: nested references would make code without end.
const options = { strict: false, allErrors: true, inlineRefs: false, logger: false, code: { regExp } } as const

const isDraft7 = (schema: object): boolean => "$schema" in schema && /draft-0[67]/u.test(String(schema.$schema))

const described = ({ instancePath, message = "does not fit" }: ErrorObject): string =>
  `${instancePath === "" ? "/" : instancePath} ${message}`

const check = ({ schema, value }: Task): Checked => {
  const ajv = isDraft7(schema) ? new Ajv.default(options) : new Ajv2020.default(options)
  formats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    const valid = validate(value)
    return { _tag: "Checked", valid, errors: (validate.errors ?? []).slice(0, SHOWN).map(described) }
  } catch (error) {
    return { _tag: "Refused", why: error instanceof Error ? error.message : String(error) }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A port of threads has no origins.
parentPort?.postMessage(check(workerData))
