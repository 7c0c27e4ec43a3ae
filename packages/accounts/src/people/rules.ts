/** Whose role somebody may give, change or take. Pure. */
import { Forbidden, InvalidState, type VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion } from "@svc/kernel/resource/versions"
import { Result } from "effect"
import type { Person as SignedIn, Role } from "../access/model.ts"
import { mayManage, type Reach, reachOfRole } from "../access/rules.ts"
import type { Person } from "./model.ts"

/** Who looks after the people of an account or of the installation. */
export interface Manager {
  /** How far they reach; undefined for the operator, whom no rule of an account binds. */
  readonly reach?: Reach | undefined
  /** Undefined where it is a key. */
  readonly person?: SignedIn | undefined
}

/** Nobody gives, changes or takes a role that reaches further than their own. */
export const mayGive = ({ reach }: Manager, role: Role, known: ReadonlySet<string>): Result.Result<void, Forbidden> =>
  reach === undefined ? Result.void : mayManage({ reach, tools: undefined }, reachOfRole(role, known))

const demoted = new Forbidden({ message: "You are no owner any more, so you cannot change who may do what. Ask an owner." })

const lastOwner = (person: Person) =>
  new InvalidState({
    message: "This is the last owner, who can neither leave nor take another role. Invite another owner first.",
    details: { state: person.role, allowed: [] }
  })

export interface Standing {
  readonly person: Person
  /** Ids of all owners there are. */
  readonly owners: ReadonlyArray<string>
  /** The version that was read; undefined where the request names none. */
  readonly version: number | undefined
  /** The role to be; undefined where the person goes. */
  readonly role: Role | undefined
}

/** Whether somebody may get another role, or go. */
export const mayChange = (
  by: Manager,
  { owners, person, role, version }: Standing,
  known: ReadonlySet<string>
): Result.Result<void, Forbidden | InvalidState | VersionConflict> => {
  if (by.person?.role === "owner" && !owners.includes(by.person.id)) return Result.fail(demoted)
  const refused = [mayGive(by, person.role, known), role === undefined ? Result.void : mayGive(by, role, known)].find(Result.isFailure)
  if (refused !== undefined) return refused
  const current = atVersion("person", person, version)
  if (Result.isFailure(current)) return Result.fail(current.failure)
  const isLast = owners.length === 1 && owners[0] === person.id
  return isLast && role !== "owner" ? Result.fail(lastOwner(person)) : Result.void
}
