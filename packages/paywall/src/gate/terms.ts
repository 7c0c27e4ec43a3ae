/** What a request asks for, before its caller is known: the priced call, its mode and its budget. */
import { canonicalize, NotCanonical } from "@svc/kernel/values/canonical-json"
import { beginningOf } from "@svc/kernel/values/text"
import type { Mode } from "@svc/tool-kit/call"
import type { RefusedCall, ToolRequest } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { type Compiled, priceIn } from "@svc/tool-kit/tool"
import { Result } from "effect"
import { hash } from "node:crypto"
import { type AskedBudget, budgetIn, negotiate, type Terms } from "./budget.ts"
import { LONGEST_KEY } from "./choose-payer.ts"
import type { Priced } from "./paywall.ts"

export interface RequestedCall {
  readonly price: Priced
  readonly terms: Terms
  readonly budget: AskedBudget | undefined
}

/** Bytes of UTF-8 and not characters: a limit of bytes is a limit of memory. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

/** Where in the arguments something is that has no canonical form. */
const placeOf = (failure: unknown): string =>
  failure instanceof NotCanonical ? beginningOf(failure.path.replace(/^\$\.(?:arguments\.)?/u, ""), 200) : "arguments"

/** What a call costs in each mode, as far as that can be told before its arguments are known to fit. */
const quoter = (tool: Compiled<never>, args: unknown) => (mode: Mode): number => {
  const prepared = tool.prepare(args, { id: "", mode })
  return Result.isSuccess(prepared) ? prepared.success.quote : priceIn(tool.meta.prices, mode)
}

const invalid = (detail: string) => Result.fail(refuse("INVALID_ARGUMENTS", detail))

/** RFC 8785 of name and arguments, hashed; a refusal where they are too large or have no canonical form. */
const argumentsSha256 = ({ meta: { limits }, name }: Compiled<never>, args: unknown): Result.Result<string, RefusedCall> => {
  // Not every door looks how deep a body is, and writing calls itself at each level.
  const size = Result.try(() => sizeOf(args))
  if (Result.isFailure(size)) return invalid("arguments: nested too deeply.")
  if (size.success > limits.bytes) {
    return Result.fail(refuse("ARGUMENTS_TOO_LARGE", `${name} takes ${limits.bytes} bytes, and these are ${size.success}.`))
  }
  return Result.mapBoth(Result.try(() => canonicalize({ name, arguments: args })), {
    onSuccess: (canonical) => hash("sha256", canonical, "hex"),
    onFailure: (failure) =>
      refuse(
        "INVALID_ARGUMENTS",
        `${placeOf(failure)}: holds text that is not Unicode, a number that JSON does not know, or is nested too deeply.`
      )
  })
}

export const requestedCall = (
  tool: Compiled<never>,
  { arguments: args, headers }: ToolRequest
): Result.Result<RequestedCall, RefusedCall> => {
  const sha256 = argumentsSha256(tool, args)
  if (Result.isFailure(sha256)) return Result.fail(sha256.failure)
  const key = headers["idempotency-key"]
  if (key !== undefined && (key === "" || key.length > LONGEST_KEY)) {
    return invalid(`Idempotency-Key: has ${key.length} characters, and must have 1 to ${LONGEST_KEY}.`)
  }
  const budget = budgetIn(headers["x-agent-budget"])
  if (Result.isFailure(budget)) return invalid(budget.failure)
  const terms = negotiate(quoter(tool, args), headers["x-agent-mode"], budget.success)
  return Result.succeed({
    price: { tool: tool.name, mode: terms.mode, argumentsSha256: sha256.success },
    terms,
    budget: budget.success
  })
}
