/** The tools, in the order in which they are listed. A tool is one file in this folder, and one line here. */
import type { Scope } from "@svc/accounts/access/model"
import { bind, Catalog, catalog } from "@svc/tool-kit/derive"
import type { Compiled, ToolMeta } from "@svc/tool-kit/tool"
import { Effect, Layer } from "effect"
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
import { needed } from "./needs.ts"
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

export const tools = catalog({
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
  svc_network_tokenization
})

/** Tools for agent keys, beside those of the contract's list. */
export const agentTools = catalog({ get_quote, execute_payment })

/** All of them, each with its own types erased or not as its reader needs. */
export const all = [...Object.values(tools), ...Object.values(agentTools)]

/** What `tools/list` shows to everybody. */
export const listed = all.filter(({ meta }) => meta.auth !== "agent").map((one) => one.listed)

/** What it shows to agent keys besides. */
export const listedToAgents = all.filter(({ meta }) => meta.auth === "agent").map((one) => one.listed)

/** Each tool as a typed procedure. */
export const Tools = RpcGroup.make(...all.map(({ rpc }) => rpc))

export type ToolServices = typeof all[number]["compiled"] extends Compiled<infer R> ? R : never

export const compiled: ReadonlyArray<Compiled<ToolServices>> = all.map((one) => one.compiled)

const named = <R>(one: Compiled<R>): ReadonlyArray<readonly [string, Compiled<R>]> => namesOf(one).map((name) => [name, one])

const namesOf = <R>({ meta, name }: Compiled<R>): ReadonlyArray<string> => [name, ...(meta.also ?? [])]

/** The scope of a key that lets an agent key call tools in the name of its account. */
export const CALLS_TOOLS: Scope = "tool_calls:write"

/**
 * What a restricted key needs to let an agent key call a tool. Calls spend the account's credits, and read, keep and delete its data, so a
 * tool asks for `tool_calls:write` besides the scopes of the payments API that do what it does; without it a free tool whose own scopes say
 * all that it does. A tool that is free and needs no key is anybody's, and asks for nothing.
 */
const scopesOf = ({ auth, prices, scopes = [] }: ToolMeta): ReadonlyArray<Scope> =>
  prices !== "free" || (auth !== "none" && scopes.length === 0) ? [CALLS_TOOLS, ...scopes] : scopes

/** Each tool by all its names, and the scopes that a key needs to let an agent key call it. */
export const toolScopes: ReadonlyMap<string, ReadonlyArray<Scope>> = new Map(
  compiled.flatMap((one) => namesOf(one).map((name) => [name, scopesOf(one.meta)] as const))
)

/** The tools with what this installation gives them. */
export const layer = Layer.effect(
  Catalog,
  Effect.map(Effect.context<ToolServices>(), (context) => new Map(compiled.map(bind(needed(context))).flatMap(named)))
)
