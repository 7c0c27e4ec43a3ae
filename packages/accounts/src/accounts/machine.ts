/** The moves of an account, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type AccountStatus, accountStatuses, type AccountTrigger } from "./model.ts"

export const accountMachine: StateMachine<AccountStatus, AccountTrigger> = {
  name: "account",
  states: accountStatuses,
  terminal: ["closed"],
  transitions: [
    { from: null, trigger: "create", to: "active" },
    { from: null, trigger: "create", to: "pending", when: "the operator asks to check it first" },
    { from: "pending", trigger: "activate", to: "active" },
    { from: "active", trigger: "suspend", to: "suspended" },
    { from: "suspended", trigger: "reactivate", to: "active" },
    { from: "pending", trigger: "close", to: "closed", when: "nothing stands against it" },
    { from: "active", trigger: "close", to: "closed", when: "all balances are zero and nothing else stands against it" },
    { from: "suspended", trigger: "close", to: "closed", when: "all balances are zero and nothing else stands against it" }
  ]
}
