/** The folder of finished pages, where building leaves one or the repository holds one. */
import { posix } from "node:path"
import type { Source } from "../claims/model.ts"
import type { Said } from "../delivery/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import { pathOf } from "../map/uses.ts"
import { callOf } from "../skills/scripts.ts"

export interface Pages {
  /** From the root. */
  readonly folder: Said<string>
  readonly build: Said<string> | undefined
  /** The manual that says where the tool writes; undefined where the repository does. */
  readonly source: Source | undefined
}

interface Tool {
  readonly command: RegExp
  readonly folder: string
  readonly source: Source
  /** The setting by which a project says otherwise. */
  readonly setting?: readonly [tool: string, name: string]
}

/** Tools that leave pages, and where, unless they are told otherwise. */
const TOOLS: ReadonlyArray<Tool> = [
  {
    command: /\bvite build\b/u,
    folder: "dist",
    source: { name: "Vite, build.outDir", url: "https://vite.dev/config/build-options" },
    setting: ["vite", "build.outDir"]
  },
  {
    command: /\bastro build\b/u,
    folder: "dist",
    source: { name: "Astro, outDir", url: "https://docs.astro.build/en/reference/configuration-reference/" },
    setting: ["astro", "outDir"]
  },
  {
    command: /\b(?:@11ty\/)?eleventy\b/u,
    folder: "_site",
    source: { name: "Eleventy, output directory", url: "https://www.11ty.dev/docs/config/" }
  },
  {
    command: /\bdocusaurus build\b/u,
    folder: "build",
    source: { name: "Docusaurus, build", url: "https://docusaurus.io/docs/cli" }
  },
  {
    command: /\breact-scripts build\b/u,
    folder: "build",
    source: { name: "Create React App, build", url: "https://create-react-app.dev/docs/production-build/" }
  }
]

const isPlainFolder = (folder: string): boolean => /^[\w][\w./-]*$/u.test(folder) && !folder.includes("..")

/** What settings of services for pages say. */
const SETTINGS: ReadonlyArray<readonly [tool: string, name: string]> = [
  ["wrangler", "pages_build_output_dir"],
  ["netlify", "build.publish"],
  ["vercel", "outputDirectory"]
]

const buildIn = (project: Project, folder: string): Fact<"script"> | undefined =>
  project.factsOf(posix.join(folder, "package.json"), "script").find(({ subject }) => subject === "build")

const buildOf = (project: Project, script: Fact<"script"> | undefined): Said<string> | undefined => {
  const call = script === undefined ? undefined : callOf(project, script)
  return script === undefined || call === undefined ? undefined : { value: call, evidence: [script] }
}

const ofSettings = (project: Project): Pages | undefined => {
  const settings = project.facts("setting")
  for (const [tool, name] of SETTINGS) {
    const setting = settings.find(({ subject, value }) => subject === tool && value.name === name)
    const folder = setting?.value.value.replace(/^\.\/|\/$/gu, "") ?? ""
    if (setting === undefined || !isPlainFolder(folder)) continue
    const above = folderOf(pathOf(setting))
    return {
      folder: { value: posix.join(above, folder), evidence: [setting] },
      build: buildOf(project, buildIn(project, above)),
      source: undefined
    }
  }
  return undefined
}

const ofTools = (project: Project): Pages | undefined => {
  for (const script of project.facts("script").filter(({ subject, value: { runner } }) => subject === "build" && runner === "npm")) {
    const tool = TOOLS.find(({ command }) => command.test(script.value.command))
    if (tool === undefined) continue
    const above = folderOf(pathOf(script))
    // Vite of a package without a page builds a library.
    if (tool.folder === "dist" && tool.setting?.[0] === "vite" && !project.paths.includes(posix.join(above, "index.html"))) continue
    const [of, name] = tool.setting ?? []
    const setting = project.facts("setting").find((one) => one.subject === of && one.value.name === name && folderOf(pathOf(one)) === above)
    const said = setting !== undefined && isPlainFolder(setting.value.value) ? setting : undefined
    return {
      folder: {
        value: posix.join(above, said?.value.value ?? tool.folder),
        evidence: said === undefined ? [script] : [said, script]
      },
      build: buildOf(project, script),
      source: said === undefined ? tool.source : undefined
    }
  }
  return undefined
}

/** Pages that nothing builds, because they are there. */
const ofFiles = (project: Project): Pages | undefined => {
  for (const folder of [".", "public", "site", "www"]) {
    const [page] = project.factsOf(posix.join(folder, "index.html"), "file")
    if (page !== undefined) return { folder: { value: folder, evidence: [page] }, build: undefined, source: undefined }
  }
  return undefined
}

const NONE = {}
const known = memo((project): { readonly pages?: Pages } => {
  const pages = ofSettings(project) ?? ofTools(project) ?? ofFiles(project)
  return pages === undefined ? NONE : { pages }
})

export const pagesOf = (project: Project): Pages | undefined => known(project).pages

export const NO_PAGES = "No folder of pages: no build of Vite, Astro, Eleventy or Docusaurus, and no index.html."
