/** A repository of GitHub as a tarball on the disk of this machine, until the scope ends. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { StreamedBytes } from "@svc/confined/model"
import type { EgressError } from "@svc/kernel/egress/model"
import type { WebAnswer, WebEgress } from "@svc/kernel/egress/web"
import { type Context, Data, Effect, FileSystem, Redacted, Result, Stream } from "effect"
import { MIB } from "./refusal.ts"

const MOST_BYTES = 50 * MIB
const TIMEOUT = "60 seconds"

/** The URL names no repository of GitHub. */
export class RepositoryUrlInvalid extends Data.TaggedError("RepositoryUrlInvalid")<{ readonly message: string }> {}

/**
 * The tarball did not come. `missing`: there is no such repository, or the token may not read it. `unauthorized`: the token is no current
 * one.
 */
export class RepositoryNotFetched extends Data.TaggedError("RepositoryNotFetched")<{
  readonly reason: "missing" | "unauthorized" | "limited" | "failed"
  readonly message: string
  readonly retryable: boolean
}> {}

export interface Repository {
  readonly owner: string
  readonly name: string
  /** Branch, tag or commit; the default branch where it is undefined. */
  readonly ref: string | undefined
}

/** Where GitHub is: its pages, as URLs of repositories begin, and its API. Without a slash at the end. */
export interface GithubServer {
  readonly url: string
  readonly apiUrl: string
}

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/u
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/u
/** What `git check-ref-format` allows and needs no other encoding in a URL. */
const REF = /^[A-Za-z0-9_][A-Za-z0-9._+@/-]{0,254}$/u
const NO_REF = /\.\.|\/\/|\.lock$/u

export const repositoryOf = ({ url: server }: Pick<GithubServer, "url">, url: string): Result.Result<Repository, RepositoryUrlInvalid> => {
  const { host } = new URL(server)
  const parsed = URL.parse(url)
  const [owner = "", file = "", tree, ...rest] = (parsed?.pathname ?? "").replace(/\/$/u, "").slice(1).split("/")
  const name = file.replace(/\.git$/u, "")
  const ref = tree === undefined ? undefined : Result.getOrElse(Result.try(() => decodeURIComponent(rest.join("/"))), () => "")
  const isRepository = parsed?.host === host && OWNER.test(owner) && NAME.test(name) && parsed.search === "" &&
    (ref === undefined || (tree === "tree" && REF.test(ref) && !NO_REF.test(ref)))
  return isRepository
    ? Result.succeed({ owner, name, ref })
    : Result.fail(new RepositoryUrlInvalid({ message: `It must be ${server}/owner/name, or ${server}/owner/name/tree/branch.` }))
}

const ofEgress = ({ message, reason }: EgressError): RepositoryNotFetched =>
  new RepositoryNotFetched({
    reason: "failed",
    message: reason === "response_too_large" ? `The tarball is larger than ${MOST_BYTES / MIB} MiB.` : `${message}.`,
    retryable: reason === "connection" || reason === "timeout"
  })

const ofStatus = ({ headers, status }: WebAnswer, { name, owner, ref }: Repository): RepositoryNotFetched => {
  const failed = (reason: RepositoryNotFetched["reason"], message: string, retryable = false) =>
    new RepositoryNotFetched({ reason, message, retryable })
  const isLimited = status === 429 || (status === 403 && headers["x-ratelimit-remaining"] === "0")
  if (isLimited) return failed("limited", "GitHub takes no more requests of this server, or of the token, for a while.", true)
  if (status === 401) return failed("unauthorized", "GitHub refuses the token that is stored.")
  if (status === 404) return failed("missing", `GitHub shows no repository ${owner}/${name}${ref === undefined ? "" : ` with ${ref}`}.`)
  return failed("failed", `GitHub answers with status ${status}.`, status >= 500)
}

export const makeRepositories = Effect.fnUntraced(
  function*(server: GithubServer, web: Context.Service.Shape<typeof WebEgress>, agent: string) {
    const fs = yield* FileSystem.FileSystem

    /** The token is sent to the API of GitHub alone. */
    const fetch = Effect.fnUntraced(
      function*(repository: Repository, token: Redacted.Redacted<string> | undefined) {
        const { name, owner, ref } = repository
        const path = `${yield* fs.makeTempDirectoryScoped({ prefix: "svc-repository-" })}/tarball`
        const request = {
          url: `${server.apiUrl}/repos/${owner}/${name}/tarball${ref === undefined ? "" : `/${ref}`}`,
          headers: { "user-agent": agent, accept: "application/vnd.github+json" },
          ...(token === undefined ? {} : { authorization: `Bearer ${Redacted.value(token)}` }),
          timeout: TIMEOUT,
          maxBytes: MOST_BYTES
        } as const
        yield* web.read(
          request,
          (answer): Effect.Effect<void, EgressError | RepositoryNotFetched> =>
            answer.status === 200
              ? Stream.run(answer.body, fs.sink(path)).pipe(Effect.catchTag("PlatformError", noRoom))
              : Effect.fail(ofStatus(answer, repository))
        )
        const { size } = yield* fs.stat(path)
        return { size: Number(size), stream: Stream.orDie(fs.stream(path)) } satisfies StreamedBytes
      },
      Effect.catchTags({ EgressError: (error) => Effect.fail(ofEgress(error)), PlatformError: () => noRoom() })
    )
    return { fetch }
  },
  Effect.provide(NodeFileSystem.layer)
)

const noRoom = () =>
  Effect.fail(
    new RepositoryNotFetched({ reason: "failed", message: "This server has no room for the tarball now.", retryable: true })
  )
