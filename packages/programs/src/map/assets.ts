/** Pictures, sounds, films and fonts of a project, and where they are used. */
import { posix } from "node:path"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { linkedPath } from "./documents.ts"
import { folderOf } from "./graph.ts"
import { memo } from "./memo.ts"
import { isTestFile, pathOf } from "./uses.ts"

export interface AssetUse {
  readonly fact: AnyFact
  /** What stands in for the picture; null where nothing is said. */
  readonly alt: string | null
}

export interface Asset {
  readonly path: string
  readonly format: string
  /** Of text formats, whose content is read. */
  readonly picture: Fact<"element"> | undefined
  readonly file: Fact<"file"> | undefined
  /** It is used, and no file of that path is in the project. */
  readonly missing: boolean
  readonly uses: ReadonlyArray<AssetUse>
}

const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov|mp3|wav|ogg|woff2?|ttf|otf|eot)$/iu

const formatOf = (path: string): string => (ASSET.exec(path)?.[1] ?? "").toLowerCase().replace("jpeg", "jpg")

/** Folders whose content a server offers at the root of its site. */
const SERVED = ["", "public/", "static/", "assets/", "src/"]

/** Paths that an address of a page may mean. */
const candidates = (address: string, at: string): ReadonlyArray<string> => {
  const target = address.split(/[#?]/u, 1).join("")
  if (target === "" || /^(?:[a-z][a-z+.-]*:|\/\/)/iu.test(target) || /\{\{|<%|\$\{/u.test(target)) return []
  return target.startsWith("/") ? SERVED.map((folder) => `${folder}${target.slice(1)}`) : [posix.join(folderOf(at), target)]
}

interface Reference extends AssetUse {
  readonly paths: ReadonlyArray<string>
}

const addressOf = ({ subject, value: { attributes } }: Fact<"element">): string | undefined =>
  subject === "img" || subject === "video"
    ? attributes["src"]
    : /^link:.*icon/u.test(subject)
    ? attributes["href"]
    : /^meta:(?:og|twitter):image$/u.test(subject)
    ? attributes["content"]
    : undefined

const references = (project: Project): ReadonlyArray<Reference> => [
  ...project.facts("link").filter(({ value }) => value.image).flatMap((fact) => {
    const path = linkedPath(fact)
    return path === undefined ? [] : [{ fact, alt: fact.subject === "" ? null : fact.subject, paths: [path] }]
  }),
  ...project.facts("element").filter((fact) => !isTestFile(project, pathOf(fact))).flatMap((fact) => {
    const address = addressOf(fact)
    return address === undefined
      ? []
      : [{ fact, alt: fact.subject === "img" ? fact.value.attributes["alt"] ?? null : "", paths: candidates(address, pathOf(fact)) }]
  })
]

export const assetsOf: (project: Project) => ReadonlyArray<Asset> = memo((project) => {
  const known = new Set([...project.paths, ...project.skipped.map(({ path }) => path)])
  const used = Map.groupBy(
    references(project).flatMap(({ alt, fact, paths }) => {
      const path = paths.find((one) => known.has(one)) ?? paths[0]
      return path === undefined || !ASSET.test(path) || path.startsWith("..") ? [] : [{ path, use: { alt, fact } }]
    }),
    ({ path }) => path
  )
  const paths = new Set([...[...known].filter((path) => ASSET.test(path) && !isTestFile(project, path)), ...used.keys()])
  return [...paths].toSorted(byText).map((path) => ({
    path,
    format: formatOf(path),
    picture: project.factsOf(path, "element").find(({ subject }) => subject === "svg"),
    file: project.factsOf(path, "file")[0],
    missing: !known.has(path),
    uses: (used.get(path) ?? []).map(({ use }) => use)
  }))
})
