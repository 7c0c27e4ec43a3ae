/**
 * The service as a good engineer writes it by hand: Fastify, node-postgres, prepared statements, a pool of 16, one transaction a
 * request, one statement after another. It works on the same schema and keeps the same promises for charges: the measure of what
 * the service under test gains or loses by its construction.
 */
import Fastify from "fastify"
import type { FastifyReply, FastifyRequest } from "fastify"
import { authorize, capture, create } from "./charges.ts"
import { pool } from "./database.ts"
import { type Keyed, keyed, type Reply } from "./idempotency.ts"
import { type Caller, callerOf } from "./keys.ts"
import { Refusal } from "./refusal.ts"
import { type AuthorizeBody, authorizeBody, type CaptureBody, captureBody, type CreateBody, createBody } from "./schemas.ts"

const app = Fastify({
  bodyLimit: 1024 * 1024,
  keepAliveTimeout: 65_000,
  // A body is refused, not repaired.
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false } }
})

/** Fastify's own refusals, of bodies that do not parse or do not fit, carry their status. */
const statusOf = (error: unknown): number =>
  error instanceof Refusal
    ? error.status
    : error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : 500

app.setErrorHandler((error, _request, reply) => {
  const status = statusOf(error)
  if (status === 500) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return reply.code(status).send({
    error: error instanceof Refusal ? error.code : status === 500 ? "internal" : "validation_error",
    message: status === 500 || !(error instanceof Error) ? "Something failed here." : error.message
  })
})

interface WithId {
  readonly id: string
}

/** Answers a keyed request with the stored bytes. */
const answer = async (
  request: Pick<FastifyRequest, "headers" | "url">,
  reply: FastifyReply,
  operation: string,
  body: { readonly idempotency_key: string },
  act: (caller: Caller, key: Keyed) => Promise<Reply>
): Promise<FastifyReply> => {
  const caller = await callerOf(request.headers.authorization)
  const stored = await act(caller, keyed(caller.account, operation, request.url, body))
  return reply.code(stored.status).header("content-type", "application/json").header("idempotent-replayed", String(stored.replayed)).send(
    stored.body
  )
}

app.post<{ Body: CreateBody }>(
  "/v1/payment_intents",
  { schema: { body: createBody } },
  (request, reply) => answer(request, reply, "payment_intent.create", request.body, (caller, key) => create(caller, request.body, key))
)

app.post<{ Body: AuthorizeBody; Params: WithId }>(
  "/v1/payment_intents/:id/authorize",
  { schema: { body: authorizeBody } },
  (request, reply) =>
    answer(
      request,
      reply,
      "payment_intent.authorize",
      request.body,
      (caller, key) => authorize(caller, request.params.id, request.body, key)
    )
)

app.post<{ Body: CaptureBody; Params: WithId }>(
  "/v1/payment_intents/:id/capture",
  { schema: { body: captureBody } },
  (request, reply) =>
    answer(request, reply, "payment_intent.capture", request.body, (caller, key) => capture(caller, request.params.id, request.body, key))
)

app.get("/readyz", async () => {
  await pool.query("SELECT 1")
  return { status: "ok" }
})

process.once("SIGTERM", () => {
  void app.close().then(() => pool.end())
})

await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" })
