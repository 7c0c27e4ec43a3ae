/** What the server left in `DATA_DIR/credentials.json` for whoever may read that folder. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { ServerConfig } from "@svc/server/config"
import { Credentials } from "@svc/server/credentials"
import { Effect, FileSystem, Path, Schema } from "effect"
import { CommandFailed } from "./failure.ts"

const decode = Schema.decodeEffect(fromJsonText(Credentials))

export const credentialsFile = Effect.gen(function*() {
  const path = yield* Path.Path
  const { dataDir } = yield* ServerConfig
  return path.join(dataDir, "credentials.json")
})

/** The sandbox merchant of this installation. Read anew each time: the server may have just written it. */
export const readCredentials = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const file = yield* credentialsFile
  const text = yield* fs.readFileString(file).pipe(
    Effect.mapError(() =>
      new CommandFailed({
        message:
          `Cannot read ${file}: no server has run with this DATA_DIR, or the folder belongs to another user. Run npm start, or set DATA_DIR.`
      })
    )
  )
  return yield* decode(text).pipe(
    Effect.mapError(() =>
      new CommandFailed({ message: `${file} does not hold what the server writes there. Remove it and start the server again.` })
    )
  )
})
