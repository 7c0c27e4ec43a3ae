/** The moves of a settlement, as data. */
import { machineOf } from "@svc/kernel/resource/state-machine"
import { SettlementStatus } from "./model.ts"

export const settlementMachine = machineOf("settlement", SettlementStatus, [
  { from: null, trigger: "create", to: "queued", when: "a payment is captured" },
  { from: null, trigger: "create", to: "completed", when: "the fee takes all of it" },
  { from: "queued", trigger: "shrink", to: "queued", when: "a refund takes part of it" },
  { from: "queued", trigger: "shrink", to: "completed", when: "refunds take all of it" },
  { from: "failed", trigger: "shrink", to: "failed", when: "a refund takes part of it" },
  { from: "failed", trigger: "shrink", to: "completed", when: "refunds take all of it" },
  { from: "queued", trigger: "process", to: "processing", when: "it is due" },
  { from: "processing", trigger: "confirm", to: "completed" },
  { from: "processing", trigger: "fail", to: "failed" },
  { from: "failed", trigger: "retry", to: "queued", when: "by itself after each of the first three failed attempts, or by a request" }
])
