/**
 * Whether a page has content as it was served. One that shows its content by scripts only, or behind a wall, answers with status 200 and a
 * few words, which nobody wants to pay for.
 */

export type Obstacle = "javascript_required" | "content_blocked" | "no_content"

/** Characters of visible text. An article has more than `SHORT`; what asks for something first has less than `WALL`. */
const NEXT_TO_NONE = 80
const SHORT = 400
const WALL = 1500

/** What a browser shows nothing of. */
export const UNSEEN = "script, style, noscript, template, iframe, object, embed, svg, canvas, link, meta, title"

/** What a page says to browsers with scripts and without. Read before these elements are removed. */
export interface Scripts {
  /** Whether scripts run; data is none. */
  readonly run: boolean
  /** What is shown where none do. */
  readonly instead: string
}

export const scriptsOf = (document: Document): Scripts => ({
  run: Array.from(document.querySelectorAll("script")).some((script) => !/json|template/iu.test(script.getAttribute("type") ?? "")),
  instead: Array.from(document.querySelectorAll("noscript"), ({ textContent }) => textContent ?? "").join(" ")
})

/** Where frameworks put the page that their scripts make. */
const hasEmptyMount = (document: Document): boolean =>
  Array.from(document.querySelectorAll("#root, #app, #__next, #__nuxt, app-root, [data-reactroot], [ng-app]"))
    .some((element) => (element.textContent ?? "").trim() === "")

const anyOf = (...patterns: ReadonlyArray<string>): RegExp => new RegExp(patterns.join("|"), "iu")

const ASKS_FOR_SCRIPTS = anyOf(
  "(?:enable|requires?|turn on|activate|activez|activer|activa) javascript",
  "javascript (?:is (?:required|disabled|not enabled)|must be enabled|to (?:run|use|view) this)",
  "javascript (?:aktivieren|einschalten)",
  "javascript\\s*を有効"
)
const ASKS_FOR_PROOF = anyOf(
  "verify(?:ing)? (?:that )?you are (?:a )?human",
  "are you a robot",
  "checking (?:your browser|if the site connection is secure)",
  "just a moment",
  "unusual traffic",
  "complete the captcha",
  "access (?:to this page has been )?denied",
  "attention required"
)
const ASKS_FOR_LOGIN = anyOf(
  "(?:log|sign) ?in (?:to (?:continue|read|view|see|your)|or (?:register|sign up))",
  "please (?:log|sign) ?in",
  "(?:subscribe|register) to (?:continue|read)",
  "members only",
  "anmelden, um",
  "connectez-vous pour",
  "ログインして"
)
const OF_CONSENT = /cookie|consent|privacy|partner|personal data|tracking|datenschutz|einwillig|vie privée|traceur|クッキー|同意/iu

/** Whether most of the text speaks of consent, and something can be pressed to give it. */
const isConsentWall = (document: Document, text: string): boolean => {
  if (document.querySelector("button, form, [role=button], [role=dialog]") === null) return false
  const sentences = text.split(/(?<=[.!?。])\s*/u)
  const ofConsent = sentences.filter((sentence) => OF_CONSENT.test(sentence)).join("")
  return ofConsent.length * 2 > text.length
}

/** What the page has instead of content. Its unseen elements are removed already. */
export const obstacleOf = (document: Document, scripts: Scripts): Obstacle | undefined => {
  const text = (document.body.textContent ?? "").replace(/\s+/gu, " ").trim()
  if (text.length >= WALL) return undefined
  if (ASKS_FOR_PROOF.test(`${document.title} ${text}`.slice(0, SHORT)) || isConsentWall(document, text)) return "content_blocked"
  if (text.length >= SHORT) return undefined
  if (scripts.run && (text.length < NEXT_TO_NONE || hasEmptyMount(document) || ASKS_FOR_SCRIPTS.test(scripts.instead))) {
    return "javascript_required"
  }
  if (ASKS_FOR_SCRIPTS.test(text)) return "javascript_required"
  if (document.querySelector("input[type=password]") !== null || ASKS_FOR_LOGIN.test(text)) return "content_blocked"
  return text === "" ? "no_content" : undefined
}
