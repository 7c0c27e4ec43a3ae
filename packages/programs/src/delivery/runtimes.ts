/** Which version of a language a package asks for, and where. */
import { posix } from "node:path"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { foldersUp } from "../skills/needs.ts"
import type { Language, Runtime, Said } from "./model.ts"
import type { Buildable } from "./packages.ts"

/** Of `>=22.6` `22`; of `^3.10` `3.10`; parts of a version that the images of the language are tagged by. */
const PARTS: Readonly<Record<Language, number>> = { node: 1, python: 2, go: 2, rust: 2, java: 1 }

export const versionIn = (text: string, language: Language): string | null => {
  // Java's 1.8 is 8.
  const plain = language === "java" ? text.replace(/^1\.(?=\d$)/u, "") : text
  const numbers = /\d{1,4}(?:\.\d{1,4}){0,2}/u.exec(plain)?.[0].split(".") ?? []
  return numbers.length === 0 ? null : numbers.slice(0, PARTS[language]).join(".")
}

interface Place {
  readonly file: string
  readonly tool: string
  readonly name: RegExp
}

/** Settings that name a version; those that name one version stand before those that name a range. */
const PLACES: Readonly<Record<Language, ReadonlyArray<Place>>> = {
  node: [
    { file: ".nvmrc", tool: "node", name: /^version$/u },
    { file: ".node-version", tool: "node", name: /^version$/u },
    { file: ".tool-versions", tool: "nodejs", name: /^version$/u },
    { file: "package.json", tool: "npm", name: /^engines\.node$/u }
  ],
  python: [
    { file: ".python-version", tool: "python", name: /^version$/u },
    { file: ".tool-versions", tool: "python", name: /^version$/u },
    { file: "pyproject.toml", tool: "python", name: /^requires-python$/u }
  ],
  go: [
    { file: "go.mod", tool: "go", name: /^toolchain$/u },
    { file: "go.mod", tool: "go", name: /^version$/u }
  ],
  rust: [
    { file: "rust-toolchain.toml", tool: "rust", name: /^toolchain\.channel$/u },
    { file: "rust-toolchain", tool: "rust", name: /^version$/u },
    { file: "Cargo.toml", tool: "rust", name: /^rust-version$/u }
  ],
  java: [
    { file: ".java-version", tool: "java", name: /^version$/u },
    { file: ".tool-versions", tool: "java", name: /^version$/u },
    { file: "pom.xml", tool: "maven", name: /^(?:maven\.compiler\.(?:release|source|target)|java\.version)$/u },
    { file: "build.gradle.kts", tool: "gradle", name: /^java$/u },
    { file: "build.gradle", tool: "gradle", name: /^java$/u }
  ]
}

/** Images whose tag names a version of the language. */
const IMAGES: Readonly<Record<Language, RegExp>> = {
  node: /^node:(\d[\w.]*)/u,
  python: /^python:(\d[\w.]*)/u,
  go: /^golang:(\d[\w.]*)/u,
  rust: /^rust:(\d[\w.]*)/u,
  java: /^(?:eclipse-temurin|amazoncorretto|openjdk|maven|gradle):(?:[\w.]+-)?(?:eclipse-temurin-|jdk)?(\d[\w.]*)/u
}

const said = (fact: AnyFact, text: string, language: Language): ReadonlyArray<Said<Runtime>> => {
  const version = versionIn(text, language)
  return version === null ? [] : [{ value: { language, version }, evidence: [fact] }]
}

/** What images of the repository's own containers say. */
const ofImages = (project: Project, language: Language): ReadonlyArray<Said<Runtime>> =>
  project.facts("container").filter(({ value: { instruction } }) => instruction === "FROM" || instruction === "image").flatMap(
    (container: Fact<"container">) => {
      const tag = IMAGES[language].exec(container.value.value.trim().replace(/^--platform=\S+\s+/u, ""))?.[1]
      return tag === undefined ? [] : said(container, tag, language)
    }
  )

export const runtimeOf = (project: Project, { evidence, folder, language }: Buildable): Said<Runtime> => {
  const settings = PLACES[language].flatMap(({ file, name, tool }) =>
    foldersUp(folder).flatMap((above) =>
      project.factsOf(posix.join(above, file), "setting").filter(({ subject, value }) => subject === tool && name.test(value.name))
        .flatMap((setting) => said(setting, setting.value.value, language))
    )
  )
  return [...settings, ...ofImages(project, language)][0] ?? { value: { language, version: null }, evidence }
}
