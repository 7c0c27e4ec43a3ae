/** Which names say that a secret follows, and which values are one: the others are facts of a project, and stay. */

const BORDER = /[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/u

/** The words of a name with a line between them: `dbPassword`, `DB_PASSWORD` and `db-password` are `_db_password_`. */
export const wordsOf = (name: string): string => `_${name.split(BORDER).filter((word) => word !== "").join("_").toLowerCase()}_`

const KEYS = "(?:api|private|access|signing|encryption|master)_?key"
const SECRET = new RegExp(`(?:password|passwd|passphrase|pwd|secret|token|requirepass|${KEYS})s?_|_(?:master)?auth_|_pass_$`, "u")

/** What such a name ends in when its value tells where or how long, and is no secret. */
const ABOUT = new RegExp(
  `_(?:${
    ("algorithm attempts audience backend class column cookie count days description dir domain enabled " +
      "endpoint env error expires expiry field file format header help hint hours id issuer kind label " +
      "length limit location max message method min minutes mode name path pattern placeholder policy port " +
      "provider ref regex required role route schema scope seconds size strategy text title ttl type uri " +
      "url user username variable version").replaceAll(" ", "|")
  })_$`,
  "u"
)

export const namesSecret = (words: string): boolean => SECRET.test(words) && !ABOUT.test(words)

/** Tokens of a language model, not of a door. */
const COUNTED = /_(?:tokens|max|min|num|total|count|limit|budget|per|used|input|output|prompt|completion|window|usage|cost|price)_/u

const TYPES = "any|boolean|bool|bytes|float|int|integer|null|nil|none|number|object|optional|str|string|strings|text|undefined|unknown|void"
const SETTINGS =
  "always|auto|basic|bearer|cookie|default|digest|disabled|enabled|env|false|hidden|inherit|jwt|md5|never|no|oauth|oauth2|off|on|plain|" +
  "password|read|required|scram-sha-256|secret|session|token|true|trust|write|yes"
const PLACEHOLDERS = "change[-_]?(?:me|it|this)\\w{0,8}|dummy|example|fixme|foo|bar|placeholder|redacted|sample|tbd|test|todo|" +
  "x{3,200}|\\*{1,200}|[.…]{1,8}|9{6,200}"
const plainWord = new RegExp(`^(?:${TYPES}|${SETTINGS}|${PLACEHOLDERS})$`, "iu")

/** Patterns of values that are none, each bounded by the value that it is tried on. */
const OTHERS: ReadonlyArray<RegExp> = [
  // Instead of a value.
  /^(?:your|replace|insert|enter|change|example|placeholder)(?:[-_]|$)/iu,
  // References.
  /\$\{|\{\{|<%|^\$[A-Za-z_({]|^%[A-Za-z_]{1,80}%$|^\{[^}]{0,200}\}$|^<[^>]{0,200}>$|^%[sdv]$|^\[[^\]]{0,200}\]$/u,
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env\.|secrets\.|vars?\.|local\.|data\.|module\.|vault:|ssm:|arn:|op:\/\/)/u,
  // Masked by its form, of which the beginning stays.
  /^[\w.:-]{2,24}\*{14,500}$/u,
  // The name of a variable or of a header.
  /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){0,8}_?(?:KEY|TOKEN|SECRET|PASSWORD|PWD|AUTH)$/u,
  /^(?:Authorization|[Xx]-[A-Za-z]{1,30}(?:-[A-Za-z]{1,30}){0,4})$/u,
  // Calls, versions, times, colours.
  /^[A-Za-z_][\w.]{0,80}\([^)]{0,200}\)?$/u,
  /^(?:workspace:|npm:|catalog:|file:|link:|latest$)|^[\^~<>=v]{0,2}\d{1,6}\.\d{1,6}(?:\.|$)/u,
  /^\d{1,6}(?:ms|s|m|h|d|w|min|hours?|days?|weeks?)$/u,
  /^#[0-9A-Fa-f]{3,8}$/u,
  // Places of files and pages. A password in a URL is masked by its form.
  /^(?:https?|wss?):\/\/|^(?:\.{1,2}|~)\/|^\/[a-z]|^@[a-z][\w-]{0,40}\//u,
  /^[\w/.-]{1,200}\.(?:[cm]?[jt]sx?|json|ya?ml|py|go|pem|key|crt|txt)$/u
]

const squashed = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/gu, "").toLowerCase()

const LONGEST_LABEL = 100

/** A label says again what the name says, or is a word that people read. */
const isLabel = (name: string, words: string, value: string): boolean => {
  if (value.length > LONGEST_LABEL) return false
  const said = squashed(value)
  if (said !== "" && (said === squashed(name) || SECRET.test(wordsOf(value)) && squashed(words).includes(said))) return true
  return name !== name.toUpperCase() && (/^\p{Lu}\p{Ll}{1,40}[?!.:…]?$/u.test(value) || /[^\u0000-\u007f]/u.test(value))
}

/** Without a value of this many digits a number is a port, a length or a year. */
const DIGITS = 6

/** Whether the value after a name is a secret that somebody wrote down. A name in capitals is that of a variable, and has no label. */
export const isSecretValue = (name: string, value: string): boolean => {
  const words = wordsOf(name)
  if (value.length < 3 || plainWord.test(value)) return false
  if (/^[\d.,_-]{1,200}$/u.test(value) && (squashed(value).length < DIGITS || COUNTED.test(words))) return false
  return !OTHERS.some((other) => other.test(value)) && !isLabel(name, words, value)
}
