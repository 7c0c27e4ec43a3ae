/** Files of the API, passed on to the browser as they come. */
import { Effect } from "effect"
import { saved } from "./answers.ts"
import { type Here, refused } from "./router.ts"

/** The answer of a route that is a file. `filename` is what the browser calls it, where the API does not say. */
export const passedOn = ({ ask, visit }: Here, path: string, filename?: string) =>
  Effect.map(
    ask({ method: "GET", path }),
    (answered) => answered.status === 200 ? saved(answered.response, filename) : refused(visit, answered)
  )
