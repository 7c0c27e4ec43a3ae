/** The interpreters that run code, and where a machine has them. */

export const runtimes = ["python", "node", "bash"] as const
export type Runtime = typeof runtimes[number]

export interface HostInterpreter {
  /** The first that runs is used. */
  readonly paths: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
  readonly reservesAddresses: boolean
}

export const hostInterpreters: Readonly<Record<Runtime, HostInterpreter>> = {
  python: { paths: ["/usr/bin/python3", "/usr/local/bin/python3"], args: [], reservesAddresses: false },
  // That of the service is newer than most distributions'.
  node: { paths: [process.execPath, "/usr/bin/node", "/usr/local/bin/node"], args: ["--no-warnings"], reservesAddresses: true },
  bash: { paths: ["/usr/bin/bash", "/bin/bash"], args: ["--norc"], reservesAddresses: false }
}
