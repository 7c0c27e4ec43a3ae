/**
 * packaging/attestation/: what the other artifacts of this program are, by their hashes. Both files are made of the same bytes as the
 * artifacts themselves, and name neither each other nor themselves.
 */
import { leafHash, levelsOf, pathIn } from "@svc/kernel/signatures/merkle"
import { hash } from "node:crypto"
import { unmarked, type Value } from "../claims/json.ts"
import type { Artifact, Citation } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedText } from "../mcp/none.ts"
import type { ArtifactMaker } from "../program.ts"
import { billOfMaterials } from "./bill-of-materials.ts"

interface SealedFile {
  readonly path: string
  readonly sha256: string
  readonly citations: ReadonlyArray<Citation>
}

const filesOf = (project: Project, makers: ReadonlyArray<ArtifactMaker>): ReadonlyArray<SealedFile> =>
  makers.map(({ make, path }) => {
    const { citations, text } = make(project)
    return { path, citations, sha256: hash("sha256", text, "hex") }
  })

const MOST_PLACES = 3

/** A hash comes from wherever its file does. */
const citationsOf = (files: ReadonlyArray<SealedFile>, list: string): ReadonlyArray<Citation> =>
  files.flatMap(({ citations }, at) => citations.slice(0, MOST_PLACES).map((one) => ({ ...one, at: `/${list}/${at}` })))

/** Where nothing was found the whole is one line. */
const artifactOf = (value: Value, fromFiles: ReadonlyArray<Citation>): Artifact => {
  const { citations, plain } = unmarked(value)
  const all = [...fromFiles, ...citations]
  const isEmpty = all.length === 0
  return { text: `${JSON.stringify(plain, null, isEmpty ? 0 : 2)}\n`, evidence: isEmpty ? "none" : "cited", citations: all }
}

/** A statement of in-toto (https://in-toto.io/Statement/v1) about the artifacts; whoever delivers it signs it. */
export const attestation = (makers: ReadonlyArray<ArtifactMaker>) => (project: Project): Artifact => {
  const files = filesOf(project, makers)
  return artifactOf({
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
    predicateType: "https://cyclonedx.org/bom",
    predicate: billOfMaterials(project)
  }, citationsOf(files, "subject"))
}

/** What `sha256sum` prints of the file is the leaf: hash, two blanks, path, end of line. */
const leafOf = ({ path, sha256 }: SealedFile): Buffer => leafHash(Buffer.from(`${sha256}  ${path}\n`))

/** A tree of RFC 6962 over the artifacts, and for each the way up to the root. */
export const merkleProof = (makers: ReadonlyArray<ArtifactMaker>) => (project: Project): Artifact => {
  const files = filesOf(project, makers)
  const levels = levelsOf(files.map(leafOf))
  const citations = citationsOf(files, "leaves")
  return artifactOf({
    tree: "RFC 6962 with SHA-256",
    leaf: "one line of sha256sum: hash, two blanks, path, end of line",
    root: levels.at(-1)?.[0]?.toString("hex") ?? "",
    leaves: files.map(({ path, sha256 }, index) => ({
      path,
      sha256,
      index,
      proof: pathIn(levels, index).map((beside) => beside.toString("hex"))
    })),
    searched: citations.length > 0 ? undefined : searchedText(project, "Nothing of the repository stands in these files.")
  }, citations)
}
