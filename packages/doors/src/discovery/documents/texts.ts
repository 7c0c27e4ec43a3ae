/** What models, crawlers and researchers read as text. */
import { masthead } from "@svc/design/components"
import { escaped, type Html, html } from "@svc/design/html"
import { documentOf } from "@svc/design/page"
import { programs } from "@svc/programs/programs"
import { categories, type Described, priceText } from "@svc/tool-kit/services/directory"
import { waysToAKey } from "@svc/tools/discovery/install"
import { notes, planTable } from "@svc/tools/discovery/notes"
import { type Document, type DocumentFacts, type Make, markdown, plain } from "./document.ts"
import { DESCRIPTION } from "./registry.ts"

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

const callers = { none: "no key", scoped: "key optional", key: "key", agent: "agent key" } as const

const states = { available: "", not_configured: ", not set up here", planned: ", planned" } as const

const lineOf = (tool: Described): string =>
  `\`${tool.name}\` (${callers[tool.auth]}, ${priceText(tool)}${states[tool.status]}): ${tool.description}`

const byCategory = (tools: ReadonlyArray<Described>) =>
  categories.flatMap((category) => {
    const some = tools.filter((one) => one.category === category)
    return some.length === 0 ? [] : [{ category, some }]
  })

/** llmstxt.org: a title, a quotation, paragraphs, and lists of links below second headings. */
export const llms: Make = ({ site: { api_url, title, tools_url }, tools }) =>
  plain([
    `# ${title}`,
    "",
    `> ${DESCRIPTION}`,
    "",
    `POST JSON-RPC 2.0 to ${tools_url}/mcp, with or without an MCP session. POST ${tools_url}/v1/agents/signup gives a sandbox key at once. Unpaid calls are answered 402; ping_payment tries paying for one cent.`,
    "",
    "## Start",
    "",
    `- [For agents](${tools_url}/for-agents): from nothing to a paid call`,
    `- [Discovery](${tools_url}/v1/agents/discovery): transports, keys and all tools with their schemas`,
    `- [Install](${tools_url}/v1/install): what to paste into which client`,
    `- [OpenAPI](${tools_url}/openapi.json): every route, with what is paid for`,
    `- [Error codes](${tools_url}/v1/error-codes): what each refusal means, and what to do next`,
    "",
    "## Tools",
    "",
    ...tools.map((tool) =>
      `- [${tool.name}](${tools_url}/v1/docs#${tool.name}): ${callers[tool.auth]}, ${priceText(tool)}${
        states[tool.status]
      }. ${tool.description}`
    ),
    "",
    "## Optional",
    "",
    `- [Payments API](${api_url}/openapi.json): payments, refunds, webhooks and the ledger`,
    `- [Skills](${tools_url}/.well-known/agent-skills/index.json): how to work with this server, step by step`,
    `- [Estate](${tools_url}/.well-known/svc-estate.json): what else the operator runs`,
    ""
  ].join("\n"))

/** The commands that pay in the sandbox with nothing but curl and Node. */
const payingByHand = (tools_url: string): ReadonlyArray<string> => [
  "### By hand, in the sandbox",
  "",
  "With a test key, or none, no real money moves, and any token `spt_test_…` pays; one that begins with `spt_test_decline` is declined. The 402 has a `WWW-Authenticate: Payment …` line for each method. Take that of the method `stripe` and send the identical bytes again, with",
  "",
  "    Authorization: Payment base64url({\"challenge\": {all parameters of the challenge, as they came}, \"payload\": {\"spt\": \"spt_test_1\"}})",
  "    X-Svc-Key: <token>",
  "",
  "```sh",
  "AGENT='<token>'",
  `CALL='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping_payment"}}'`,
  `CREDENTIAL=$(curl -s -D - -o /dev/null ${tools_url}/mcp -H "X-Svc-Key: $AGENT" -H 'X-Svc-Allow-Duplicate: true' -d "$CALL" | node -e '`,
  "  const line = fs.readFileSync(0, \"utf8\").split(\"\\n\").find((one) => one.includes(\"method=\\\"stripe\\\"\"))",
  "  const challenge = Object.fromEntries(Array.from(line.matchAll(/(\\w+)=\"([^\"]*)\"/g), ([, name, value]) => [name, value]))",
  "  console.log(Buffer.from(JSON.stringify({ challenge, payload: { spt: \"spt_test_1\" } })).toString(\"base64url\"))')",
  `curl -s ${tools_url}/mcp -H "X-Svc-Key: $AGENT" -H "Authorization: Payment $CREDENTIAL" -d "$CALL"`,
  "```",
  "",
  "The answer has the receipt in the header `Payment-Receipt`, and in `_meta`. In MCP the challenge stands in `_meta[\"org.paymentauth/payment-required\"].challenges`, and the same object, not encoded, goes into `params._meta[\"org.paymentauth/credential\"]` of the repeated call.",
  "By x402, a wallet signs a transfer of the stablecoin that `PAYMENT-REQUIRED` (version 2) or `accepts` in the body (version 1) asks for, and sends it as `PAYMENT-SIGNATURE` or `X-PAYMENT`; in the sandbox the transfer is simulated unless the operator has set up a facilitator.",
  ""
]

/** Which tools the notes on plans speak of, and which of them this installation does not run. */
const serviceWorkLine = (tools: ReadonlyArray<Described>): string => {
  const names = tools.filter(({ serviceWork }) => serviceWork).map(({ name, status }) =>
    `\`${name}\`${status === "available" ? "" : " (not set up in this installation)"}`
  )
  return `- Service work is what these tools do, where the call costs something: ${
    names.join(", ")
  }. A tool that is not set up says so, and costs nothing.`
}

export const forAgents: Make = ({ site: { contact_email, title, tools_url }, tools }) => {
  const [sandbox] = waysToAKey(tools_url)
  return markdown([
    `# ${title}, for agents`,
    "",
    DESCRIPTION,
    "",
    "## 1. Get a key",
    "",
    "```",
    `curl -s -X POST ${sandbox?.url ?? ""} -H 'Content-Type: application/json' -d '{"agent_name":"my-agent"}'`,
    "```",
    "",
    "The answer holds `token`, an agent key `agk_test_…`, for 24 hours. Tools marked `no key` need none.",
    "",
    "## 2. Call a tool",
    "",
    "```",
    `curl -s ${tools_url}/mcp -H 'Authorization: Bearer <token>' -H 'Content-Type: application/json' \\`,
    `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_programs","arguments":{}}}'`,
    "```",
    "",
    `The arguments of every tool, as JSON Schema with all bounds, are in one document: ${tools_url}/v1/agents/discovery.`,
    "",
    "## 3. Pay",
    "",
    "Credits of the account pay first, but for `ping_payment`, which is always paid by the call: trying that is its purpose. Without enough of them the answer is 402: pay by the `Payment` scheme or by x402, then send the identical request with the credential, and the key in `X-Svc-Key`. Repeat with the same `Idempotency-Key` what you did not hear an answer to. `X-Agent-Budget: {\"budget_per_run_cents\": 10}` says what a call may cost.",
    "",
    ...notes.map((note) => `- ${note}`),
    serviceWorkLine(tools),
    "",
    ...payingByHand(tools_url),
    "### Plans and credits",
    "",
    "| plan | USD | credits a month |",
    "|---|---|---|",
    ...planTable.map(({ monthly_credits, price_cents, tier }) => `| ${tier} | ${dollars(price_cents)} | ${monthly_credits} |`),
    "",
    `A credit is a tenth of a US cent. Every answer to a key has headers: \`X-Svc-Request-Cost\` is what the call cost, in cents, of a batch the sum, and is left out of a stream, which begins before; \`X-Svc-Credits-Balance\`, \`X-Svc-Quota-Limit\` and \`X-Svc-Quota-Remaining\` are credits: all that are left, and the month's of the plan. So a call with \`X-Svc-Request-Cost: 1\` that credits paid lowers the balance by 10. ${tools_url}/v1/usage lists what was charged.`,
    "",
    "## Tools",
    "",
    ...byCategory(tools).flatMap(({ category, some }) => [`### ${category}`, "", ...some.map((tool) => `- ${lineOf(tool)}`), ""]),
    `${programs.length} programs make ${
      programs.reduce((sum, { artifacts }) => sum + artifacts.length, 0)
    } artifacts of a repository: \`list_programs\`.`,
    "",
    `Something is wrong, or missing? POST ${tools_url}/v1/feedback with \`message\` and \`category\`${
      contact_email === null ? "" : `, or write to ${contact_email}`
    }.`,
    ""
  ].join("\n"))
}

export const robots: Make = ({ site: { tools_url } }) =>
  plain(["User-agent: *", "Allow: /", "Disallow: /pay/", "Disallow: /v1/usage", "", `Sitemap: ${tools_url}/sitemap.xml`, ""].join("\n"))

/** Pages that somebody may want to find; documents for programs are linked from them. */
const PAGES = [
  "/v1/docs",
  "/for-agents",
  "/llms.txt",
  "/v1/install",
  "/v1/agents/discovery",
  "/v1/mcp/server.json",
  "/openapi.json",
  "/v1/error-codes"
]

export const sitemap: Make = ({ site: { tools_url } }): Document => ({
  text: [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    ...PAGES.map((path) => `  <url><loc>${escaped(tools_url + path)}</loc></url>`),
    "</urlset>",
    ""
  ].join("\n"),
  contentType: "application/xml; charset=utf-8"
})

const DAY = 86_400_000

/** RFC 9116: it ends within a year. Counted from the day, so that it is the same for everybody who asks that day. */
const expires = (now: number): string => new Date(Math.floor(now / DAY) * DAY + 180 * DAY).toISOString()

export const security: Make = ({ now, site: { contact_email, tools_url } }: DocumentFacts) =>
  plain([
    `Contact: ${contact_email === null ? `${tools_url}/v1/feedback` : `mailto:${contact_email}`}`,
    `Expires: ${expires(now)}`,
    "Preferred-Languages: en",
    `Canonical: ${tools_url}/.well-known/security.txt`,
    ""
  ].join("\n"))

const row = ({ auth, description, inputSchema, name, title, ...tool }: Described): Html =>
  html`<section class="card stack tight" id="${name}"><h3>${title} <code>${name}</code></h3><p>${description}</p><p class="quiet">${
    callers[auth]
  }; ${priceText(tool)}${states[tool.status]}</p><details><summary>Arguments</summary><pre tabindex="0">${
    JSON.stringify(inputSchema, undefined, 2)
  }</pre></details></section>`

/** Wider than a form: it holds lines of code. */
const STYLE = ".plain>header,.plain>main{max-inline-size:46rem}.plain>main{margin-block-start:var(--space-5)}h3{margin:0;font-size:1rem}" +
  "code,pre{font:.875em/1.4 ui-monospace,monospace}" +
  "pre{margin:0;overflow:auto;padding:var(--space-3);border-radius:var(--radius);background:var(--line)}"

/** For people. It has no script. */
export const docs: Make = ({ site: { title, tools_url }, tools }) => {
  const { headers, text } = documentOf({
    title,
    language: { tag: "en", direction: "ltr" },
    brand: { name: title, color: null, logo_url: null },
    header: masthead({ name: title, color: null, logo_url: null }),
    isListed: true,
    style: STYLE,
    main: html`<div class="stack"><h1>${title}</h1><p>${DESCRIPTION}</p>
<p>Add <code>${tools_url}/mcp</code> to your client: <a href="${tools_url}/v1/install">how, for each client</a>. Agents read <a href="${tools_url}/for-agents">this page</a>; programs read <a href="${tools_url}/openapi.json">OpenAPI</a> and <a href="${tools_url}/v1/error-codes">the error codes</a>.</p>
${byCategory(tools).map(({ category, some }) => html`<h2>${category}</h2>${some.map(row)}`)}</div>`
  })
  return { text, contentType: "text/html; charset=utf-8", policy: headers["content-security-policy"] ?? "" }
}
