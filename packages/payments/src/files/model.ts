/** Files: what a merchant uploads to show it to somebody else, such as the signed receipt that answers a dispute. */
import { AccountId } from "@svc/accounts/accounts/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const FileId = idSchema("file", "FileId")
export type FileId = typeof FileId.Type

/** What files are uploaded for. */
export const FilePurpose = Schema.Literals(["dispute_evidence"]).annotate({ identifier: "FilePurpose" })
export type FilePurpose = typeof FilePurpose.Type

/** What networks read: documents and pictures. */
export const contentTypes = ["application/pdf", "image/png", "image/jpeg"] as const
export const FileContentType = Schema.Literals(contentTypes).annotate({ identifier: "FileContentType" })
export type FileContentType = typeof FileContentType.Type

/** Bytes of the largest file. Networks take a few megabytes for a whole answer. */
export const MOST_BYTES = 4 * 1024 * 1024

/** Files of an account: nobody answers more disputes than that with paper. */
export const MOST_FILES = 10_000

const MOST_NAME = 255

/** A name as people see it: no path, and nothing that a terminal or a header would take for something else. */
export const FileName = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(MOST_NAME),
  Schema.isPattern(/^[^/\\\x00-\x1f\x7f]+$/, { message: "must be a file's name without a path and without control characters" })
).annotate({ identifier: "FileName" })

/** A row without its bytes, and the JSON of the API, in one declaration. */
export const File = resource({
  id: FileId,
  merchant_id: AccountId,
  purpose: FilePurpose,
  filename: Schema.NullOr(Schema.String),
  content_type: FileContentType,
  /** Bytes. */
  size: Schema.Int,
  /** Of its bytes, hexadecimal. The same bytes are one file, however often they are sent. */
  sha256: Schema.String,
  created_at: Timestamp
})
export type File = typeof File.Type

export const FileJson = File.json.annotate({ identifier: "File", description: "What was uploaded, without its bytes." }).pipe(
  Schema.annotateEncoded({
    examples: [{
      id: exampleId("file"),
      merchant_id: exampleId("acct"),
      purpose: "dispute_evidence",
      filename: "signed-receipt.pdf",
      content_type: "application/pdf",
      size: 48_211,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      created_at: EXAMPLE_TIME
    }]
  })
)

export const decodeRow = Schema.decodeUnknownSync(File)
