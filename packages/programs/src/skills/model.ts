/** A command of a repository: what it is for, where it runs, and what it needs. */
import type { Evidence, Source } from "../claims/model.ts"

export const PURPOSES = ["generate", "typecheck", "check", "lint", "build", "test", "one test"] as const
export type Purpose = (typeof PURPOSES)[number]

export interface ProjectCommand {
  readonly purpose: Purpose
  readonly command: string
  /** The folder that it runs in, from the root. */
  readonly folder: string
  /** What a snapshot has not, and the command needs. */
  readonly needs: string | null
  readonly evidence: Evidence
  /** The manual of the tool, where no script of the repository names the command. */
  readonly source?: Source
}
