/** That nothing is left out: what a resource's folder holds, its package and the service bring and promise. */
import { assert, describe, it } from "@effect/vitest"
import { Authorization, OperatorAuthorization, RequiredScope } from "@svc/accounts/access/api"
import { contract as toolsContract } from "@svc/doors/api"
import { Emits } from "@svc/kernel/resource/events"
import { Machine, type StateMachine } from "@svc/kernel/resource/state-machine"
import { ToolAuthorization } from "@svc/metering/access/api"
import { Context, type Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { contract } from "./api.ts"
import { catalogOf } from "./catalog.ts"
import { migrationSets } from "./packages.ts"
import type { routes } from "./routes.ts"

const packages = join(import.meta.dirname, "..", "..")

/** Files of one role, in every resource of every package that has parts. */
const roles = (name: string) =>
  globSync(`*/src/*/{,resource/}${name}`, { cwd: packages }).filter((path) => !/^(?:server|client|testkit|bench|cli)\//.test(path))

/** The text of `<package>/src/<file>` of the package that this path lies in. */
const ofPackage = (path: string, file: string): string => readFileSync(join(packages, path.split("/")[0] ?? "", "src", file), "utf8")

const folderOf = (path: string): string => basename(dirname(path))

/** The names of the groups that folders declare. */
const declaredGroups = () =>
  roles("api.ts").flatMap((path) =>
    [...readFileSync(join(packages, path), "utf8").matchAll(/HttpApiGroup\.make\("([^"]+)"/g)].map(([, name = ""]) => name)
  )

type GroupsOf<Api> = Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never
type Promised = HttpApiGroup.ToService<"svc", GroupsOf<typeof contract>> | HttpApiGroup.ToService<"tools", GroupsOf<typeof toolsContract>>
type Handled = Layer.Success<typeof routes>
/** Handlers of groups that no contract has; a group without handlers does not compile where the routes are served. */
type Unpromised = Exclude<Extract<Handled, HttpApiGroup.Service<string, string>>, Promised>
const nothingUnpromised: [Unpromised] extends [never] ? true : Unpromised = true

const isMachine = (value: unknown): value is StateMachine =>
  typeof value === "object" && value !== null && "transitions" in value && "terminal" in value && "name" in value
const isCatalog = (value: unknown): value is { readonly types: ReadonlyArray<string> } =>
  typeof value === "object" && value !== null && "types" in value && "draft" in value && Array.isArray(value.types)

/** What the files of these roles export that fits. */
const exported = async <A>(
  files: ReadonlyArray<string>,
  fits: (value: unknown) => value is A
): Promise<ReadonlyArray<readonly [string, A]>> => {
  const found = await Promise.all(files.map(async (path) => {
    const module: Readonly<Record<string, unknown>> = await import(join(packages, path))
    return Object.values(module).filter(fits).map((value) => [path, value] as const)
  }))
  return found.flat()
}

describe("the parts of the service", () => {
  it("are all in the layer of their package, and their groups in its contract", () => {
    assert.isTrue(nothingUnpromised)
    const resources = roles("resource.ts")
    assert.isNotEmpty(resources)
    assert.deepStrictEqual(
      resources.filter((path) => !ofPackage(path, "layer.ts").includes(`"./${path.split("/").slice(2).join("/")}"`)),
      [],
      "add the resource to its package's layer.ts"
    )
    const groups = roles("api.ts").filter((path) => /HttpApiGroup\.make\(/.test(readFileSync(join(packages, path), "utf8")))
    assert.isNotEmpty(groups)
    assert.deepStrictEqual(
      groups.filter((path) => !ofPackage(path, "api.ts").includes(`./${folderOf(path)}/api.ts`)),
      [],
      "add the group to its package's api.ts"
    )
    const promised = [...Object.keys(contract.groups), ...Object.keys(toolsContract.groups)]
    assert.deepStrictEqual(declaredGroups().filter((name) => !promised.includes(name)), [], "these groups are in no contract")
  })

  it("ask for a key on every route that a folder declares", () => {
    const ofFolders = declaredGroups()
    const open: Array<string> = []
    HttpApi.reflect(contract, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group, middleware }) => {
        const guarded = Array.from(middleware).some(({ key }) => key === Authorization.key || key === OperatorAuthorization.key)
        if (ofFolders.includes(group.identifier) && !guarded) open.push(`${group.identifier}.${endpoint.identifier}`)
      }
    })
    assert.deepStrictEqual(open, [], "end their groups with forMerchants or forOperators")
  })

  it("ask for a key on every route of the tool server but those that give one, or are for everybody", () => {
    const open: Array<string> = []
    HttpApi.reflect(toolsContract, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group, middleware }) => {
        if (!Array.from(middleware).some(({ key }) => key === ToolAuthorization.key)) {
          open.push(`${group.identifier}.${endpoint.identifier}`)
        }
      }
    })
    // In their handlers, the state of a call asks for a key or for the token of its address, and the routes of a snapshot for the key of
    // its account, if it has one.
    const ofSnapshots = ["snapshots.search", "snapshots.bundle", "snapshots.run"]
    assert.deepStrictEqual(open, ["tool_accounts.open", "agents.signup", "feedback.send", "calls.status", ...ofSnapshots])
  })

  it("bring what their folders hold: routes, tables, and what happens when a timer is due", () => {
    const left = roles("resource.ts").flatMap((path) => {
      const above = basename(dirname(path)) === "resource"
      return ["http.ts", "jobs.ts", "migrations.ts"].flatMap((file) => above ? [`./${file}`, `../${file}`] : [`./${file}`]).filter((file) =>
        existsSync(join(packages, dirname(path), file)) && !readFileSync(join(packages, path), "utf8").includes(`"${file}"`)
      ).map((file) => join(dirname(path), file))
    })
    assert.deepStrictEqual(left, [], "name them in the resource.ts of their folder")
  })

  it("have their tables: every migrations.ts is among those of the service", async () => {
    const known = new Set(migrationSets.flatMap(({ migrations }) => Object.keys(migrations)))
    const found = await exported(
      roles("migrations.ts"),
      (value): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null
    )
    assert.isNotEmpty(found)
    assert.deepStrictEqual(found.flatMap(([, migrations]) => Object.keys(migrations)).filter((name) => !known.has(name)), [])
    for (const { name, migrations } of migrationSets) {
      for (const id of Object.keys(migrations)) assert.match(id, /^\d{8}_[a-z0-9_]+$/, name)
    }
  })

  it("show each table of moves and each event type that a folder declares", async () => {
    const { events, machines: ofPayments } = catalogOf(contract)
    const machines = [...ofPayments, ...catalogOf(toolsContract).machines]
    const shown = new Set(machines.map(({ name }) => name))
    assert.strictEqual(shown.size, machines.length, "two tables of moves have one name")
    const tables = await exported([...roles("machine.ts"), ...roles("rules.ts"), ...roles("model.ts")], isMachine)
    assert.isNotEmpty(tables)
    assert.deepStrictEqual(
      tables.filter(([, { name }]) => !shown.has(name)).map(([path]) => path),
      [],
      `annotate the group with ${Machine.key}`
    )
    const declared = await exported(roles("model.ts"), isCatalog)
    assert.isNotEmpty(declared)
    assert.deepStrictEqual(
      declared.flatMap(([, { types }]) => types).filter((type) => !events.has(type)),
      [],
      `annotate the group with ${Emits.key}`
    )
  })

  it("ask every merchant's endpoint for a scope", () => {
    const without: Array<string> = []
    HttpApi.reflect(contract, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group, middleware }) => {
        const guarded = Array.from(middleware).some(({ key }) => key === Authorization.key)
        if (guarded && Context.getOrUndefined(endpoint.annotations, RequiredScope) === undefined) {
          without.push(`${group.identifier}.${endpoint.identifier}`)
        }
      }
    })
    assert.deepStrictEqual(without, [])
  })
})
