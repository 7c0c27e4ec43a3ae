/** A mail server for tests: RFC 5321 as far as a client of ours speaks it, on a free loopback port, that says what the test wants. */
import { rawServer } from "@svc/kernel/egress/receiver.fixture"
import { Effect } from "effect"

type Socket = Parameters<Parameters<typeof rawServer>[0]>[0]

export interface ReceivedEmail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** As it came over the wire, before dots are unstuffed. */
  readonly data: string
}

/** Replies by the beginning of a command, such as `RCPT TO:<ada@`; what none fits is taken. `end` is the reply to the email itself. */
export type Script = Readonly<Record<string, string>>

const ANSWERS: Script = {
  EHLO: "250-mail.test\r\n250 SIZE 1000000",
  "MAIL FROM": "250 ok",
  "RCPT TO": "250 ok",
  DATA: "354 go on",
  RSET: "250 ok",
  QUIT: "221 bye",
  end: "250 taken"
}

/** What came, the commands among it, and the URL to send to. */
export const mailServer = (script: Script = {}) =>
  Effect.gen(function*() {
    const taken: Array<ReceivedEmail> = []
    const commands: Array<string> = []
    const replies = Object.entries({ ...script, ...ANSWERS }).map(([command, reply]) => [command, script[command] ?? reply] as const)
    const replyTo = (line: string) => replies.find(([command]) => line.toUpperCase().startsWith(command.toUpperCase()))?.[1] ?? "500 what?"
    const speak = (socket: Socket) => {
      let buffer = ""
      let from = ""
      let to: Array<string> = []
      let inData = false
      const take = (line: string) => {
        commands.push(line)
        const reply = replyTo(line)
        const accepted = reply.startsWith("2")
        const address = /<([^>]*)>/u.exec(line)?.[1] ?? ""
        if (line.startsWith("MAIL FROM") && accepted) [from, to] = [address, []]
        if (line.startsWith("RCPT TO") && accepted) to.push(address)
        inData = reply.startsWith("354")
        socket.write(`${reply}\r\n`)
        if (line === "QUIT") socket.end()
      }
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        buffer += chunk
        for (;;) {
          const end = buffer.indexOf(inData ? "\r\n.\r\n" : "\r\n")
          if (end < 0) return
          const piece = buffer.slice(0, end)
          buffer = buffer.slice(end + (inData ? 5 : 2))
          if (!inData) take(piece)
          else {
            inData = false
            const reply = replyTo("end")
            if (reply.startsWith("2")) taken.push({ from, to, data: piece })
            socket.write(`${reply}\r\n`)
          }
        }
      })
      socket.write("220 mail.test\r\n")
    }
    const port = yield* rawServer(speak)
    return { taken, commands, port, url: `smtp://127.0.0.1:${port}` }
  })
