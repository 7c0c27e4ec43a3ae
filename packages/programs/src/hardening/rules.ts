/** What makes an agent unsafe: each rule with the entries of OWASP's lists that it comes from. */

export const severities = ["critical", "high", "medium", "low"] as const
export type Severity = typeof severities[number]

const LLM = "https://genai.owasp.org/llmrisk"
const AGENTIC = "https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/"

/** OWASP Top 10 for LLM Applications 2025, and OWASP Top 10 for Agentic Applications 2026. */
export const sources = {
  LLM01: { title: "Prompt Injection", url: `${LLM}/llm01-prompt-injection/` },
  LLM02: { title: "Sensitive Information Disclosure", url: `${LLM}/llm022025-sensitive-information-disclosure/` },
  LLM03: { title: "Supply Chain", url: `${LLM}/llm032025-supply-chain/` },
  LLM05: { title: "Improper Output Handling", url: `${LLM}/llm052025-improper-output-handling/` },
  LLM06: { title: "Excessive Agency", url: `${LLM}/llm062025-excessive-agency/` },
  LLM07: { title: "System Prompt Leakage", url: `${LLM}/llm072025-system-prompt-leakage/` },
  LLM10: { title: "Unbounded Consumption", url: `${LLM}/llm102025-unbounded-consumption/` },
  ASI01: { title: "Agent Goal Hijack", url: AGENTIC },
  ASI02: { title: "Tool Misuse and Exploitation", url: AGENTIC },
  ASI03: { title: "Identity and Privilege Abuse", url: AGENTIC },
  ASI04: { title: "Agentic Supply Chain Vulnerabilities", url: AGENTIC },
  ASI05: { title: "Unexpected Code Execution", url: AGENTIC },
  ASI08: { title: "Cascading Failures", url: AGENTIC },
  ASI09: { title: "Human-Agent Trust Exploitation", url: AGENTIC }
} as const
export type SourceId = keyof typeof sources

export interface HardeningRule {
  readonly area: "prompts" | "tools" | "loops" | "execution" | "secrets" | "budgets" | "output" | "logging" | "money" | "configuration"
  readonly severity: Severity
  readonly sources: ReadonlyArray<SourceId>
  /** What is found at the place. */
  readonly finding: string
  /** Why that is a risk. */
  readonly reason: string
  readonly next: string
}

export const rules = {
  "output-executed": {
    area: "execution",
    severity: "critical",
    sources: ["LLM05", "ASI05"],
    finding: "What a model answered is run as code or as a command.",
    reason: "Whoever gets a sentence into the prompt decides what this machine runs.",
    next: "Let the model choose among functions of yours by name, or run its code in a sandbox without network and files."
  },
  "secret-in-code": {
    area: "secrets",
    severity: "critical",
    sources: ["LLM02", "ASI03"],
    finding: "A credential stands in the source.",
    reason: "Everybody who reads the source acts as the agent, and a model that sees the file can repeat the credential.",
    next: "Revoke the credential, and read the new one from the environment."
  },
  "untrusted-system-prompt": {
    area: "prompts",
    severity: "high",
    sources: ["LLM01", "ASI01"],
    finding: "Text from outside is written into the system prompt.",
    reason: "Text in the system prompt is obeyed: its author can change what the agent is for.",
    next: "Keep the system prompt constant, and send the text as a message of the user that is marked as data."
  },
  "secret-in-prompt": {
    area: "prompts",
    severity: "high",
    sources: ["LLM07", "LLM02"],
    finding: "A credential is written into a prompt.",
    reason: "Models can be made to repeat their prompts, and providers keep them.",
    next: "Give the credential to the tool that needs it, not to the model."
  },
  "shell-tool": {
    area: "tools",
    severity: "high",
    sources: ["LLM06", "ASI02"],
    finding: "A command that is put together from a caller's text runs in a shell, and nothing says which commands may run.",
    reason: "An injected instruction becomes a command of this machine.",
    next: "Check the command against a list, and pass arguments as an array without a shell."
  },
  "code-tool": {
    area: "execution",
    severity: "high",
    sources: ["ASI05", "LLM06"],
    finding: "A caller's text is evaluated as code in this process.",
    reason: "The code has the agent's credentials, files and network.",
    next: "Replace the evaluation by a parser of what is expected, or run it in a sandbox."
  },
  "file-tool": {
    area: "tools",
    severity: "high",
    sources: ["LLM06", "ASI02"],
    finding: "A path that a caller names is opened, and nothing keeps it within a folder.",
    reason: "A path such as ../../.ssh/id_rsa leads out of what the tool is meant for.",
    next: "Resolve the path, and refuse it unless it lies within the tool's folder."
  },
  "network-tool": {
    area: "tools",
    severity: "high",
    sources: ["LLM06", "ASI02"],
    finding: "An address that a caller names is fetched, and nothing says which hosts are allowed.",
    reason: "The tool reaches the services of the private network, and carries data out.",
    next: "Check the host against a list before the request, and after each redirect."
  },
  "loop-without-bound": {
    area: "loops",
    severity: "high",
    sources: ["LLM10", "ASI08"],
    finding: "A loop calls a model until the model says that it is done.",
    reason: "A model that never says so spends without end.",
    next: "Bound the steps, and fail when they are used up."
  },
  "money-without-approval": {
    area: "money",
    severity: "high",
    sources: ["LLM06", "ASI09"],
    finding: "Money is moved by code of an agent, and no approval is asked for on the way.",
    reason: "A payment cannot be taken back by retrying the prompt.",
    next: "Ask a person above an amount, and check a budget below it, outside of the model."
  },
  "output-rendered": {
    area: "output",
    severity: "high",
    sources: ["LLM05"],
    finding: "What a model answered is put into a page as HTML.",
    reason: "A script in the answer runs with the session of whoever reads it.",
    next: "Write it as text, or sanitize it."
  },
  "output-queried": {
    area: "output",
    severity: "high",
    sources: ["LLM05"],
    finding: "What a model answered is run as a statement of the database.",
    reason: "The statement may read or delete whatever the connection may.",
    next: "Let the model fill parameters of statements of yours, over a connection that may only read."
  },
  "unsafe-switch": {
    area: "configuration",
    severity: "high",
    sources: ["LLM06", "ASI02"],
    finding: "A guard of a library is switched off.",
    reason: "The library names the switch dangerous because it takes away its own check.",
    next: "Leave the guard on, and allow what is needed one by one."
  },
  "output-unchecked": {
    area: "output",
    severity: "medium",
    sources: ["LLM05"],
    finding: "What a model answered is parsed as JSON and used as it is.",
    reason: "Members may be missing, of another type, or invented.",
    next: "Check the value against a schema before it is used."
  },
  "no-token-limit": {
    area: "budgets",
    severity: "medium",
    sources: ["LLM10"],
    finding: "A model is called without a limit of its answer's length.",
    reason: "The longest answer sets the price of the call.",
    next: "Set the limit to what the answer needs."
  },
  "tool-without-schema": {
    area: "tools",
    severity: "medium",
    sources: ["LLM06", "ASI02"],
    finding: "A tool takes arguments and has no schema.",
    reason: "Whatever the model writes reaches the code of the tool.",
    next: "Describe each argument with its type and bounds, and refuse others."
  },
  "unpinned-server": {
    area: "configuration",
    severity: "medium",
    sources: ["LLM03", "ASI04"],
    finding: "A server of tools is started from a package without a version.",
    reason: "The next version of the package runs at once, with the agent's rights.",
    next: "Name the version."
  },
  "no-timeout": {
    area: "budgets",
    severity: "low",
    sources: ["LLM10", "ASI08"],
    finding: "A client of a model has no time limit of its own.",
    reason: "The library waits ten minutes and tries again, while callers wait.",
    next: "Set a time limit that fits the request."
  },
  "prompt-logged": {
    area: "logging",
    severity: "low",
    sources: ["LLM02"],
    finding: "A prompt or a model's answer is written to the log.",
    reason: "What people tell the agent is kept where others read it.",
    next: "Log lengths and ids instead, or mask the text."
  }
} as const satisfies Readonly<Record<string, HardeningRule>>
export type RuleId = keyof typeof rules

/** A part of the text that another takes the place of. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Risk {
  readonly rule: RuleId
  readonly path: string
  readonly line: number
  /** What would mend it, where that needs no judgement. */
  readonly edits?: ReadonlyArray<Edit>
}
