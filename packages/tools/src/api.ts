/** The routes of this package on the tool server. A resource joins with a line here, and a line in `layer.ts`. */
import * as HttpApi from "effect/http-api/HttpApi"
import { SnapshotsGroup } from "./snapshots/api.ts"

export const contract = HttpApi.make("tools").add(SnapshotsGroup)
