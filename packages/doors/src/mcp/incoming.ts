/** What one body holds, sorted. */
import { errors, idOf, type Message, read, refusal, type Response } from "./json-rpc.ts"
import { isRequest, type Request } from "./run.ts"

export interface Incoming {
  readonly requests: ReadonlyArray<Request>
  readonly notifications: ReadonlyArray<Message>
  /** What the client answers to what it was asked. */
  readonly responses: ReadonlyArray<Response>
  /** Refusals of what is none of these. */
  readonly invalid: ReadonlyArray<ReturnType<typeof refusal>>
}

export const sorted = (values: ReadonlyArray<unknown>, isBatch = false): Incoming => {
  const requests: Array<Request> = []
  const notifications: Array<Message> = []
  const responses: Array<Response> = []
  const invalid: Array<ReturnType<typeof refusal>> = []
  for (const value of values) {
    const one = read(value)
    if (one._tag === "Invalid") invalid.push(one.answer)
    else if (one._tag === "Response") responses.push(one.response)
    else if (one.message.method === "initialize" && isBatch) {
      invalid.push(refusal(idOf(value), errors.invalid("initialize stands alone, not in a batch")))
    } else if (isRequest(one.message)) requests.push(one.message)
    else notifications.push(one.message)
  }
  return { requests, notifications, responses, invalid }
}
