/**
 * All services over a database of their own, for the tests of any package: `layer(services)("…", (it) => …)`. A resource
 * that joins is among them. With a service of one's own: `layer(services.pipe(replacing(Rates, …)))`, see `replacing.ts`.
 */
import { Layer } from "effect"
import { layerDatabase } from "./database.ts"
import { type Parts, processWith } from "./process.ts"
import { connections, realTime } from "./real-time.ts"

export interface PartsOnDatabase extends Parts {
  readonly database?: typeof layerDatabase
}

export const servicesWith = ({ database = layerDatabase, ...parts }: PartsOnDatabase = {}) =>
  processWith(parts).pipe(Layer.provideMerge(connections), Layer.provideMerge(Layer.provide(database, realTime)))

export const services = servicesWith()
