/** Text of every field of every resource, stored by whoever: no page of the desk makes markup of it. */
import { assert, layer } from "@effect/vitest"
import { defaultLocale } from "@svc/design/locale"
import { endpointOf } from "@svc/desk/api/endpoints"
import { actionView } from "@svc/desk/pages/action"
import { detailView } from "@svc/desk/pages/detail"
import { listView } from "@svc/desk/pages/list"
import type { Visit } from "@svc/desk/pages/visit"
import { views } from "@svc/desk/views/all"
import { Effect } from "effect"
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5"
import type { Row } from "../contract/positions.ts"
import { makeResources } from "../contract/resources.ts"
import { layer as service } from "../contract/service.ts"

type Node = DefaultTreeAdapterTypes.Node

const MARK = "planted"
const PAYLOADS = [
  `"><img src=x onerror=${MARK}()>`,
  `</textarea></pre></script><script>${MARK}()</script>`,
  `javascript:${MARK}()`,
  `' onfocus='${MARK}()' autofocus='`
]

/** What the account cannot choose: ids, times, codes of a fixed form. */
const FIXED = /^(?:[a-z]{2,10}_[0-9A-Z]{26}|\d{4}-\d{2}-\d{2}T[\d:.]+Z|[A-Z]{3}|[0-9a-f]{64})$/u

const poisoned = (value: unknown, payload: string): unknown => {
  if (typeof value === "string") return FIXED.test(value) ? value : payload
  if (Array.isArray(value)) return value.map((one) => poisoned(one, payload))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner, payload)]))
}

/** Elements and attributes that came of a payload. */
const planted = (node: Node): ReadonlyArray<string> => {
  const own = "attrs" in node
    ? node.attrs.flatMap(({ name, value }) =>
      name.startsWith("on") || name === "autofocus" ||
        (["href", "src", "action", "formaction"].includes(name) && /^\s*javascript:/iu.test(value))
        ? [`${node.tagName} ${name}=${value}`]
        : []
    )
    : []
  const isScript = node.nodeName === "script" || node.nodeName === "img"
  const children = "childNodes" in node ? node.childNodes.flatMap(planted) : []
  return [...own, ...isScript ? [node.nodeName] : [], ...children]
}

const visitOf = (account: string): Visit => ({
  person: {
    id: "usr_1",
    role: "owner",
    session_id: "ses_1",
    confirmed_at: 0,
    account: null,
    clocked: false,
    scopes: new Set()
  },
  name: PAYLOADS[0] ?? "",
  account_name: account,
  form_token: "token",
  public_url: "https://svc.test",
  pageLocale: defaultLocale
})

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("text that others wrote", (it) => {
  it.effect("is text on each list, detail and form", () =>
    Effect.gen(function*() {
      const { made } = yield* makeResources("desk-scripts")
      let seen = 0
      for (const payload of PAYLOADS) {
        const visit = visitOf(payload)
        for (const view of views) {
          const row: Row | undefined = made.get(endpointOf(view, view.list).path)?.row
          if (row === undefined) continue
          const resource = { ...row, ...Object(poisoned(row, payload)) }
          const forms = view.actions.map((action) =>
            actionView({
              visit,
              view,
              action,
              resource,
              idempotency_key: "key",
              known: { scopes: [], tools: [], event_types: [] },
              offers: Object.fromEntries(action.asks.map(({ field }) => [field, [{ value: payload, label: payload }]])),
              sent: Object.fromEntries(action.asks.map(({ field }) => [field, payload]))
            })
          )
          const pages = [
            listView(visit, view, {
              rows: [resource],
              has_more: true,
              asked: Object.fromEntries(view.filters.map((name) => [name, payload]))
            }),
            detailView(visit, view, resource),
            ...forms
          ]
          for (const { text } of pages) {
            if (text.includes(MARK)) seen++
            assert.deepStrictEqual(planted(parseFragment(text)), [], `${view.name}: ${payload}`)
          }
        }
      }
      assert.isAbove(seen, views.length)
    }), 180_000)
})
