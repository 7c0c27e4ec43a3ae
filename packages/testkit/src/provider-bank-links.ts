/**
 * The bank links of the test provider: what is begun, exchanged and given, each once a key. A link is of one public token; another one of
 * it was used already.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import {
  type BankLinkOperation,
  BeginCall,
  ExchangeCall,
  LinkTokenOfCall,
  paths,
  ProcessorTokenCall
} from "@svc/treasury/bank-links/provider/remote-protocol"
import { beginLink, exchangeToken, linkTokenOf, processorTokenOf } from "@svc/treasury/bank-links/provider/simulator"
import { Schema } from "effect"

/** What the provider has done. */
export interface BankLinkReport {
  /** Calls that act, repetitions included. */
  readonly calls: number
  /** Calls that linked an account or gave a token; at most one a key. */
  readonly effects: number
  readonly items: ReadonlyArray<string>
}

export const bankLinkOperations: ReadonlyArray<BankLinkOperation> = ["begin", "link_token_of", "exchange", "processor_token"]
export const bankLinkOperationAt: ReadonlyMap<string, BankLinkOperation> = new Map(
  bankLinkOperations.map((operation) => [paths[operation], operation])
)

const fromJson = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => Schema.decodeUnknownSync(fromJsonText(schema))
const readBegin = fromJson(BeginCall)
const readLinkTokenOf = fromJson(LinkTokenOfCall)
const readExchange = fromJson(ExchangeCall)
const readProcessorToken = fromJson(ProcessorTokenCall)

/** Empty books of bank links. */
export const makeBankLinks = () => {
  const answers = new Map<string, { readonly said: string; readonly answer: object }>()
  /** The items, by the link token that they came about with. */
  const items = new Map<string, string>()
  let calls = 0

  /** The answer of this call, the same for each repetition; undefined where the key belongs to another call. */
  const once = (operation: BankLinkOperation, key: string, said: string, act: () => object): object | undefined => {
    calls += 1
    const known = answers.get(`${operation} ${key}`)
    if (known !== undefined) return known.said === said ? known.answer : undefined
    const answer = act()
    answers.set(`${operation} ${key}`, { said, answer })
    return answer
  }

  const exchange = (public_token: string) => {
    const answer = exchangeToken(public_token)
    const link_token = linkTokenOf(public_token) ?? ""
    if (answer._tag === "Refused") return answer
    if (items.has(link_token)) return { _tag: "Refused", reason: "already_used" }
    items.set(link_token, answer.item_id)
    return answer
  }

  return {
    /** Undefined where the key belongs to another call. */
    perform: (operation: BankLinkOperation, text: string): object | undefined => {
      switch (operation) {
        case "begin": {
          const { account, key } = readBegin(text)
          return once(operation, key, account, () => beginLink(key))
        }
        case "link_token_of":
          return { link_token: linkTokenOf(readLinkTokenOf(text).public_token) }
        case "exchange": {
          const { key, public_token } = readExchange(text)
          return once(operation, key, public_token, () => exchange(public_token))
        }
        case "processor_token": {
          const { bank_account_id, item_id, key } = readProcessorToken(text)
          return once(operation, key, `${item_id} ${bank_account_id}`, () => ({ processor_token: processorTokenOf(key, bank_account_id) }))
        }
      }
    },
    report: (): BankLinkReport => ({ calls, effects: answers.size, items: Array.from(items.values()) })
  }
}
