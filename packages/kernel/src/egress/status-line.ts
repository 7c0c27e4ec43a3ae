/** The status of an answer, before the rest of it. */
import type { ClientRequest } from "node:http"

/** The status line of an answer that is no interim one, whole or as far as its number. */
const STATUS = /(?:^|\r?\n\r?\n)HTTP\/1\.[01] ([2-5]\d\d)[ \r\n]/

/** Bytes in which the status line has to come: before it there may be interim answers. */
const STATUS_WITHIN = 4096

/** Reports the status as soon as its line is there. Node tells it once it has read all headers, which may be too many or never end. */
export const watchStatus = (sent: ClientRequest, found: (status: number) => void): void => {
  sent.once("socket", (socket) => {
    let head = ""
    const look = (bytes: Buffer): void => {
      head += bytes.toString("latin1", 0, STATUS_WITHIN - head.length)
      const status = STATUS.exec(head)?.[1]
      if (status !== undefined) found(Number(status))
      if (status !== undefined || head.length >= STATUS_WITHIN) stop()
    }
    const stop = (): void => void socket.off("data", look)
    // Before Node's parser, which closes the connection when it refuses the answer.
    socket.prependListener("data", look)
    sent.once("close", stop)
  })
}
