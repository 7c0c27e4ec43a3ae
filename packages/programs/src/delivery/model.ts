/** How a package of a repository is built and started: each part with the facts that say so. */
import type { Evidence, Source } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"

/** A value, and the facts that it is taken from. */
export interface Said<A> {
  readonly value: A
  readonly evidence: Evidence
  /** The manual that words of the value come from, where they stand in no fact. */
  readonly source?: Source
}

export type Language = "node" | "python" | "go" | "rust" | "java"

/** `version` is what a tag of an image is made of, such as `22` or `3.12`; null where nothing says one. */
export interface Runtime {
  readonly language: Language
  readonly version: string | null
}

/** Commands are those of a shell, in their order. */
export interface Install {
  readonly commands: ReadonlyArray<string>
  /** Files that the commands read, from the folder of `root`; empty where they need all of it. */
  readonly needs: ReadonlyArray<string>
}

export interface Port {
  readonly number: number
  /** The variable by which the program takes another one. */
  readonly variable: string | null
}

/** A variable of the environment. */
export interface Variable {
  readonly name: string
  readonly required: boolean
  /** A plain value that is no secret. */
  readonly fallback: string | null
  readonly evidence: Evidence
}

/** The repository's own description of a container. */
export interface OwnDockerfile {
  readonly path: string
  /** The folder that its `COPY` copies from. */
  readonly context: string
  readonly instructions: ReadonlyArray<Fact<"container">>
}

export interface BuildPlan {
  /** Letters, digits and dashes. */
  readonly name: string
  readonly language: Language
  /** The folder of the package, from the root. */
  readonly folder: string
  /** The folder that dependencies are installed in: that of the lock file. */
  readonly root: string
  readonly manifest: Evidence
  readonly runtime: Said<Runtime>
  readonly install: Said<Install> | undefined
  readonly build: Said<string> | undefined
  /** The file that building leaves, where that is all that starting needs; from `root`. */
  readonly output: string | undefined
  readonly test: Said<string> | undefined
  /** The words of the program and its arguments. */
  readonly start: Said<ReadonlyArray<string>> | undefined
  readonly port: Said<Port> | undefined
  /** Calls that open a port, also one that is not known. */
  readonly listens: Evidence | undefined
  /** The address, where the program can only be reached from its own machine. */
  readonly closedTo: Said<string> | undefined
  readonly variables: ReadonlyArray<Variable>
  readonly dockerfile: OwnDockerfile | undefined
  /** What only a human knows. */
  readonly questions: ReadonlyArray<string>
}
