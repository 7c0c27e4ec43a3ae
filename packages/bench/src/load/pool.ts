/** Connections that scheduled requests share. A request waits in line for a free one, and its waiting counts. */
import type { Answer } from "./connection.ts"
import { Connection } from "./connection.ts"

export class Pool {
  private readonly all: ReadonlyArray<Connection>
  private readonly free: Array<Connection>
  private readonly line: Array<(connection: Connection) => void> = []
  private head = 0

  constructor(port: number, connections: number) {
    this.all = Array.from({ length: connections }, () => new Connection(port))
    this.free = [...this.all]
  }

  async send(method: string, path: string, key: string, body: string): Promise<Answer> {
    const connection = this.free.pop() ?? (await new Promise<Connection>((resolve) => this.line.push(resolve)))
    try {
      return await connection.send(method, path, key, body)
    } finally {
      this.release(connection)
    }
  }

  close(): void {
    for (const connection of this.all) connection.close()
  }

  private release(connection: Connection): void {
    const next = this.line[this.head]
    if (next === undefined) {
      this.free.push(connection)
      return
    }
    this.head++
    if (this.head > 1024) {
      this.line.splice(0, this.head)
      this.head = 0
    }
    next(connection)
  }
}
