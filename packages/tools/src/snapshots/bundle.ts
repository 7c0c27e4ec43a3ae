/** Artifacts of a snapshot as a compressed tarball. The same artifacts give the same bytes: no time, no owner, in the order of paths. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import { signedEnvelope } from "@svc/kernel/signatures/dsse"
import type { SigningKey } from "@svc/kernel/signatures/signing-key"
import { Effect, Stream } from "effect"
import { packTar } from "modern-tar"
import { createGzip } from "node:zlib"

export interface BundledFile {
  readonly path: string
  readonly text: string
}

/** The statement (in-toto) of what the bundle holds, and where its signature stands. */
const STATEMENT = "packaging/attestation/attestation.json"
const ENVELOPE = "packaging/attestation/attestation.dsse.json"

/** A tarball ends with two blocks of zeros. */
const END = 1024

const isScript = (text: string): boolean => text.startsWith("#!")

/** The part of the tarball that holds a file. */
const partOf = ({ path, text }: BundledFile) => {
  const body = Buffer.from(text)
  const header = {
    name: path,
    type: "file",
    size: body.length,
    mode: isScript(text) ? 0o755 : 0o644,
    uid: 0,
    gid: 0,
    mtime: new Date(0)
  } as const
  return Effect.promise(async () => (await packTar([{ header, body }])).subarray(0, -END))
}

/** Before the statement, as its path does, stands the envelope in which this installation signs it. */
const withEnvelope = (key: SigningKey["Service"]) => (file: BundledFile): ReadonlyArray<BundledFile> => {
  if (file.path !== STATEMENT) return [file]
  const envelope = signedEnvelope(key, { payloadType: "application/vnd.in-toto+json", payload: file.text })
  return [{ path: ENVELOPE, text: `${JSON.stringify(envelope, null, 2)}\n` }, file]
}

export const bundleOf = <E>(files: Stream.Stream<BundledFile, E>, key: SigningKey["Service"]) =>
  files.pipe(
    Stream.flatMap((file) => Stream.fromIterable(withEnvelope(key)(file))),
    Stream.mapEffect(partOf),
    Stream.concat(Stream.make(new Uint8Array(END))),
    NodeStream.pipeThroughSimple(() => createGzip())
  )
