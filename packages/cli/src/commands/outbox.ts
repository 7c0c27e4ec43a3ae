/** `svc outbox`: the emails of a local start, which went nowhere. */
import { findInOutbox, listOutbox, outboxIn } from "@svc/kernel/email/outbox"
import { ServerConfig } from "@svc/server/config"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed } from "../failure.ts"

const folder = Effect.map(ServerConfig, ({ dataDir }) => outboxIn(dataDir))

/** In this order; what an email has not is left out. */
const SHOWN = ["Date", "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Message-ID"]

const show = Command.make("show", {
  name: Argument.String("name").pipe(Argument.withDescription("Name of the email, eml_…, as svc outbox lists it"))
}, Effect.fnUntraced(function*({ name }) {
  const found = yield* findInOutbox(yield* folder, name.replace(/\.eml$/u, ""))
  if (found === undefined) return yield* new CommandFailed({ message: `There is no email ${name} in ${yield* folder}. svc outbox lists those that are there.` })
  const { attachments, file, headers, text } = found
  for (const title of SHOWN) {
    const value = headers.get(title.toLowerCase())
    if (value !== undefined) yield* Console.log(`${title}: ${value}`)
  }
  yield* Console.log(`\n${text}`)
  for (const { content_type, filename } of attachments) yield* Console.log(`\nAttached: ${filename} (${content_type})`)
  yield* Console.log(`\nThe whole of it, for a mail program: ${file}`)
})).pipe(Command.withDescription("Show one email"))

export const outbox = Command.make("outbox", {}, Effect.fnUntraced(function*() {
  const place = yield* folder
  const found = yield* listOutbox(place)
  if (found.length === 0) return yield* Console.log(`No email in ${place}. With SMTP_URL set, emails leave by that mail server.`)
  for (const { headers, name } of found) {
    yield* Console.log(`${name}  ${headers.get("date") ?? "-"}  ${headers.get("to") ?? "-"}  ${headers.get("subject") ?? "-"}`)
  }
})).pipe(
  Command.withDescription("List the emails of a local start, newest first: no mail server is set, so they were kept and not sent"),
  Command.withSubcommands([show])
)
