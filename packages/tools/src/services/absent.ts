/** Backends that nothing provides yet: each says so, what that means for the caller, and what does the work meanwhile. */
import { Layer } from "effect"
import { absent } from "../backend.ts"
import { Hygiene } from "./hygiene.ts"
import { Mailer } from "./mailer.ts"
import { DocumentReader, Speaker, Transcriber } from "./media.ts"
import { Embedder, InferenceModel } from "./models.ts"
import { ObjectStore } from "./object-store.ts"
import { Sandbox } from "./sandbox.ts"
import { Analyzer, Snapshots } from "./snapshots.ts"
import { WebReader } from "./web-reader.ts"

const why = (reason: string, what: string, meanwhile: string) => ({
  reason,
  detail: `This version of the server has no ${what}. The call was checked and not charged.`,
  remediation: `${meanwhile} The operator of this server can add one; get_install_manifest lists the tools that work here.`
})

export const layer = Layer.mergeAll(
  absent(Analyzer, why("analyzer_unset", "analyzer of code", "list_programs says what its programs will make.")),
  absent(Snapshots, why("snapshots_unset", "store of snapshots, so there is none of any id", "Keep what you have in your own repository.")),
  absent(WebReader, why("web_reader_unset", "reader of web pages", "Read the page with a fetch tool of your own.")),
  absent(ObjectStore, why("object_store_unset", "object storage", "Use a bucket of your own.")),
  absent(Embedder, why("embedder_unset", "embedding model", "Use an embeddings API of your own.")),
  absent(Mailer, why("mailer_unset", "connection to a mail server", "Send the mail by a provider of your own.")),
  absent(InferenceModel, why("inference_unset", "language model", "Use the model that you run on.")),
  absent(Sandbox, why("sandbox_unset", "sandbox for code", "Run the code where you trust it to run.")),
  absent(DocumentReader, why("document_reader_unset", "reader of documents", "Convert the document yourself.")),
  absent(Speaker, why("speaker_unset", "voice", "Use a speech API of your own.")),
  absent(Transcriber, why("transcriber_unset", "model that writes down speech", "Use a speech API of your own.")),
  absent(Hygiene, why("hygiene_unset", "hygiene rules", "Run the linters of your own repository."))
)
