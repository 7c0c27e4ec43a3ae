/** What each tool of the catalog calls. A tool whose service is missing here does not compile where the catalog is made. */
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

const nothing = Context.pick()

/**
 * A call is given these services of the hundred and more that the process has, and no others: what a call is given is added to the context
 * of its request, which is copied (docs/decisions/0056).
 */
export const needs = {
  analyze_repo: Context.pick(Analyzer, Snapshots),
  analyze_files: Context.pick(Analyzer, Snapshots),
  list_programs: nothing,
  get_snapshot: Context.pick(Snapshots),
  delete_snapshot: Context.pick(Snapshots),
  get_artifact: Context.pick(Snapshots),
  prepare_agentic_purchasing_preview: Context.pick(ReadinessScorer),
  prepare_agentic_purchasing: Context.pick(ReadinessScorer, Snapshots),
  closer: Context.pick(Packager),
  deploy: Context.pick(Packager),
  search_and_discover_tools: Context.pick(Directory),
  get_install_manifest: Context.pick(Directory, Site),
  ping_payment: nothing,
  svc_improve_my_agent: Context.pick(AgentHardener),
  discover_agentic_purchasing_needs: Context.pick(Directory),
  discover_estate_tools: Context.pick(Directory, Site),
  get_referral_code: Context.pick(Referrals),
  get_referral_credits: Context.pick(Referrals),
  svc_web_research: Context.pick(WebReader),
  svc_web_research_crawl: Context.pick(WebReader),
  svc_object_storage: Context.pick(ObjectStore),
  svc_vector_database: Context.pick(Vectors),
  svc_embeddings: Context.pick(Embedder),
  svc_transactional_email: Context.pick(Mailer),
  svc_llm_inference: Context.pick(InferenceModel),
  svc_code_sandbox: Context.pick(Sandbox),
  svc_document_parsing: Context.pick(DocumentReader),
  svc_web_search: Context.pick(Search),
  svc_text_to_speech: Context.pick(Speaker),
  svc_speech_to_text: Context.pick(Transcriber),
  svc_analytics: Context.pick(Analytics),
  svc_validate: nothing,
  svc_inspect: nothing,
  svc_compare: nothing,
  svc_manifest_verify: nothing,
  platform_compliance_check: nothing,
  svc_hygiene: Context.pick(Hygiene),
  sca_exemption_decision: nothing,
  grade_compliance: nothing,
  assemble_ce3_evidence: nothing,
  build_ap2_mandate: nothing,
  score_dispute_readiness: nothing,
  assemble_representment: Context.pick(Disputes),
  svc_network_tokenization: nothing,
  get_quote: Context.pick(Quotes),
  execute_payment: Context.pick(AgentPayments)
}
