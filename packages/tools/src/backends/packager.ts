/** Bundles of stored snapshots: one program runs again, with the caller's words, and its artifacts stay with the snapshot. */
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { flatLine } from "@svc/kernel/values/text"
import type { MakeOptions } from "@svc/programs/confined/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { InvalidPath, Unreadable } from "@svc/tool-kit/services/errors"
import { type Artifact, type Bundle, type CloseRequest, Packager } from "@svc/tool-kit/services/snapshots"
import { Effect, Layer } from "effect"
import { notConfigured } from "./confinement.ts"
import { makeSnapshotPrograms } from "./snapshot-programs.ts"
import { storeBusy } from "./store-busy.ts"

/** Each program, and the artifact of it that says what the project lacks. */
const REPORTS = { closer: "packaging-report.md", deploy: "deploy/deploy-qualification-report.md" } as const
type PackagingProgram = keyof typeof REPORTS

/** Programs that are sold by themselves, whatever the analysis was. */
export const packagingPrograms: ReadonlySet<string> = new Set(Object.keys(REPORTS))

type Packaging = NonNullable<MakeOptions["description"]["packaging"]>

const qualificationOf = (program: PackagingProgram, artifacts: ReadonlyArray<Artifact>): string => {
  const empty = artifacts.flatMap(({ evidence, path }) => evidence === "none" ? [path] : [])
  const without = empty.length === 0 ? "" : ` The source has nothing for ${empty.join(", ")}.`
  return `${artifacts.length - empty.length} of ${artifacts.length} artifacts cite the source.${without} ${
    REPORTS[program]
  } says what is there for each target, and what lacks.`
}

/** A folder of the snapshot as its paths begin, which is never with a slash or `..`; empty for its root. */
const folderOf = Effect.fnUntraced(function*(given: string, paths: ReadonlyArray<string>) {
  const folder = given.split("/").filter((part, at) => part !== "." && (part !== "" || at === 0)).join("/")
  return folder === "" || paths.some((path) => path.startsWith(`${folder}/`))
    ? folder
    : yield* new InvalidPath({
      message: "project_root: no file of the snapshot lies in such a folder. Name one from the root, as paths of files begin."
    })
})

const packagingOf = Effect.fnUntraced(function*(request: CloseRequest, paths: ReadonlyArray<string>) {
  const { product_name, project_root, tagline, target_marketplaces } = request
  const folder = project_root === undefined ? "" : yield* folderOf(project_root, paths)
  // No card number is kept, whoever wrote it where, and no break of lines.
  const said = (text: string): string => redactCardNumbers(flatLine(text))
  return {
    ...(folder === "" ? {} : { project_root: folder }),
    ...(product_name === undefined ? {} : { product_name: said(product_name) }),
    ...(tagline === undefined ? {} : { tagline: said(tagline) }),
    ...(target_marketplaces === undefined ? {} : { target_marketplaces: target_marketplaces.map(said) })
  } satisfies Packaging
})

const make = Effect.gen(function*() {
  const store = yield* SnapshotStore
  const programs = yield* makeSnapshotPrograms

  const contentOf = Effect.fnUntraced(function*(account: string, id: string) {
    // A snapshot that belongs to nobody has no bundles that somebody paid for.
    yield* store.findOwn(account, id)
    const content = yield* Effect.catchTag(store.content(account, id), "StoreBusy", (error) => Effect.fail(storeBusy(error)))
    if (content.status === "completed") return { ...content, snapshot_id: id }
    return yield* new Unreadable({ message: `The analysis of this snapshot is ${content.status}. Package one that is completed.` })
  })

  /** All artifacts of the program, also where the analysis was free: the call pays for them. */
  const packaged = Effect.fnUntraced(
    function*(program: PackagingProgram, content: Effect.Success<ReturnType<typeof contentOf>>, packaging: Packaging = {}) {
      const { account, description, files, snapshot_id } = content
      const artifacts = yield* programs.remake(files, {
        account,
        confinedAs: account,
        snapshot_id,
        description: { ...description, packaging },
        make: "all",
        programs: [program]
      })
      return { snapshot_id, artifacts, qualification: qualificationOf(program, artifacts) } satisfies Bundle
    }
  )

  const close = Effect.fnUntraced(function*(request: CloseRequest, call: Call) {
    const content = yield* contentOf(accountOf(call).id, request.snapshot_id)
    const packaging = yield* packagingOf(request, content.files.map(({ path }) => path))
    return yield* packaged("closer", content, packaging)
  })

  const deploy = Effect.fnUntraced(function*(id: string, call: Call) {
    return yield* packaged("deploy", yield* contentOf(accountOf(call).id, id))
  })

  return Packager.of({ get: Effect.as(Effect.mapError(programs.analysis.wall, notConfigured), { close, deploy }) })
})

export const layer = Layer.effect(Packager, make)
