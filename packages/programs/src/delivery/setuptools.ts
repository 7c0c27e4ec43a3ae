/**
 * Setuptools takes each folder beside pyproject.toml for a package, unless the packages are named or lie in `src`, and builds nothing where
 * it finds several. Artifacts that are laid into a repository bring such folders.
 */
import { posix } from "node:path"
import type { Source } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { programs } from "../programs.ts"
import type { BuildPlan } from "./model.ts"

export const SETUPTOOLS: Source = {
  name: "setuptools",
  url: "https://setuptools.pypa.io/en/latest/userguide/package_discovery.html"
}

const folders: ReadonlyArray<string> = [
  ...new Set(
    programs.flatMap(({ artifacts }) => artifacts.flatMap(({ path }) => path.includes("/") ? [path.split("/")[0] ?? path] : []))
      .filter((folder) => !folder.startsWith("."))
  )
].sort()

/** Something else says what the packages are. */
const namesPackages = (project: Project, folder: string): boolean =>
  project.paths.some((path) =>
    path.startsWith(`${posix.join(folder, "src")}/`) || ["setup.py", "setup.cfg"].some((name) => path === posix.join(folder, name))
  ) ||
  project.factsOf(posix.join(folder, "pyproject.toml"), "setting").some(({ subject, value: { name } }) =>
    /^setuptools(?:\.|$)/u.test(subject) || /(?:^|\.)setuptools\.(?:packages|py-modules)/u.test(name)
  )

const isBuiltBySetuptools = (project: Project, folder: string): boolean => {
  const builders = project.factsOf(posix.join(folder, "pyproject.toml"), "dependency").filter(({ value: { scope } }) => scope === "build")
  return builders.length === 0 || builders.some(({ subject }) => subject === "setuptools")
}

/** Folders of artifacts that would be packages of what pip installs. One that the repository has is its own. */
export const foldersInTheWay = (project: Project, { folder, install, root }: BuildPlan): ReadonlyArray<string> =>
  folder === "." && root === "." && install?.value.commands.at(-1) === "pip install --no-cache-dir ." &&
    isBuiltBySetuptools(project, folder) && !namesPackages(project, folder)
    ? folders.filter((name) => !project.paths.some((path) => path.startsWith(`${name}/`)))
    : []
