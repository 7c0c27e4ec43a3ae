/** What the tools of the catalog call. A tool whose service is missing here does not compile where the catalog is made. */
import { Quotes } from "@svc/payments/quotes/service"
import { Context } from "effect"
import { AgentPayments } from "../agent-payments/service.ts"
import { Directory } from "../services/directory.ts"
import { Disputes } from "../services/disputes.ts"
import { Hygiene } from "../services/hygiene.ts"
import { Mailer } from "../services/mailer.ts"
import { DocumentReader, Speaker, Transcriber } from "../services/media.ts"
import { Embedder, InferenceModel } from "../services/models.ts"
import { ObjectStore } from "../services/object-store.ts"
import { Sandbox } from "../services/sandbox.ts"
import { Site } from "../services/site.ts"
import { Analyzer, Snapshots } from "../services/snapshots.ts"
import { WebReader } from "../services/web-reader.ts"
import { Referrals } from "../referrals/service.ts"
import { Analytics } from "../stored/analytics/service.ts"
import { Search } from "../stored/search/service.ts"
import { Vectors } from "../stored/vectors/service.ts"

/** These of the services that the process has, a hundred and more: each call is given them, and copying all of them would cost more than most runs. */
export const needed = Context.pick(
  Directory, Site, AgentPayments, Quotes, Referrals, Analytics, Search, Vectors,
  Analyzer, Snapshots, WebReader, ObjectStore, Embedder, Mailer, InferenceModel, Sandbox, DocumentReader, Speaker, Transcriber, Hygiene, Disputes
)
