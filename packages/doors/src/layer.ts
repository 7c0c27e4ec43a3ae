/** What this package brings: the doors to the tools, and what stands behind each. */
import { and } from "@svc/kernel/parts/part"
import { Openings } from "@svc/metering/accounts/settings"
import { metering } from "@svc/metering/layer"
import { CallLimit } from "@svc/metering/rate-limits/call-limit"
import { NetworkLimit } from "@svc/metering/rate-limits/network-limit"
import * as gate from "@svc/paywall/gate/gate"
import { paywall } from "@svc/paywall/layer"
import { Pages } from "@svc/paywall/merchant/pages"
import { PaymentMethods } from "@svc/paywall/merchant/payment-methods"
import * as payPage from "@svc/paywall/pay-page/routes"
import { SnapshotRoom } from "@svc/stores/snapshots/model"
import { VectorMemory } from "@svc/stores/vectors/indexes"
import * as catalog from "@svc/tools/catalog/index"
import * as directory from "@svc/tools/discovery/directory"
import { tools } from "@svc/tools/layer"
import { Layer, pipe } from "effect"
import * as rest from "./discovery/rest.ts"
import * as discovery from "./discovery/routes.ts"
import * as site from "./discovery/site.ts"
import * as mcp from "./mcp/http.ts"
import * as objects from "./objects/http.ts"
import * as typed from "./typed/door.ts"

/** The handlers of what the contract promises. */
export const { routes } = pipe(metering, and(paywall), and(tools))

/** The routes that are no part of the contract: the doors to the tools, the documents that lead there, and the page on which people pay. */
export const doors = Layer.mergeAll(mcp.layer, typed.layer, rest.layer, objects.layer, discovery.layer, payPage.layer)

/** What stands between the doors and the tools. This installation does without any backend that is not its own. */
export const gateway = gate.layer.pipe(Layer.provideMerge(catalog.layer), Layer.provideMerge(directory.layer))

/** What the tool server is told of the installation: how it is reached, how it is paid, how many calls a minute are taken. */
export const installed = (addresses: site.Addresses) =>
  Layer.mergeAll(
    site.layer(addresses),
    PaymentMethods.layer,
    CallLimit.layer,
    NetworkLimit.layer,
    Openings.layer,
    SnapshotRoom.layer,
    VectorMemory.layer,
    Layer.succeed(Pages, Pages.at(addresses.tools_url))
  )
