export interface ToolCallTexts {
  readonly title: string
  readonly one: string
  readonly month: string
  readonly since: string
  readonly calls: string
  readonly charged: string
  readonly free: string
  readonly tool: string
  readonly recent: string
  readonly none: string
  readonly noneNote: string
  readonly at: string
  readonly price: string
  readonly paidBy: string
  readonly state: string
  readonly agent: string
  readonly noAgent: string
  readonly older: string
  readonly sequence: string
  readonly caller: string
  readonly server: string
  readonly rail: string
  readonly call: (tool: string) => string
  readonly challenge: (price: string) => string
  readonly accepts: (methods: string) => string
  readonly pays: (method: string) => string
  readonly runs: string
  readonly takes: (amount: string) => string
  readonly waits: string
  readonly letsGo: string
  readonly answers: (receipt: string) => string
  readonly fails: (error: string) => string
  readonly credits: (price: string) => string
  readonly facts: string
  readonly steps: string
  readonly step: string
  readonly from: string
  readonly to: string
  readonly arguments: string
  readonly result: string
  readonly receipt: string
  readonly error: string
  readonly mode: string
  readonly testMoney: string
  readonly paidTo: string
  readonly finished: string
  readonly headers: string
}
