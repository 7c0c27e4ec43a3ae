/** What this package brings: the tools, the gate before them, and the doors that lead there. */
import { and } from "@svc/kernel/part"
import { Layer, pipe } from "effect"
import { access } from "./access/resource.ts"
import { accountPlans } from "./account-plans/resource.ts"
import { toolAccounts } from "./accounts/resource.ts"
import { Openings } from "./accounts/settings.ts"
import { agentPayments } from "./agent-payments/resource.ts"
import { agents } from "./agents/resource.ts"
import { callStatus } from "./call-status/resource.ts"
import * as catalog from "./catalog/index.ts"
import * as directory from "./discovery/directory.ts"
import * as rest from "./discovery/rest.ts"
import * as discovery from "./discovery/routes.ts"
import * as site from "./discovery/site.ts"
import { creditPurchases } from "./credit-purchases/resource.ts"
import { feedback } from "./feedback/resource.ts"
import * as gate from "./gate/gate.ts"
import { CallLimit } from "./gate/limits.ts"
import * as mcp from "./mcp/http.ts"
import { ownDisputes } from "./own-disputes/resource.ts"
import { PaymentMethods } from "./paid-calls/methods.ts"
import { Pages } from "./paid-calls/pages.ts"
import { paidCalls } from "./paid-calls/resource.ts"
import * as payPage from "./pay-page/routes.ts"
import { NetworkLimit } from "./network-limit.ts"
import { referrals } from "./referrals/resource.ts"
import * as absent from "./services/absent.ts"
import { stored } from "./stored/resource.ts"
import { VectorMemory } from "./stored/vectors/indexes.ts"
import { toolCalls } from "./tool-calls/resource.ts"
import * as typed from "./typed/door.ts"
import { usage } from "./usage/resource.ts"

/** The tables, services, timers and routes. */
export const tools = pipe(access, and(toolAccounts), and(agents), and(toolCalls), and(accountPlans), and(creditPurchases), and(paidCalls), and(callStatus), and(referrals), and(stored), and(usage), and(feedback), and(agentPayments), and(ownDisputes))

/** The routes of the tool server that are no part of its contract: the doors to the tools, and the documents that lead there. */
export const doors = Layer.mergeAll(mcp.layer, typed.layer, rest.layer, discovery.layer, payPage.layer)

/** Backends that this installation does without. */
export const absentBackends = absent.layer

/** What stands between the doors and the tools. */
export const gateway = gate.layer.pipe(Layer.provideMerge(catalog.layer), Layer.provideMerge(directory.layer), Layer.provide(absentBackends))

/** What each tool does of the payments API, for those who issue agent keys. */
export { toolScopes } from "./catalog/index.ts"

/** What this package is told of the installation: how it is reached, how it is paid, how many calls a minute are taken. */
export const installed = (addresses: site.Addresses) =>
  Layer.mergeAll(
    site.layer(addresses),
    PaymentMethods.layer,
    CallLimit.layer,
    NetworkLimit.layer,
    Openings.layer,
    VectorMemory.layer,
    Layer.succeed(Pages, Pages.at(addresses.tools_url))
  )
