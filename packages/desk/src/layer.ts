/** What this package brings: the pages on which a merchant's people look at their business and act on it, the assistant, and the search. */
import { and, nothing } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { assistant } from "./assistant/resource.ts"
import { AttentionMails } from "./attention/service.ts"
import { AttentionWorker } from "./attention/worker.ts"
import * as routes from "./routing/routes.ts"
import { search } from "./search/resource.ts"

const pages = { ...nothing, services: AttentionMails.layer, routes: routes.layer, workers: AttentionWorker }

export const desk = pipe(assistant, and(search), and(pages))
