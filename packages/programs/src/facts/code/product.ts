/** Calls by which a product measures, tries and writes to its users: events of analytics, switched features, mails. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Source } from "./language.ts"
import { literal, stringMember } from "./literals.ts"

const ANALYTICS_NAMES =
  "analytics|posthog|mixpanel|amplitude|segment|rudder\\w{0,20}|heap|umami|fathom|plausible|va|tracker|telemetry|dataLayer"
const ANALYTICS = new RegExp(`(?:^|[.>_])(?:${ANALYTICS_NAMES})\\)?$`, "iu")
/** Functions of these names track whatever object they belong to. */
const TRACKED = /^(?:gtag|plausible|trackEvent|track_event|captureEvent|sendGAEvent|sendGTMEvent)$/u
const TRACKING = /^(?:track|capture|logEvent|log_event|event|push|goal|record)$/u

const FLAGS = /(?:^|[.>_])(?:flags?|features?|featureflags?|unleash|growthbook|labs|toggles?|experiments?|flipper|posthog|ld|ldclient)$/iu
const FLAG = new RegExp(
  String.raw`^(?:useFeatureFlag\w*|isFeatureEnabled|getFeatureFlag|useFeatureIsOn|useFeatureValue|getFeatureValue|useExperiment` +
    "|(?:bool|string|json|number)?Variation|getExperiment|getTreatment|checkGate|useGate" +
    "|is_feature_enabled|feature_enabled|flag_is_active)$",
  "u"
)
const ASKED = /^(?:isEnabled|is_enabled|isOn|isSet|enabled\??|variation|feature_enabled)$/u

const SENT = /^(?:sendMail|send_mail|sendEmail|send_email|sendEmailWithTemplate|sendTemplateEmail|sendTemplate|EmailMessage)$/u
const MAILERS = /(?:^|[.>_])(?:emails|resend|postmark)$|mail(?:er|gun|jet|sender)?$/iu

const NAMES = new RegExp([TRACKED, TRACKING, FLAG, ASKED, SENT, /^send$/u].map(({ source }) => source).join("|"), "u")

const firstText = (call: Call): string | undefined => call.arguments.map((one) => literal(one)).find((one) => one !== undefined)

const memberOf = (call: Call, ...names: ReadonlyArray<string>): string | null =>
  call.arguments.flatMap((one) => names.flatMap((name) => stringMember(one, name) ?? []))[0] ?? null

/** `gtag("event", "sign_up")` names the event second. */
const eventOf = (call: Call): string | undefined => {
  if (call.name === "gtag") return literal(call.arguments[0]) === "event" ? literal(call.arguments[1]) : undefined
  return memberOf(call, "event") ?? (call.name === "push" ? undefined : firstText(call))
}

const isTracking = ({ name, object }: Call): boolean => TRACKED.test(name) || TRACKING.test(name) && ANALYTICS.test(object)
const isFlag = ({ name, object }: Call): boolean => FLAG.test(name) || ASKED.test(name) && FLAGS.test(object)
const isMail = ({ name, object }: Call): boolean => SENT.test(name) || name === "send" && MAILERS.test(object)

const named = (source: Source, kind: "tracking" | "flag", call: Call, name: string | undefined): ReadonlyArray<AnyFact> =>
  name === undefined || name === "" ? [] : [fact(kind, name, { call: clip(call.callee), within: call.within }, source.span(call))]

export const product = (source: Source): ReadonlyArray<AnyFact> =>
  source.callsWith("name", NAMES).flatMap((call) => {
    if (isTracking(call)) return named(source, "tracking", call, eventOf(call))
    if (isFlag(call)) return named(source, "flag", call, firstText(call))
    if (!isMail(call)) return []
    const title = memberOf(call, "subject", "Subject") ?? (call.name === "send_mail" ? firstText(call) ?? null : null)
    const template = memberOf(call, "template", "templateId", "template_id", "TemplateAlias")
    return [fact("mail", clip(call.callee), { title, template, within: call.within }, source.span(call))]
  })
