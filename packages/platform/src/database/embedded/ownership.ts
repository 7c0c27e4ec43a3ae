/**
 * Gives a cluster from the account that made it to the account that serves it. Root does it, while processes of the first account may
 * still put links in the place of folders: so each file is opened without following a link, below the open folder, and what is open changes
 * hands.
 */
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { open, readdir } from "node:fs/promises"
import type { Account } from "./account.ts"
import { EmbeddedPostgresError } from "./error.ts"

const AS_IT_IS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The folder itself comes last: until then the next start begins anew. */
const give = async (path: string, from: number, to: NonNullable<Account>): Promise<void> => {
  const file = await open(path, AS_IT_IS)
  try {
    const facts = await file.stat()
    if (facts.isDirectory()) {
      const folder = `/proc/self/fd/${file.fd}`
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (entry.isDirectory() || entry.isFile()) await give(`${folder}/${entry.name}`, from, to)
      }
    }
    if (facts.uid === from) await file.chown(to.uid, to.gid)
  } finally {
    await file.close()
  }
}

/** Gives every file of the user `from` below `folder`, and `folder`, to the account `to`. Of other users' files none changes hands. */
export const handOver = Effect.fn("EmbeddedPostgres.handOver")((folder: string, from: number, to: NonNullable<Account>) =>
  Effect.tryPromise({
    try: () => give(folder, from, to),
    catch: (error) =>
      new EmbeddedPostgresError({
        message: `Cannot give ${folder} to the user ${to.uid} of Postgres: ${error instanceof Error ? error.message : String(error)}. ` +
          "Check the permissions, or choose another DATA_DIR."
      })
  })
)
