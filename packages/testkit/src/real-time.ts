/**
 * For the layers below a test: pools and queues wait by a clock of their own. Under a test's clock they
 * would wait for ever, or take a jump of a day for a day without use.
 */
import { Clock, Context, Layer } from "effect"

export const realTime = Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock))
