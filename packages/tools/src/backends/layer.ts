/** The backends that tools call. One that this installation does without is `absent`, of the tool kit's `backend.ts`. */
import { Layer } from "effect"
import * as analyzer from "./analyzer.ts"
import * as documents from "./documents.ts"
import * as email from "./email.ts"
import * as embeddings from "./embeddings.ts"
import * as hardener from "./hardener.ts"
import * as hygiene from "./hygiene.ts"
import * as inference from "./inference.ts"
import * as objectStorage from "./object-storage.ts"
import * as packager from "./packager.ts"
import * as readiness from "./readiness.ts"
import * as snapshots from "./snapshots.ts"
import * as speech from "./speech.ts"
import * as transcription from "./transcription.ts"
import * as webReader from "./web-reader.ts"

export const layer = Layer.mergeAll(
  Layer.mergeAll(readiness.layer, hardener.layer).pipe(Layer.provideMerge(analyzer.layer)),
  objectStorage.layer,
  documents.layer,
  email.layer,
  embeddings.layer,
  hygiene.layer,
  inference.layer,
  packager.layer,
  snapshots.layer,
  speech.layer,
  transcription.layer,
  webReader.layer
)
