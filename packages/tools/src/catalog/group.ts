/**
 * The group: every tool there is, in the order of the lists. A tool is one file in this folder, and one line here; the catalog, the lists,
 * the price table and every door go from it. `RpcClient.make(Tools)` calls them by their types.
 *
 * Where a protocol says more than a procedure can, its door wraps the same tools: HTTP 402 is sent for the error `PaymentRequired` and its
 * like, progress is told over a stream (`packages/doors/src/mcp`). Who pays and who may call is asked by the gate (`packages/paywall`)
 * around each run, whichever the door.
 */
import { RpcGroup } from "effect/rpc"
import { analyze_files } from "./analyze_files.ts"
import { analyze_repo } from "./analyze_repo.ts"
import { assemble_ce3_evidence } from "./assemble_ce3_evidence.ts"
import { assemble_representment } from "./assemble_representment.ts"
import { build_ap2_mandate } from "./build_ap2_mandate.ts"
import { closer } from "./closer.ts"
import { delete_snapshot } from "./delete_snapshot.ts"
import { deploy } from "./deploy.ts"
import { discover_agentic_purchasing_needs } from "./discover_agentic_purchasing_needs.ts"
import { discover_estate_tools } from "./discover_estate_tools.ts"
import { execute_payment } from "./execute_payment.ts"
import { get_artifact } from "./get_artifact.ts"
import { get_install_manifest } from "./get_install_manifest.ts"
import { get_quote } from "./get_quote.ts"
import { get_referral_code } from "./get_referral_code.ts"
import { get_referral_credits } from "./get_referral_credits.ts"
import { get_snapshot } from "./get_snapshot.ts"
import { grade_compliance } from "./grade_compliance.ts"
import { list_programs } from "./list_programs.ts"
import { ping_payment } from "./ping_payment.ts"
import { platform_compliance_check } from "./platform_compliance_check.ts"
import { prepare_agentic_purchasing } from "./prepare_agentic_purchasing.ts"
import { prepare_agentic_purchasing_preview } from "./prepare_agentic_purchasing_preview.ts"
import { sca_exemption_decision } from "./sca_exemption_decision.ts"
import { score_dispute_readiness } from "./score_dispute_readiness.ts"
import { search_and_discover_tools } from "./search_and_discover_tools.ts"
import { svc_analytics } from "./svc_analytics.ts"
import { svc_code_sandbox } from "./svc_code_sandbox.ts"
import { svc_compare } from "./svc_compare.ts"
import { svc_document_parsing } from "./svc_document_parsing.ts"
import { svc_embeddings } from "./svc_embeddings.ts"
import { svc_hygiene } from "./svc_hygiene.ts"
import { svc_improve_my_agent } from "./svc_improve_my_agent.ts"
import { svc_inspect } from "./svc_inspect.ts"
import { svc_llm_inference } from "./svc_llm_inference.ts"
import { svc_manifest_verify } from "./svc_manifest_verify.ts"
import { svc_network_tokenization } from "./svc_network_tokenization.ts"
import { svc_object_storage } from "./svc_object_storage.ts"
import { svc_speech_to_text } from "./svc_speech_to_text.ts"
import { svc_text_to_speech } from "./svc_text_to_speech.ts"
import { svc_transactional_email } from "./svc_transactional_email.ts"
import { svc_validate } from "./svc_validate.ts"
import { svc_vector_database } from "./svc_vector_database.ts"
import { svc_web_research } from "./svc_web_research.ts"
import { svc_web_research_crawl } from "./svc_web_research_crawl.ts"
import { svc_web_search } from "./svc_web_search.ts"

export class Tools extends RpcGroup.make(
  analyze_repo,
  analyze_files,
  list_programs,
  get_snapshot,
  delete_snapshot,
  get_artifact,
  prepare_agentic_purchasing_preview,
  prepare_agentic_purchasing,
  closer,
  deploy,
  search_and_discover_tools,
  get_install_manifest,
  ping_payment,
  svc_improve_my_agent,
  discover_agentic_purchasing_needs,
  discover_estate_tools,
  get_referral_code,
  get_referral_credits,
  svc_web_research,
  svc_web_research_crawl,
  svc_object_storage,
  svc_vector_database,
  svc_embeddings,
  svc_transactional_email,
  svc_llm_inference,
  svc_code_sandbox,
  svc_document_parsing,
  svc_web_search,
  svc_text_to_speech,
  svc_speech_to_text,
  svc_analytics,
  svc_validate,
  svc_inspect,
  svc_compare,
  svc_manifest_verify,
  platform_compliance_check,
  svc_hygiene,
  sca_exemption_decision,
  grade_compliance,
  assemble_ce3_evidence,
  build_ap2_mandate,
  score_dispute_readiness,
  assemble_representment,
  svc_network_tokenization,
  // For agent keys, beside those of the contract.
  get_quote,
  execute_payment
) {}
