/** The merchant's answer to a dispute: evidence, or to let the customer have the money. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { Effect } from "effect"
import { Files } from "../../files/service.ts"
import type { AcceptDisputeRequest, AddEvidenceRequest, Dispute, Evidence, SubmitEvidenceRequest } from "../model.ts"
import * as network from "../provider/network.ts"
import { makeDisputeRoad } from "../road.ts"
import * as rules from "../rules.ts"

type DisputeWork<Payload> = Work<AccountFacts, Dispute, Payload>

const noSuchFile = (id: string) =>
  new ValidationError({
    code: "files",
    message: `files: this account has no file ${id}. Upload it with POST /v1/files and name the id of the answer.`
  })

export const makeEvidenceVerbs = Effect.gen(function*() {
  const files = yield* Files
  const road = yield* makeDisputeRoad

  /** The evidence of a request. Fails where one of its files is not the account's. */
  const evidenceOf = Effect.fnUntraced(function*({ account, payload }: DisputeWork<AddEvidenceRequest>) {
    const evidence = rules.evidenceOf(payload)
    const ownFiles = new Set((yield* files.those(account.id, evidence.files ?? [])).map(({ id }) => id))
    const missing = evidence.files?.find((file) => !ownFiles.has(file))
    return missing === undefined ? evidence : yield* noSuchFile(missing)
  })

  return {
    addEvidence: Effect.fnUntraced(function*(work: DisputeWork<AddEvidenceRequest>) {
      return yield* road.answer(work, yield* Effect.fromResult(rules.addEvidence(work.resource, yield* evidenceOf(work), work.at)))
    }),

    submit: Effect.fnUntraced(function*(work: DisputeWork<SubmitEvidenceRequest>) {
      const { account, at, resource } = work
      const decidedAt = (evidence: Evidence) => account.sandbox ? network.decidedAt(at, evidence) : undefined
      return yield* road.answer(work, yield* Effect.fromResult(rules.submit(resource, yield* evidenceOf(work), at, decidedAt)))
    }),

    accept: Effect.fnUntraced(function*(work: DisputeWork<AcceptDisputeRequest>) {
      return yield* road.answer(work, yield* Effect.fromResult(rules.accept(work.resource, work.at)))
    })
  }
})
