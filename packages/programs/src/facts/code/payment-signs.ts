/**
 * Signs of how code handles payments: names and whole strings of a table. Prose does not count, and code that nothing leads to neither, so
 * that who only writes the words shows no sign.
 */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Range, Source } from "./language.ts"
import { byFirstLetters, pattern } from "./pattern.ts"
import { reached } from "./reached.ts"
import { type Word, wordsAt, wordsOf } from "./words.ts"

/** `called`: arguments follow. `compared`: a comparison stands beside it. `named`: no string. `written`: a whole string. */
type Form = "called" | "compared" | "named" | "written" | "any"

export interface Sign {
  readonly name: string
  readonly form: Form
  /** On the name with its objects (`stripe.refunds.create`), or on the string without its quotes. */
  readonly pattern: RegExp
}

const LIMIT = pattern(
  String.raw`(?:^|[._])(?:\w{0,40}budget(?:_?(?:cents|limit|cap|left|remaining|amount|per_?\w{1,20}))?|`,
  String.raw`\w{0,40}spend(?:ing)?_?(?:limit|cap|max)\w{0,20}|max_?(?:amount|spend|total|price|charge|purchase|`,
  String.raw`order)\w{0,40}|\w{0,40}(?:daily|monthly|hourly|weekly|per_?call|per_?order|payment|amount|purchase|`,
  String.raw`order|transaction|checkout)_?(?:limit|cap|maximum|max)(?:_?cents)?)$`
)

/** In this order; a name may be a sign of several. */
export const signs = [
  {
    name: "payment call",
    form: "called",
    pattern: pattern(
      String.raw`(?:payment_?intents?|checkout(?:\.|::)sessions?|charges?|payment_?links?|payments(?:Api)?|`,
      String.raw`setup_?intents?)(?:\.|::|->)(?:create|new|capture|confirm|authorize|captures)\w{0,20}$|transaction(?:\.|`,
      String.raw`::)sale$`
    )
  },
  {
    name: "payment address",
    form: "written",
    pattern: /\/v\d{1,2}\/(?:payment_intents|checkout\/(?:sessions|orders)|charges|payments)(?:$|[/?`])/iu
  },
  {
    name: "signature header",
    form: "any",
    pattern: /^(?:http_)?[a-z0-9]{1,30}(?:[-_][a-z0-9]{1,30}){0,4}[-_](?:signature|transmission-sig)(?:[-_]\w{1,20})?$/iu
  },
  {
    name: "signature check",
    form: "called",
    pattern: pattern(
      String.raw`(?:construct_?event(?:_?async)?|timing_?safe_?equal|compare_digest|(?:^|\.)hmac\.equal|secure_compare|`,
      String.raw`hash_equals|constant_?time_?compare|fixed_?time_?equals|MessageDigest\.isEqual|`,
      String.raw`verify_?webhook_?signature|(?:^|\.)(?:wh|webhooks?|svix)\.(?:verify|unwrap))$`
    )
  },
  { name: "idempotency key", form: "any", pattern: /(?:^|[._])(?:x-|http_)?idempotency[-_]?key$|^(?:\w{1,30}\.)?idempotencykey$/iu },
  {
    name: "fresh key",
    form: "called",
    pattern: /(?:^|[.:])(?:randomUUID|uuid4|uuidv[47]|uuid\.(?:New|NewString|v4|v7)|new_v4|UUID\.randomUUID|nanoid)$/u
  },
  {
    name: "duplicate lookup",
    form: "called",
    pattern: /(?:already_?processed|is_?duplicate\w{0,20}|dedup\w{0,20}|(?:find|get|lookup|load)\w{0,20}by_?idempotency\w{0,20}|\.setnx)$/iu
  },
  {
    name: "refund call",
    form: "called",
    pattern: pattern(
      String.raw`(?:refunds?(?:\.|::|->)(?:create|new)\w{0,20}|(?:create|issue|process|request)_?refund\w{0,20}|(?:^|`,
      String.raw`[._:])refund_?(?:payment|order|charge|intent|transaction|purchase)\w{0,20}|(?:payments?|intents?|`,
      String.raw`transactions?|captures?)\.refund)$`
    )
  },
  { name: "refund address", form: "written", pattern: /\/refunds?(?:$|[/?`])/iu },
  {
    name: "cancel call",
    form: "called",
    pattern: pattern(
      String.raw`(?:(?:cancel|void)_?(?:payment|order|subscription|intent|authorization|checkout|purchase)\w{0,20}|`,
      String.raw`(?:payment_?intents?|subscriptions?|orders?|payments|intents?)(?:\.|::|->)(?:cancel|void)\w{0,20})$`
    )
  },
  { name: "cancel address", form: "written", pattern: /\/(?:void|cancel)(?:$|[/?`])/iu },
  {
    name: "credential header",
    form: "any",
    pattern: pattern(
      String.raw`^(?:authorization|x-api-key|http_authorization|www-authenticate)$|headers?\.authorization$|(?:^|`,
      String.raw`\.)(?:HTTPBearer|APIKeyHeader|OAuth2PasswordBearer)$`
    )
  },
  {
    name: "credential check",
    form: "named",
    pattern: pattern(
      String.raw`(?:jwt\.(?:verify|decode)|jwtVerify|(?:^|[._])verify_?(?:id_?token|token|api_?key|session|jwt|`,
      String.raw`bearer)\w{0,20}|passport\.authenticate|(?:^|[._])(?:require|ensure|check)_?(?:auth|login|logged_?in|`,
      String.raw`session|api_?key|user)\w{0,20}|login_required|bcrypt\.compare\w{0,10}|getServerSession|get_current_user|`,
      String.raw`ParseWithClaims|clerkMiddleware)$`
    )
  },
  { name: "spending limit", form: "any", pattern: new RegExp(`${LIMIT.source}|^x-agent-budget$`, "iu") },
  { name: "spending limit compared", form: "compared", pattern: LIMIT },
  {
    name: "mandate",
    form: "any",
    pattern: /(?:intent|cart|payment|checkout)_?mandates?$|^ap2\.mandates\.\w{1,40}$|^mandate\.(?:payment|checkout)(?:\.open)?\.\d$/iu
  },
  { name: "mandate check", form: "called", pattern: /(?:^|[._])(?:verify|validate|check)_?\w{0,20}mandates?$/iu },
  {
    name: "mandate proof",
    form: "any",
    pattern: /(?:^|[._])(?:cart_?hash|checkout_?hash|intent_?expiry|cart_?expiry|merchant_?authorization|user_?authorization)$/iu
  },
  {
    name: "strong authentication",
    form: "any",
    pattern: pattern(
      String.raw`(?:^|[._])(?:requires_action|authentication_required|handleNextAction|confirmCardPayment|`,
      String.raw`three_?d_?secure\w{0,20}|request_three_d_secure)$`
    )
  },
  {
    name: "address check",
    form: "any",
    pattern: /(?:^|[._])(?:address_line1_check|address_postal_code_check|avs_?(?:result|check|response)\w{0,10})$/iu
  },
  { name: "security code check", form: "any", pattern: /(?:^|[._])(?:cvc_check|cvv_?(?:result|check|response)\w{0,10}|cvc_?result)$/iu },
  {
    name: "delivery proof",
    form: "any",
    pattern: pattern(
      String.raw`(?:^|[._])(?:tracking_?number|proof_?of_?delivery|delivered_?at|access_?activity_?log|`,
      String.raw`shipping_?tracking_?number|carrier_?tracking\w{0,10})$`
    )
  },
  {
    name: "device or address of the buyer",
    form: "any",
    pattern: pattern(
      String.raw`(?:^|[._])(?:device_?(?:id|fingerprint)|(?:client|customer_?purchase|buyer)_?ip|ip_?address|`,
      String.raw`shipping_?address|customer_?email_?address|login_?id)$`
    )
  },
  {
    name: "customer messages",
    form: "any",
    pattern: /(?:^|[._])(?:customer_?communication\w{0,20}|support_?ticket\w{0,20}|customer_?messages?)$/iu
  },
  {
    name: "payment event",
    form: "written",
    pattern: pattern(
      String.raw`^(?:payment_intent|checkout\.session|charge|invoice|refund|customer\.subscription|PAYMENT\.CAPTURE|`,
      String.raw`CHECKOUT\.ORDER)\.[a-z_.]{3,40}$`
    )
  },
  {
    name: "discount",
    form: "named",
    pattern: pattern(
      String.raw`(?:^|[._])(?:\w{0,40}discounts?(?:_?\w{1,30})?|\w{0,30}coupons?|promo(?:tion)?_?codes?|counter_?offers?|`,
      String.raw`bulk_?prices?|tier(?:ed)?_?prices?)$`
    )
  },
  { name: "dispute event", form: "written", pattern: /^(?:charge\.)?dispute\.(?:created|updated|closed|opened|funds_withdrawn)$/iu }
] as const satisfies ReadonlyArray<Sign>

export type SignName = typeof signs[number]["name"]

/** Most names and strings hold none of these words, and are looked at no further. */
const WORDS = pattern(
  String.raw`idempoten|uuid|nanoid|new_v4|processed|duplicate|dedup|setnx|signature|transmission-sig|`,
  String.raw`construct_?event|safe_?equal|compare_digest|hmac\.equal|secure_?compare|hash_equals|time_?compare|`,
  String.raw`time_?equals|isequal|webhook|svix|refund|void|cancel|authoriz|api-?key|bearer|jwt|verify|passport|`,
  String.raw`require_?auth|require_?login|login_required|ensure|bcrypt|session|current_user|clerk|claims|budget|`,
  String.raw`spend|max_?[a-z]|limit|cap\b|maximum|mandate|hash|expiry|payment|checkout|charge|setup_?intent|`,
  String.raw`transaction|requires_action|three_?d|avs|cv[cv]_|tracking|delivery|delivered|activity|device|ip\b|`,
  String.raw`ipaddress|ip_address|shipping|login_?id|communication|ticket|dispute|invoice|customer|discount|coupon|`,
  String.raw`promo|counter_?offer|price`
)
/** The same in small letters: without a case to ignore, a text is searched in half the time. */
const SMALL_WORDS = new RegExp(byFirstLetters(WORDS.source.split("|"), 2), "gu")
/** What matches none of the patterns is matched against one. */
const ANY_SIGN = new RegExp(signs.map(({ pattern }) => `(?:${pattern.source})`).join("|"), "iu")

/** Where the words stand in a text; all of it where a small letter does not stand where the letter does that it is made of. */
const wordsIn = ({ small, text }: Source): ReadonlyArray<Range> => {
  if (small.length !== text.length) return [{ start: 0, end: text.length }]
  return Array.from(small.matchAll(SMALL_WORDS), ({ 0: word, index }) => ({ start: index, end: index + word.length }))
}

const MOST_TEXT = 120
/** Places of one sign in one file. */
const MOST = 12

interface Token extends Word {
  /** Without quotes. */
  readonly text: string
}

const QUOTES = /^(?:"""|'''|["'`])|(?:"""|'''|["'`])$/gu

/** Names and whole strings, without comments, that may be signs. Strings with blanks are prose, and are passed over. */
const tokensOf = ({ commented, text }: Source, words: ReadonlyArray<Word>): ReadonlyArray<Token> =>
  words.flatMap((word) => {
    if (commented(word.start)) return []
    const written = text.slice(word.start, word.end)
    const content = word.isString ? written.replace(QUOTES, "") : written
    const isProse = content.length > MOST_TEXT || word.isString && /\s/u.test(content)
    return isProse ? [] : [{ ...word, text: content }]
  })

/** The signs that a name or a string may be. */
const signsOf = (text: string): ReadonlyArray<Sign & { readonly name: SignName }> =>
  ANY_SIGN.test(text) && WORDS.test(text) ? signs.filter(({ pattern }) => pattern.test(text)) : []

const COMPARED_AFTER = /^\)*\s{1,9}[<>]=?\s/u
const COMPARED_BEFORE = /\s[<>]=?\s{1,9}(?:[\w$.]{1,40}\()?$/u

const hasForm = (form: Form, { end, isString, start }: Token, text: string): boolean => {
  switch (form) {
    case "any":
      return true
    case "written":
      return isString
    case "named":
      return !isString
    case "called":
      return !isString && /^\s{0,3}(?:<[^<>()]{0,80}>)?[(!]/u.test(text.slice(end, end + 90)) &&
        !/\b(?:function\*?|def|func|fn|fun)\s{1,9}(?:\([^()]{0,80}\)\s{0,9})?$/u.test(text.slice(Math.max(0, start - 100), start))
    case "compared":
      return !isString &&
        (COMPARED_AFTER.test(text.slice(end, end + 20)) || COMPARED_BEFORE.test(text.slice(Math.max(0, start - 60), start)))
  }
}

export const paymentSigns = (source: Source): ReadonlyArray<AnyFact> => {
  const { text } = source
  const ranges = wordsIn(source)
  if (ranges.length === 0) return []
  const words = wordsOf(text)
  // Names repeat within a file.
  const signsByText = new Map<string, ReadonlyArray<Sign & { readonly name: SignName }>>()
  const found = tokensOf(source, wordsAt(words, ranges)).flatMap((token) => {
    const known = signsByText.get(token.text) ?? signsOf(token.text)
    signsByText.set(token.text, known)
    return known.filter(({ form }) => hasForm(form, token, text)).map(({ name }) => ({ name, token }))
  })
  if (found.length === 0) return []
  const isReached = reached(source, words)
  const live = Map.groupBy(found.filter(({ token }) => isReached(token.start)), ({ name }) => name)
  return Array.from(live.values()).flatMap((places) =>
    places.slice(0, MOST).map(({ name, token: { end, start, text } }) =>
      fact("payment-sign", name, { text: clip(text), within: source.around(start)?.name ?? null }, source.span({ start, end }))
    )
  )
}
