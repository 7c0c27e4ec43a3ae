/**
 * What was read of a repository. A fact says one thing and where it stands; whatever an artifact claims is made of facts. Readers find
 * facts in one file at a time; `Project` links them over files.
 */

import type { Colour } from "./colour.ts"
import type { Grammar } from "./grammars.ts"

/** Lines of a file, the first of them 1. Paths are those of the repository, with `/`. */
export interface Span {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
}

export type FileRole = "source" | "test" | "documentation" | "configuration" | "style" | "page" | "data" | "generated"

export type SymbolKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "constant"
  | "variable"
  | "module"
  | "macro"
  | "event"

export type Ecosystem = "npm" | "pypi" | "cargo" | "go" | "rubygems" | "packagist" | "maven" | "nuget" | "hex" | "pub"

/** A field of a schema, a type or a table. `type` is as written. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/**
 * The values of each kind of fact; `subject` of the fact is the name of the thing, such as the symbol or the package. Texts are as
 * written, on one line, clipped, without invisible characters.
 */
export interface FactValues {
  // A file
  readonly file: { readonly language: string; readonly role: FileRole; readonly lines: number; readonly bytes: number }

  // Code
  readonly symbol: {
    readonly kind: SymbolKind
    readonly exported: boolean
    /** What it is declared in, such as a class. */
    readonly container: string | null
    /** Its first line, without the body. */
    readonly signature: string
    /** The first sentence of its comment. */
    readonly doc: string | null
  }
  /** `subject` is what stands between the quotes. */
  readonly import: { readonly names: ReadonlyArray<string>; readonly style: "static" | "dynamic" | "type" | "reexport" }
  /** `subject` is the name that is called, without the object before its last dot. */
  readonly call: { readonly callee: string; readonly caller: string | null }
  /** `subject` is `GET /orders/:id`. */
  readonly route: { readonly method: string; readonly path: string; readonly handler: string | null; readonly framework: string }
  /** A router that is mounted below a path; `subject` is the router's name. Routes of the file that it comes from get the prefix. */
  readonly mount: { readonly prefix: string }
  readonly component: { readonly framework: string; readonly props: ReadonlyArray<Field> }
  /** A component that markup uses; `subject` is its name. `within` is the component whose markup it is. The prop `...` may be any. */
  readonly render: { readonly within: string | null; readonly props: ReadonlyArray<string> }
  /** Class names that the markup of a component writes plainly; `subject` is the component, of a page its path. */
  readonly classes: { readonly names: ReadonlyArray<string> }
  readonly test: { readonly suite: string | null; readonly framework: string }
  /** `subject` is the variable's name. */
  readonly environment: { readonly fallback: string | null; readonly required: boolean }
  /**
   * A call that opens a port; `subject` is what is called. `variable` says the port where it is set, `port` where it is not; both are null
   * where the port comes from elsewhere.
   */
  readonly listen: { readonly port: number | null; readonly variable: string | null; readonly host: string | null }
  /** `subject` is the error's class, or what is thrown. */
  readonly error: { readonly style: "throw" | "catch" | "return"; readonly message: string | null; readonly within: string | null }
  /** `subject` is the logger. */
  readonly log: { readonly level: string; readonly message: string | null; readonly within: string | null }
  /** `subject` is the statement's first word. */
  readonly sql: {
    readonly tables: ReadonlyArray<string>
    /** Of the tables, those that it writes. */
    readonly writes: ReadonlyArray<string>
    readonly text: string
  }
  /** `subject` is the provider. */
  readonly "model-call": {
    readonly model: string | null
    readonly call: string
    readonly within: string | null
    /** Such as `max_tokens` and `stream`, as written. */
    readonly options?: Readonly<Record<string, string>>
    /** Names that it gives on, of which some are prompts. */
    readonly constants?: ReadonlyArray<string>
    /** The line of the loop that it stands in; the fact's second place. */
    readonly loop?: string | null
  }
  /** Text that a model is given; `subject` is the constant, the argument or the file that holds it. */
  readonly prompt: {
    readonly text: string
    /** By the encoding o200k_base, without what a run fills in. */
    readonly tokens: number
    /** How many values a run fills in. */
    readonly holes: number
    readonly within: string | null
  }
  /**
   * A name in code, or a whole string, that shows how payments are handled; `subject` is a sign of `code/payment-signs.ts`. None stands
   * in a comment, in prose or in a function that nothing leads to.
   */
  readonly "payment-sign": { readonly text: string; readonly within: string | null }
  /** Something that is sold, as a literal of code or of a catalogue in JSON; `subject` is its identifier. `price` is as written. */
  readonly "catalog-item": {
    readonly title: string | null
    readonly price: { readonly name: string; readonly value: string }
    readonly currency: string | null
  }
  readonly schema: { readonly style: string; readonly fields: ReadonlyArray<Field> }
  /** A command of a command line that the code defines. */
  readonly command: { readonly description: string | null; readonly framework: string }
  /** A call that tells a service of analytics what a user did; `subject` is the event's name. */
  readonly tracking: { readonly call: string; readonly within: string | null }
  /** A call that asks whether a feature or an experiment is on; `subject` is its name. */
  readonly flag: { readonly call: string; readonly within: string | null }
  /** A call that sends a mail; `title` is what its subject line says, where the call says it. `subject` is the function. */
  readonly mail: { readonly title: string | null; readonly template: string | null; readonly within: string | null }
  /** `subject` is `TODO`, `FIXME` and the like. */
  readonly todo: { readonly text: string }

  // What builds and runs it
  readonly manifest: {
    readonly ecosystem: Ecosystem
    readonly version: string | null
    readonly description: string | null
    readonly license: string | null
    readonly private: boolean
    /** Such as `main`, `bin.svc`, `exports../x`: paths or modules that users come in by. */
    readonly entries: ReadonlyArray<{ readonly name: string; readonly target: string }>
    readonly workspaces: ReadonlyArray<string>
    /** Such as `node >=20`. */
    readonly requires: ReadonlyArray<string>
  }
  /** A path or module by which users come in; `subject` is `main`, `bin.svc`, `exports../x` and the like. */
  readonly entry: { readonly ecosystem: Ecosystem; readonly target: string; readonly package: string | null }
  readonly script: { readonly runner: string; readonly command: string }
  readonly dependency: {
    readonly ecosystem: Ecosystem
    readonly range: string
    readonly scope: "runtime" | "development" | "peer" | "optional" | "build"
  }
  /** A version that a lock file fixes. `direct` is null where the file does not say whether the project itself asks for the package. */
  readonly locked: { readonly ecosystem: Ecosystem; readonly version: string; readonly direct: boolean | null }
  /** `subject` is an SPDX expression, or the text as written where it is none. */
  readonly license: { readonly source: "manifest" | "file" | "header"; readonly spdx: boolean }
  /** The file of a licence, by its path; `reason` says why `text` is not what stands in it, byte for byte. */
  readonly "license-text": { readonly text: string; readonly reason: string | null }
  /** A member of a manifest that a registry or a marketplace shows; `subject` is its name, such as `keywords`. */
  readonly listing: { readonly json: string }
  /** A step of continuous integration; `subject` is the workflow. */
  readonly "ci-step": { readonly job: string; readonly name: string | null; readonly run: string | null; readonly uses: string | null }
  readonly "ci-trigger": { readonly on: string }
  /** A setting of a tool; `subject` is the tool, such as `eslint`, `typescript`, `prettier`. */
  readonly setting: { readonly name: string; readonly value: string }
  /** An instruction of a Dockerfile, or a service of a compose file. */
  readonly container: { readonly instruction: string; readonly value: string }
  /** What package.json and tsconfig.json say to a resolver of modules: only those members. `subject` is the path. */
  readonly resolution: { readonly json: string }
  /** What a file that says of itself that it is generated names as its origin. */
  readonly generated: { readonly by: string }

  // Documents and pages
  readonly heading: { readonly level: number }
  readonly paragraph: { readonly text: string; readonly under: string | null }
  readonly link: { readonly target: string; readonly image: boolean }
  /** `subject` is the language. */
  readonly "code-block": { readonly text: string }
  /** `subject` is the name of a custom property, or the property that a plain colour, size or font is written for. */
  readonly token: { readonly value: string; readonly scope: string; readonly colour?: Colour }
  /** A use of a custom property or variable; `subject` is its name. Of code, `scope` is the component. */
  readonly "token-use": { readonly property: string | null; readonly scope: string }
  /**
   * An element of a page or of JSX that says something of the page: `subject` is `title`, `meta:description`, `h1`, `img`, `a` and so on.
   * An attribute whose value only a run shows is `{…}`; the attribute `...` says that a run may add others. A component that stands in the
   * text is `<Name>`.
   */
  readonly element: { readonly text: string; readonly attributes: Readonly<Record<string, string>> }

  // What was tried
  /** `subject` is the command. Gathered before the programs run; `reason` says why it was not run. */
  readonly ran: { readonly exit_code: number | null; readonly output: string; readonly reason: string | null }
}

export type FactKind = keyof FactValues

export interface Fact<K extends FactKind = FactKind> {
  readonly kind: K
  readonly subject: string
  readonly value: FactValues[K]
  readonly evidence: readonly [Span, ...ReadonlyArray<Span>]
}

/** A fact of any kind, which `kind` tells apart. */
export type AnyFact = { [K in FactKind]: Fact<K> }[FactKind]

/** What one file gave. */
export interface FileFacts {
  readonly path: string
  readonly facts: ReadonlyArray<AnyFact>
}

/** A reader that finds facts in the files that it takes. Pure: same bytes, same facts. */
export interface Reader {
  readonly takes: (path: string) => boolean
  /** What has to be loaded before a file is read. */
  readonly grammar?: (path: string) => Grammar
  readonly read: (path: string, text: string) => ReadonlyArray<AnyFact> | Promise<ReadonlyArray<AnyFact>>
}

/** A fact of one place. */
export const fact = <K extends FactKind>(kind: K, subject: string, value: FactValues[K], at: Span): Fact<K> => ({
  kind,
  subject,
  value,
  evidence: [at]
})
