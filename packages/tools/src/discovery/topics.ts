/** What tools are about, in words that people search by. */
import type { Category } from "@svc/tool-kit/services/directory"

/** What people look for and a tool's own description has no room for. */
export const toolTopics: Readonly<Record<string, string>> = {
  svc_code_sandbox: "execute script Python JavaScript Node.js bash shell interpreter",
  svc_document_parsing:
    "PDF Word Excel PowerPoint OpenDocument docx xlsx pptx odt EPUB RTF HTML CSV spreadsheet invoice read extract OCR scan",
  svc_embeddings: "vector similarity semantic",
  svc_llm_inference: "chat completion GPT prompt generate answer",
  svc_object_storage: "S3 file upload download bucket blob presigned",
  svc_speech_to_text: "transcript dictation voice recording podcast WAV MP3 whisper subtitles",
  svc_text_to_speech: "voice audio narration read aloud WAV MP3 Opus",
  svc_transactional_email: "SMTP e-mail send receipt SPF DKIM DMARC",
  svc_web_research: "fetch URL browse scrape article website HTML Markdown",
  svc_web_research_crawl: "spider scrape website sitemap links",
  svc_web_search: "full text index BM25 query citations"
}

const named: Readonly<Partial<Record<Category, ReadonlyArray<string>>>> = {
  analysis: ["analyze_repo", "analyze_files", "closer", "deploy", "svc_improve_my_agent", "svc_hygiene"],
  snapshots: ["get_snapshot", "delete_snapshot", "get_artifact"],
  purchasing: ["prepare_agentic_purchasing_preview", "prepare_agentic_purchasing", "discover_agentic_purchasing_needs"],
  compliance: [
    "sca_exemption_decision",
    "grade_compliance",
    "assemble_ce3_evidence",
    "build_ap2_mandate",
    "score_dispute_readiness",
    "assemble_representment",
    "svc_network_tokenization"
  ],
  discovery: ["list_programs", "search_and_discover_tools", "get_install_manifest", "discover_estate_tools"],
  account: ["get_referral_code", "get_referral_credits"],
  payments: ["ping_payment", "get_quote", "execute_payment"],
  planned: ["svc_validate", "svc_inspect", "svc_compare", "svc_manifest_verify", "platform_compliance_check"]
}

const byName = new Map<string, Category>()
for (const category of ["analysis", "snapshots", "purchasing", "compliance", "discovery", "account", "payments", "planned"] as const) {
  for (const name of named[category] ?? []) byName.set(name, category)
}

/** What is not named is one of the services that are called for themselves. */
export const categoryOf = (name: string): Category => byName.get(name) ?? "service"

/** Every name above, so that a test can find those that no tool has. */
export const categorized: ReadonlyArray<string> = Array.from(byName.keys())
