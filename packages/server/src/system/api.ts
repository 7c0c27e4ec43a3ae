/** Routes about the service itself. They need no key, but for the one about idempotency keys. */
import { Authorization, RequiredScope } from "@svc/accounts/access/api"
import { SchemaErrors } from "@svc/kernel/http/schema-errors"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { NotFound, ServiceUnavailable } from "@svc/kernel/resource/errors"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { PublicKey } from "@svc/kernel/signatures/signing-key"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"

const UpDown = Schema.Literals(["up", "down"])

export const HealthStatus = Schema.Struct({
  status: Schema.Literals(["healthy", "degraded", "unhealthy"]),
  database: UpDown,
  cache: UpDown.annotate({
    description:
      "Of the Redis that `REDIS_URL` names, which limits requests for all processes; `down` where there is none, and nothing is missing then"
  }),
  uptime: Schema.optionalKey(Schema.String.annotate({ description: "ISO 8601 duration since start, for example PT42S" }))
}).annotate({ identifier: "HealthStatus", examples: [{ status: "healthy", database: "up", cache: "down", uptime: "PT42S" }] })

const ErrorCodeList = Schema.Struct({
  data: Schema.Array(Schema.Struct({ error: Schema.String, status: Schema.Int, meaning: Schema.String, next: Schema.String })),
  decline_codes: Schema.Array(Schema.String)
}).annotate({
  identifier: "ErrorCodeList",
  examples: [{
    data: [{
      error: "not_found",
      status: 404,
      meaning: "No such resource for this account, or no such route.",
      next: "Check the id and that it belongs to the account of the key."
    }],
    decline_codes: ["insufficient_funds"]
  }]
})

const StateMachineList = Schema.Struct({
  data: Schema.Array(Schema.Struct({
    name: Schema.String,
    states: Schema.Array(Schema.String),
    terminal: Schema.Array(Schema.String),
    transitions: Schema.Array(Schema.Struct({
      from: Schema.NullOr(Schema.String),
      trigger: Schema.String,
      to: Schema.String,
      when: Schema.optionalKey(Schema.String)
    }))
  }))
}).annotate({
  identifier: "StateMachineList",
  examples: [{
    data: [{
      name: "payment_method",
      states: ["active", "revoked"],
      terminal: ["revoked"],
      transitions: [{ from: "active", trigger: "revoke", to: "revoked" }]
    }]
  }]
})

const ApiVersionList = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      version: Schema.String,
      status: Schema.Literals(["current", "supported", "deprecated", "sunset"]),
      released_at: Schema.String,
      sunset_at: Schema.NullOr(Schema.String),
      changelog: Schema.NullOr(Schema.String)
    }).annotate({ identifier: "APIVersion" })
  )
}).annotate({
  identifier: "APIVersionList",
  examples: [{
    data: [{
      version: CURRENT_API_VERSION,
      status: "current",
      released_at: `${CURRENT_API_VERSION}T00:00:00.000Z`,
      sunset_at: null,
      changelog: "The first version."
    }]
  }]
})

const PublicKeySet = Schema.Struct({ keys: Schema.Array(PublicKey) }).annotate({
  identifier: "PublicKeySet",
  examples: [{
    keys: [{
      kty: "OKP",
      crv: "Ed25519",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
      use: "sig",
      alg: "EdDSA"
    }]
  }]
})

const Alive = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Alive", examples: [{ status: "ok" }] })

const ServiceIndex = Schema.Struct({
  name: Schema.Literal("svc"),
  version: Schema.String.annotate({ description: "The current version of the API", examples: [CURRENT_API_VERSION] }),
  docs: Schema.Literal("/docs"),
  openapi: Schema.Literal("/openapi.json"),
  health: Schema.Literal("/v1/health")
}).annotate({
  identifier: "ServiceIndex",
  examples: [{ name: "svc", version: CURRENT_API_VERSION, docs: "/docs", openapi: "/openapi.json", health: "/v1/health" }]
})

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const health = HttpApiEndpoint.get("health", "/v1/health", { success: HealthStatus })
  .annotateMerge(described(
    "Health",
    "Whether the service can do its work: `unhealthy` while the database does not answer, `degraded` for a minute after its disk was found full and something could not be stored. The answer is 200 also when `status` is `unhealthy`: it is read, and not only counted. For load balancers there is /readyz."
  ))
const livez = HttpApiEndpoint.get("livez", "/livez", { success: Alive })
  .annotateMerge(described("Liveness", "200 while the process answers at all."))
const readyz = HttpApiEndpoint.get("readyz", "/readyz", { success: Alive, error: ServiceUnavailable })
  .annotateMerge(
    described(
      "Readiness",
      "200 when the database answers, else 503; 503 also from the signal to stop on, `DRAIN_SECONDS` before the process stops. " +
        "For load balancers."
    )
  )

const publicKeys = HttpApiEndpoint.get("public_keys", "/.well-known/jwks.json", { success: PublicKeySet }).annotateMerge(described(
  "Public keys",
  "The keys that checkpoints of ledgers and attestations are signed with, as a JSON Web Key set (RFC 7517, RFC 8037): the one of now first, then those that signed before it. Keep a copy elsewhere."
))

/** How a listener is, and the keys that this installation signs with: on the tool server too. */
export class HealthGroup extends HttpApiGroup.make("health").add(health, livez, readyz, publicKeys) {}

export class SystemGroup extends HttpApiGroup.make("service").add(
  HttpApiEndpoint.get("index", "/", { success: [ServiceIndex, ServiceIndex.pipe(HttpApiSchema.status(302))] })
    .annotateMerge(described("Index", "Where the rest is. What asks for HTML, as browsers do, is sent on to /docs by 302.")),
  health,
  livez,
  readyz,
  publicKeys,
  HttpApiEndpoint.get("error_codes", "/v1/error_codes", { success: ErrorCodeList })
    .annotateMerge(described("Error codes", "Every error the API answers with, its meaning, and what to do next.")),
  HttpApiEndpoint.get("state_machines", "/v1/state_machines", { success: StateMachineList })
    .annotateMerge(described("State machines", "Every legal transition, from the tables that the service itself consults.")),
  HttpApiEndpoint.get("api_versions", "/v1/api_versions", { success: ApiVersionList })
    .annotateMerge(described("API versions", "Newest first; choose one with the API-Version header."))
).annotateMerge(OpenApi.annotations({ title: "Service", description: "About the service itself; no key needed." })) {}

export const IdempotencyRecord = Schema.Struct({
  status: Schema.Literals(["in_progress", "done"]),
  operation: Schema.String,
  resource_type: Schema.String,
  resource_id: Schema.String,
  first_seen_at: Timestamp
}).annotate({ identifier: "IdempotencyRecord" }).pipe(Schema.annotateEncoded({
  examples: [{
    status: "done",
    operation: "payment_intent.create",
    resource_type: "payment_intent",
    resource_id: exampleId("pi"),
    first_seen_at: EXAMPLE_TIME
  }]
}))

export class IdempotencyGroup extends HttpApiGroup.make("idempotency").add(
  HttpApiEndpoint.get("get", "/idempotency_keys/:key", { params: { key: Schema.String }, success: IdempotencyRecord, error: NotFound })
    .annotate(RequiredScope, "payment_intents:read")
    .annotateMerge(
      described("Look up an idempotency key", "What became of a key of yours. Another account's key looks like an unknown one.")
    )
).middleware(SchemaErrors).middleware(Authorization).prefix("/v1")
  .annotateMerge(OpenApi.annotations({ title: "Idempotency", description: "What became of an idempotency key." }))
{}
