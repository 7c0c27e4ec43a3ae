/** Bytes that stand in the arguments of a call. */
import { InvalidRequest } from "@svc/tool-kit/services/errors"
import { Effect } from "effect"

const isBase64 = (text: string): boolean => /^[\w+/-]*={0,2}$/u.test(text)

/** With line breaks and the head of a data URL, if it has them. */
export const decodeBase64 = (field: string, base64: string): Effect.Effect<Uint8Array, InvalidRequest> => {
  const compact = base64.replace(/^data:[^,]{0,255};base64,/u, "").replaceAll(/\s+/gu, "")
  return isBase64(compact)
    ? Effect.succeed(Buffer.from(compact, "base64"))
    : Effect.fail(new InvalidRequest({ message: `${field} is not base64.` }))
}
