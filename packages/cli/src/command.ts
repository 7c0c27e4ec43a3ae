/** Every command of `svc`. Only the one that is called is loaded: each needs other parts of the service, and help needs none. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { Json } from "./output.ts"
import { resourceNames } from "./resources/names.ts"

/** A command: its line in the list of all, and its module. */
const entry = <Name extends string, Input, ContextInput, E, R>(
  name: Name,
  summary: string,
  load: () => Promise<Command.Command<Name, Input, ContextInput, E, R>>
) => ({
  name,
  unloaded: Command.make(name).pipe(Command.withDescription(summary)),
  load: () => load().then(Command.withShortDescription(summary))
})

/** `svc` with all commands loaded, to be looked at and not to be run. */
const whole = (): Effect.Effect<Command.Command.Any> => root(() => true)

const commands = [
  // Its words are turned around before they are read: `argumentsOf`.
  entry("help", "Show how a command is called, as svc help payouts create", async () => Command.make("help")),
  entry(
    "serve",
    "Run the payments API, the tool server and the workers, as npm start does",
    () => import("./commands/serve.ts").then(({ serve }) => serve)
  ),
  entry("migrate", "Apply the migrations that the database lacks", () => import("./commands/migrate.ts").then(({ migrate }) => migrate)),
  entry(
    "accounts",
    "Open, list, show, suspend and reactivate accounts",
    () => import("./commands/accounts.ts").then(({ accounts }) => accounts)
  ),
  entry("desk", "Invite people to the desk", () => import("./commands/desk-people.ts").then(({ desk }) => desk)),
  entry("keys", "Make, list and revoke API keys", () => import("./commands/keys.ts").then(({ keys }) => keys)),
  entry(
    "listen",
    "Receive webhooks on this machine, verify and print each",
    () => import("./commands/listen.ts").then(({ listen }) => listen)
  ),
  entry(
    "trigger",
    "Make something happen in the sandbox, so that an event does",
    () => import("./commands/trigger.ts").then(({ trigger }) => trigger)
  ),
  entry("replay", "Send webhooks again", () => import("./commands/replay.ts").then(({ replay }) => replay)),
  entry(
    "reconcile",
    "Compare a rail's statement, or a provider's file, with the ledger",
    () => import("./commands/reconcile.ts").then(({ reconcile }) => reconcile)
  ),
  entry(
    "clock",
    "Make, show, advance and remove the clock of a sandbox account",
    () => import("./commands/clock.ts").then(({ clock }) => clock)
  ),
  entry(
    "outbox",
    "List and show the emails of a start without a mail server",
    () => import("./commands/outbox.ts").then(({ outbox }) => outbox)
  ),
  entry(
    "encryption",
    "Make a key for ENCRYPTION_KEYS; seal everything anew with the first of them",
    () => import("./commands/encryption.ts").then(({ encryption }) => encryption)
  ),
  entry(
    "verify-ledger",
    "Recompute every hash and balance, from the database or through the API",
    () => import("./commands/verify-ledger.ts").then(({ verifyLedger }) => verifyLedger)
  ),
  entry(
    "checkpoint",
    "Verify and sign every ledger that has moved since its last checkpoint",
    () => import("./commands/books.ts").then(({ checkpoint }) => checkpoint)
  ),
  entry(
    "export-ledger",
    "Print an account's ledger as signed lines that prove themselves",
    () => import("./commands/books.ts").then(({ exportLedger }) => exportLedger)
  ),
  entry(
    "rebuild",
    "Derive tables from the ledger and the event log, and name what differs",
    () => import("./commands/rebuild.ts").then(({ rebuild }) => rebuild)
  ),
  entry(
    "doctor",
    "Check Node, settings, packages, data folder, database, ports and credentials",
    () => import("./commands/doctor.ts").then(({ doctor }) => doctor)
  ),
  entry("open", "Open the desk in the browser", () => import("./commands/open.ts").then(({ open }) => open)),
  entry("ask", "Ask the assistant", () => import("./commands/ask.ts").then(({ ask }) => ask)),
  entry(
    "completion",
    "Print what makes a shell complete commands",
    () => import("./commands/completion.ts").then(({ completionOf }) => completionOf(whole()))
  )
] as const

/** What the API has, each with the verbs that the contract gives it. */
const resources = resourceNames.map(([name, summary]) =>
  entry(name, summary, () => import("./commands/resource.ts").then(({ resource }) => resource(name)))
)

type IsLoaded = (name: string) => boolean

/** `svc` with the commands that are asked for; of the others it knows names and summaries. */
export const root = (isLoaded: IsLoaded) =>
  Effect.map(
    Effect.promise(() =>
      Promise.all([
        Promise.all(commands.map(({ load, name, unloaded }) => isLoaded(name) ? load() : unloaded)),
        Promise.all(resources.map(({ load, name, unloaded }) => isLoaded(name) ? load() : unloaded))
      ])
    ),
    ([own, ofApi]) =>
      Command.make("svc").pipe(
        Command.withDescription("Run and look after an installation of svc. Settings come from the environment: docs/configuration.md."),
        Command.withSubcommands([...own, { group: "Resources", commands: ofApi }]),
        Command.withGlobalFlags([Json])
      )
  )

/** `svc help payouts create` asks what `svc payouts create --help` does. */
export const argumentsOf = (args: ReadonlyArray<string>): ReadonlyArray<string> => args[0] === "help" ? [...args.slice(1), "--help"] : args

/** The command line for these arguments. Completions need all commands, everything else the one that is named first. */
export const commandFor = (args: ReadonlyArray<string>) => {
  const named = args.find((arg) => !arg.startsWith("-"))
  return root((name) => name === named || args.some((arg) => arg.startsWith("--completions")))
}
