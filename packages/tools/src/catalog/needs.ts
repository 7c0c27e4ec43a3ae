/** What the tools of the catalog call. A tool whose service is missing here does not compile where the catalog is made. */
import { Referrals } from "@svc/metering/referrals/service"
import { Quotes } from "@svc/payments/quotes/service"
import { Analytics } from "@svc/stores/analytics/service"
import { Search } from "@svc/stores/search/service"
import { Vectors } from "@svc/stores/vectors/service"
import { Directory } from "@svc/tool-kit/services/directory"
import { Disputes } from "@svc/tool-kit/services/disputes"
import { Hygiene } from "@svc/tool-kit/services/hygiene"
import { Mailer } from "@svc/tool-kit/services/mailer"
import { DocumentReader, Speaker, Transcriber } from "@svc/tool-kit/services/media"
import { Embedder, InferenceModel } from "@svc/tool-kit/services/models"
import { ObjectStore } from "@svc/tool-kit/services/object-store"
import { Sandbox } from "@svc/tool-kit/services/sandbox"
import { Site } from "@svc/tool-kit/services/site"
import { AgentHardener, Analyzer, Packager, ReadinessScorer, Snapshots } from "@svc/tool-kit/services/snapshots"
import { WebReader } from "@svc/tool-kit/services/web-reader"
import { Context } from "effect"
import { AgentPayments } from "../agent-payments/service.ts"

/**
 * These of the services that the process has, a hundred and more: each call is given them, and copying all of them would cost more than
 * most runs.
 */
export const needed = Context.pick(
  Directory,
  Site,
  AgentPayments,
  Quotes,
  Referrals,
  Analytics,
  Search,
  Vectors,
  Analyzer,
  ReadinessScorer,
  AgentHardener,
  Packager,
  Snapshots,
  WebReader,
  ObjectStore,
  Embedder,
  Mailer,
  InferenceModel,
  Sandbox,
  DocumentReader,
  Speaker,
  Transcriber,
  Hygiene,
  Disputes
)
