/** What this package brings: the log of events, and their way to the merchants. */
import { and } from "@svc/kernel/part"
import { Layer, pipe } from "effect"
import { events } from "./events/resource.ts"
import { endpoints } from "./endpoints/resource.ts"
import { deliveries } from "./deliveries/resource.ts"
import { DeliverySignal } from "./deliveries/signal.ts"
import * as Outbox from "./events/outbox.ts"

export const webhooks = pipe(events, and(endpoints), and(deliveries))

/** What the commit road writes events with. It tells the workers what it queued. */
export const outbox = Outbox.layer.pipe(Layer.provideMerge(DeliverySignal.layer))
