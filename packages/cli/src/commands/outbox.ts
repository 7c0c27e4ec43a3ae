/** `svc outbox`: the emails of a local start, which went nowhere. */
import { findInOutbox, listOutbox, outboxIn } from "@svc/platform/email/outbox"
import { ServerConfig } from "@svc/server/config"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed } from "../failure.ts"
import { Json, print } from "../output.ts"

const folder = Effect.map(ServerConfig, ({ dataDir }) => outboxIn(dataDir))

/** In this order; what an email has not is left out. */
const SHOWN = ["Date", "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Message-ID"]

const show = Command.make(
  "show",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the email, eml_…, as svc outbox lists it"))
  },
  Effect.fnUntraced(function*({ name }) {
    const found = yield* findInOutbox(yield* folder, name.replace(/\.eml$/u, ""))
    if (found === undefined) {
      return yield* new CommandFailed({ message: `There is no email ${name} in ${yield* folder}. svc outbox lists those that are there.` })
    }
    const { attachments, file, headers, text } = found
    const shown = SHOWN.flatMap((title) => {
      const value = headers.get(title.toLowerCase())
      return value === undefined ? [] : [[title, value] as const]
    })
    yield* print(
      { headers: Object.fromEntries(shown), text, attachments, file },
      ...shown.map(([title, value]) => `${title}: ${value}`),
      `\n${text}`,
      ...attachments.map(({ content_type, filename }) => `\nAttached: ${filename} (${content_type})`),
      `\nThe whole of it, for a mail program: ${file}`
    )
  })
).pipe(Command.withDescription("Show one email"))

export const outbox = Command.make(
  "outbox",
  {},
  Effect.fnUntraced(function*() {
    const place = yield* folder
    const found = yield* listOutbox(place)
    if (found.length === 0 && !(yield* Json)) {
      return yield* Console.log(`No email in ${place}. With SMTP_URL set, emails leave by that mail server.`)
    }
    for (const { headers, name } of found) {
      const [date, to, subject] = [headers.get("date") ?? null, headers.get("to") ?? null, headers.get("subject") ?? null]
      yield* print({ name, date, to, subject }, `${name}  ${date ?? "-"}  ${to ?? "-"}  ${subject ?? "-"}`)
    }
  })
).pipe(
  Command.withDescription("List the emails of a local start, newest first: no mail server is set, so they were kept and not sent"),
  Command.withSubcommands([show])
)
