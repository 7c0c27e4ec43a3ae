/** Where products are listed, what each place requires by its own manual, and what the repository has of that. */
import type { Source } from "../claims/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { AnyFact, Ecosystem, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { listedValue } from "../map/listings.ts"
import { pathOf } from "../map/uses.ts"
import { editorManifest, pluginPath } from "./manifests.ts"
import { listingsOf, manifestsOf, npmManifest, productOf, textOf } from "./product.ts"

interface Found {
  readonly text: string
  readonly items?: ReadonlyArray<string>
  readonly fact: AnyFact
  /** Where words of the text come from that stand in no fact. */
  readonly source?: Source | undefined
}

/** A field that a marketplace asks for, and what the repository says of it. */
export interface Field {
  readonly name: string
  readonly found: Found | undefined
}

export interface Offer {
  /** The file that is listed. */
  readonly path: string
  readonly required: ReadonlyArray<Field>
  /** Asked for, not required. */
  readonly wanted: ReadonlyArray<Field>
  /** What keeps it from being listed. */
  readonly refused?: { readonly text: string; readonly fact: AnyFact }
}

export interface Marketplace {
  readonly name: string
  /** What callers may write. */
  readonly called: RegExp
  readonly rule: string
  readonly source: Source
  readonly offer: (project: Project) => Offer | undefined
}

const fieldOf = (name: string, fact: Fact<"listing"> | undefined): Field => {
  if (fact === undefined) return { name, found: undefined }
  const value = listedValue(fact)
  const items = Array.isArray(value) && value.every((item) => typeof item === "string") ? { items: value } : {}
  return { name, found: { text: textOf(fact), ...items, fact } }
}

const fieldsOf = (project: Project, path: string, names: string): ReadonlyArray<Field> => {
  const listings = listingsOf(project, path)
  return names.split(" ").map((name) => fieldOf(name, listings.get(name)))
}

/** A member within a member, such as `engines.vscode`. */
const innerField = (project: Project, path: string, outer: string, inner: string): Field => {
  const fact = listingsOf(project, path).get(outer)
  const value: unknown = fact === undefined ? undefined : listedValue(fact)
  const member: unknown = typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(inner) : undefined
  return {
    name: `${outer}.${inner}`,
    found: fact === undefined || member === undefined ? undefined : { text: String(member), fact }
  }
}

const npm = (project: Project): Offer | undefined => {
  const manifest = npmManifest(project)
  if (manifest === undefined || editorManifest(project) === manifest) return undefined
  const path = pathOf(manifest)
  return {
    path,
    required: fieldsOf(project, path, "name version"),
    wanted: fieldsOf(project, path, "description license repository keywords files"),
    ...manifest.value.private ? { refused: { text: "`private` is true", fact: listingsOf(project, path).get("private") ?? manifest } } : {}
  }
}

const editor = (project: Project): Offer | undefined => {
  const manifest = editorManifest(project)
  if (manifest === undefined) return undefined
  const path = pathOf(manifest)
  return {
    path,
    required: [...fieldsOf(project, path, "name version publisher"), innerField(project, path, "engines", "vscode")],
    wanted: fieldsOf(project, path, "displayName description icon categories repository")
  }
}

export const ACTION_FILES: ReadonlyArray<string> = ["action.yml", "action.yaml"]

/** An action is listed from the root of its repository. */
export const actionPath = (project: Project): string | undefined => ACTION_FILES.find((path) => project.factsOf(path, "file").length > 0)

const action = (project: Project): Offer | undefined => {
  const path = actionPath(project)
  return path === undefined ? undefined : {
    path,
    required: fieldsOf(project, path, "name description"),
    wanted: [
      ...fieldsOf(project, path, "author"),
      innerField(project, path, "branding", "icon"),
      innerField(project, path, "branding", "color")
    ]
  }
}

const unreal = (project: Project): Offer | undefined => {
  const path = pluginPath(project)
  return path === undefined ? undefined : {
    path,
    required: fieldsOf(project, path, "FileVersion"),
    wanted: fieldsOf(project, path, "VersionName FriendlyName Description CreatedBy EngineVersion Modules")
  }
}

/** Of manifests other than npm's: what the manifest's own fact says. */
const ofEcosystem = (ecosystem: Ecosystem, required: string, wanted: string) => (project: Project): Offer | undefined => {
  const manifest = manifestsOf(project, productOf(project).folder).find(({ value }) => value.ecosystem === ecosystem)
  if (manifest === undefined) return undefined
  const { description, license, version } = manifest.value
  const listings = listingsOf(project, pathOf(manifest))
  const said: Readonly<Record<string, string | null>> = { name: manifest.subject, description, license, version }
  const fieldsOf = (names: string) =>
    names.split(" ").filter((name) => name !== "").map((name): Field => {
      const listing = listings.get(name)
      if (listing !== undefined) return fieldOf(name, listing)
      const text = said[name] ?? null
      return { name, found: text === null ? undefined : { text, fact: manifest } }
    })
  return {
    path: pathOf(manifest),
    required: fieldsOf(required),
    wanted: fieldsOf(wanted),
    ...manifest.value.private ? { refused: { text: "publishing is turned off", fact: manifest } } : {}
  }
}

/** The Dockerfile of the product, or the first of the repository. */
export const dockerfileOf = (project: Project): string | undefined => {
  const { folder } = productOf(project)
  const own = folder === "." ? "Dockerfile" : `${folder}/Dockerfile`
  const paths = project.facts("container").filter(({ value: { instruction } }) => instruction === "FROM").map(pathOf)
  return paths.includes(own) ? own : paths[0]
}

const image = (project: Project): Offer | undefined => {
  const path = dockerfileOf(project)
  const start = planOf(project)?.start
  const { described, tagline } = productOf(project)
  if (path === undefined && start === undefined) return undefined
  const about = described === undefined || tagline === undefined ? undefined : { text: tagline, fact: described }
  return {
    path: path ?? "Dockerfile",
    required: start === undefined
      ? []
      : [{ name: "start", found: { text: start.value.join(" "), fact: start.evidence[0], source: start.source } }],
    wanted: about === undefined ? [] : [{ name: "description", found: about }]
  }
}

const source = (name: string, url: string): Source => ({ name, url })

export const marketplaces: ReadonlyArray<Marketplace> = [
  {
    name: "npm",
    called: /^npm(?:js)?$/u,
    rule: "A package has `name` and `version`; npm publishes none that is `private`.",
    source: source("npm", "https://docs.npmjs.com/cli/v11/configuring-npm/package-json"),
    offer: npm
  },
  {
    name: "Docker Hub",
    called: /^docker/u,
    rule: "A short description has at most 100 characters, an overview 25000 bytes.",
    source: source("Docker", "https://docs.docker.com/docker-hub/repos/manage/information/"),
    offer: image
  },
  {
    name: "Visual Studio Marketplace",
    called: /^(?:vs-?code|visual-?studio)/u,
    rule: "An extension has `name`, `version`, `publisher` and `engines.vscode`.",
    source: source("Visual Studio Code", "https://code.visualstudio.com/api/references/extension-manifest"),
    offer: editor
  },
  {
    name: "GitHub Marketplace",
    called: /^github/u,
    rule: "An action's file is action.yml in the root of a public repository; no other action has its name.",
    source: source(
      "GitHub",
      "https://docs.github.com/en/actions/how-tos/create-and-publish-actions/publish-in-github-marketplace"
    ),
    offer: action
  },
  {
    name: "Unreal Engine",
    called: /^(?:unreal|fab)/u,
    rule: "A plugin's descriptor has `FileVersion`.",
    source: source("Unreal Engine", "https://www.schemastore.org/uplugin.json"),
    offer: unreal
  },
  {
    name: "PyPI",
    called: /^(?:pypi|pip|python)/u,
    rule: "A distribution has a name and a version.",
    source: source("PyPA", "https://packaging.python.org/en/latest/specifications/core-metadata/"),
    offer: ofEcosystem("pypi", "name version", "description license")
  },
  {
    name: "crates.io",
    called: /^(?:crates?|cargo)/u,
    rule: "A crate has `name`, `version`, `description` and `license` or `license-file`.",
    source: source("Cargo", "https://doc.rust-lang.org/cargo/reference/manifest.html"),
    offer: ofEcosystem("cargo", "name version description license", "")
  },
  {
    name: "Go modules",
    called: /^go/u,
    rule: "A module is published by a tag of its version; pkg.go.dev shows documents of modules whose licence it knows.",
    source: source("Go", "https://go.dev/doc/modules/publishing"),
    offer: ofEcosystem("go", "name", "")
  },
  {
    name: "Maven Central",
    called: /^(?:maven|sonatype)/u,
    rule: "A component also has `url`, `developers` and `scm`, which are not read here.",
    source: source("Sonatype", "https://central.sonatype.org/publish/requirements/"),
    offer: ofEcosystem("maven", "name version description license", "")
  },
  {
    name: "RubyGems",
    called: /^(?:ruby|gem)/u,
    rule: "A gem has `name`, `version`, `summary` and `authors`.",
    source: source("RubyGems", "https://guides.rubygems.org/specification-reference/"),
    offer: ofEcosystem("rubygems", "name version description", "license")
  },
  {
    name: "Packagist",
    called: /^(?:packagist|composer)/u,
    rule: "A package's composer.json has `name`, with a vendor before the slash.",
    source: source("Composer", "https://getcomposer.org/doc/04-schema.md"),
    offer: ofEcosystem("packagist", "name", "description license")
  }
]

export interface Listed {
  readonly marketplace: Marketplace
  readonly offer: Offer | undefined
}

/** Those that the caller asks for; without such a wish those that the repository has a file for. */
export const listedOf = (project: Project): ReadonlyArray<Listed> => {
  const targets = project.description.packaging?.target_marketplaces?.map((target) => target.trim().toLowerCase())
  return marketplaces.filter(({ called }) => targets === undefined || targets.some((target) => called.test(target)))
    .map((marketplace) => ({ marketplace, offer: marketplace.offer(project) }))
    .filter(({ offer }) => targets !== undefined || offer !== undefined)
}

/** Names of the caller's that are no marketplace of this list. */
export const unknownTargets = (project: Project): ReadonlyArray<string> =>
  (project.description.packaging?.target_marketplaces ?? [])
    .filter((target) => !marketplaces.some(({ called }) => called.test(target.trim().toLowerCase())))
