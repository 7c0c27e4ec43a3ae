/** What this package brings: the log of events, and their way to the merchants. */
import { and } from "@svc/kernel/parts/part"
import { Layer, pipe } from "effect"
import { deliveries } from "./deliveries/resource.ts"
import { DeliverySignal } from "./deliveries/signal.ts"
import { endpoints } from "./endpoints/resource.ts"
import * as Outbox from "./events/outbox.ts"
import { events } from "./events/resource.ts"

export const webhooks = pipe(events, and(endpoints), and(deliveries))

/** What the commit road writes events with. It tells the workers what it queued. */
export const outbox = Outbox.layer.pipe(Layer.provideMerge(DeliverySignal.layer))
