/** How dependencies of a package are installed: by its lock file, where it has one. */
import { posix } from "node:path"
import { MANUALS } from "../claims/manuals.ts"
import type { Source } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { foldersUp } from "../skills/needs.ts"
import type { Install, Language, Runtime, Said } from "./model.ts"
import type { Buildable } from "./packages.ts"

interface Tool {
  readonly lock: string
  readonly manifest: string
  readonly commands: ReadonlyArray<string>
  readonly manual: Source
  /** The commands build the package itself, too, and need all of its files. */
  readonly buildsAll?: boolean
}

const PIP = "pip install --no-cache-dir"

/** The first whose lock file stands in the folder or above it counts. */
const TOOLS: Readonly<Record<Language, ReadonlyArray<Tool>>> = {
  node: [
    { lock: "package-lock.json", manifest: "package.json", commands: ["npm ci"], manual: MANUALS.npmCi },
    { lock: "npm-shrinkwrap.json", manifest: "package.json", commands: ["npm ci"], manual: MANUALS.npmCi },
    {
      lock: "pnpm-lock.yaml",
      manifest: "package.json",
      commands: ["corepack enable", "pnpm install --frozen-lockfile"],
      manual: MANUALS.pnpm
    },
    { lock: "yarn.lock", manifest: "package.json", commands: ["corepack enable", "yarn install --frozen-lockfile"], manual: MANUALS.yarn },
    { lock: "package.json", manifest: "package.json", commands: ["npm install"], manual: MANUALS.npm }
  ],
  python: [
    {
      lock: "uv.lock",
      manifest: "pyproject.toml",
      commands: [`${PIP} uv`, "uv sync --frozen --no-dev --active"],
      manual: MANUALS.uv,
      buildsAll: true
    },
    {
      lock: "poetry.lock",
      manifest: "pyproject.toml",
      commands: [`${PIP} poetry`, "poetry install --only main"],
      manual: MANUALS.poetry,
      buildsAll: true
    },
    { lock: "Pipfile.lock", manifest: "Pipfile", commands: [`${PIP} pipenv`, "pipenv sync"], manual: MANUALS.pipenv },
    { lock: "requirements.txt", manifest: "requirements.txt", commands: [`${PIP} --requirement requirements.txt`], manual: MANUALS.pip },
    { lock: "pyproject.toml", manifest: "pyproject.toml", commands: [`${PIP} .`], manual: MANUALS.pip, buildsAll: true }
  ],
  go: [{ lock: "go.sum", manifest: "go.mod", commands: ["go mod download"], manual: MANUALS.go }],
  rust: [],
  java: []
}

/** Yarn from 2 on calls the option otherwise. */
const isLaterYarn = (project: Project, folder: string): boolean =>
  foldersUp(folder).some((above) =>
    project.paths.includes(posix.join(above, ".yarnrc.yml")) ||
    project.factsOf(posix.join(above, "package.json"), "setting").some(({ value: { name, value } }) =>
      name === "packageManager" && /^yarn@(?:[2-9]|\d\d)/u.test(value)
    )
  )

/** Node 25 and later come without Corepack. */
const withCorepack = (commands: ReadonlyArray<string>, { version }: Runtime): ReadonlyArray<string> =>
  commands.includes("corepack enable") && Number(version ?? 25) >= 25 ? ["npm install --global corepack", ...commands] : commands

/** The file itself; a lock file that is too long to be read is known by its name only. */
const factOf = (project: Project, path: string, otherwise: string): AnyFact | undefined =>
  project.factsOf(path, "file")[0] ??
    (project.skipped.some((skipped) => skipped.path === path) ? project.factsOf(otherwise, "file")[0] : undefined)

/** What makes an installation need more than the manifest: members of a workspace, and scripts that run with it. */
const needsAll = (project: Project, manifest: string): boolean =>
  project.factsOf(manifest, "manifest").some(({ value: { workspaces } }) => workspaces.length > 0) ||
  project.paths.includes(posix.join(posix.dirname(manifest), "pnpm-workspace.yaml")) ||
  project.factsOf(manifest, "script").some(({ subject }) => /^(?:pre|post)?(?:install|prepare)$/u.test(subject)) ||
  project.factsOf(manifest, "dependency").some(({ value: { range } }) => /^(?:file|link|workspace):|^\.{0,2}\//u.test(range))

/** Files beside the manifest that the installation reads, where they are there. */
const BESIDE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "package.json": [".npmrc", ".yarnrc.yml", ".nvmrc"],
  "go.mod": [],
  Pipfile: []
}

const hasDependencies = (project: Project, path: string): boolean => project.factsOf(path, "dependency").length > 0

export interface FoundInstall {
  readonly install: Said<Install> | undefined
  /** The folder of the lock file. */
  readonly root: string
}

export const installOf = (project: Project, { folder, language }: Buildable, runtime: Runtime): FoundInstall => {
  for (const above of foldersUp(folder)) {
    for (const { buildsAll, commands, lock, manifest, manual } of TOOLS[language]) {
      const [lockPath, manifestPath] = [posix.join(above, lock), posix.join(above, manifest)]
      const found = factOf(project, lockPath, manifestPath)
      const isOwn = above === folder
      if (found === undefined || (lock === manifest && !isOwn)) continue
      // A package of Python without dependencies is started as it stands, unless it brings commands of its own.
      const isNeeded = lock !== manifest || hasDependencies(project, lockPath) || project.factsOf(lockPath, "entry").length > 0
      if (!isNeeded || (language === "node" && !hasDependencies(project, manifestPath) && !needsAll(project, manifestPath))) break
      const files = [manifest, lock, ...BESIDE[manifest] ?? []].filter((file, at, all) =>
        all.indexOf(file) === at && (file === lock || project.paths.includes(posix.join(above, file)))
      )
      const value: Install = {
        commands: withCorepack(
          isLaterYarn(project, above)
            ? commands.map((command) => command.replace("--frozen-lockfile", lock === "yarn.lock" ? "--immutable" : "--frozen-lockfile"))
            : commands,
          runtime
        ),
        needs: buildsAll === true || needsAll(project, manifestPath) ? [] : files
      }
      return { install: { value, evidence: [found], source: manual }, root: above }
    }
  }
  return { install: undefined, root: folder }
}
