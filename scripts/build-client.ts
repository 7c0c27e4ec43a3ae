/**
 * Builds the client for programs outside of this repository, by `npm run build:client`: `dist/client` is the folder that `npm pack` and
 * `npm publish` take. One ES module for each entry point, and declarations beside them.
 */
import { execFile } from "node:child_process"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import { build, type Plugin } from "vite"

const root = join(import.meta.dirname, "..")
const client = join(root, "packages/client")

/** What programs import: `@svc/client/<name>`. */
const withEffect = ["client", "ledger", "webhooks"]
const withoutEffect = ["fetch"]
const entries = [...withEffect, ...withoutEffect]

/**
 * What only makes values: a module of the contract also defines tables and services, and those that nobody uses are left out by these
 * names. `HttpApi` is none of them: its `reflect` is called for what it does.
 */
const pure = (
  "ApiVersion Context Data Effect HttpApiEndpoint HttpApiGroup HttpApiMiddleware HttpApiSchema HttpApiSecurity Layer Model OpenApi " +
  "PgClient PgTypes Reference Schema SchemaAST SchemaGetter SchemaTransformation"
).split(" ")

/** What is left of the import of a package when all that was taken from it is left out. */
const withoutEmptyImports: Plugin = {
  name: "without-empty-imports",
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === "chunk") file.code = file.code.replaceAll(/^import "[^"]+";\n/gm, "")
  }
}

const modules = (names: ReadonlyArray<string>, outDir: string) =>
  build({
    configFile: false,
    logLevel: "warn",
    root: client,
    plugins: [withoutEmptyImports],
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      target: "es2024",
      lib: { entry: Object.fromEntries(names.map((name) => [name, join(client, "src", `${name}.ts`)])), formats: ["es"] },
      rolldownOptions: {
        // All but ours stays an import of another package.
        external: /^(?!\.|\/|@svc\/)/,
        treeshake: { moduleSideEffects: false, propertyReadSideEffects: false, manualPureFunctions: pure }
      }
    }
  })

/** Compiles declarations of the client and of all that it imports of the other packages, each at its path below `packages`. */
const compile = async (outDir: string): Promise<void> => {
  const packages = await readdir(join(root, "packages"))
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, "packages"),
      outDir,
      // By these TypeScript sees the packages as sources of this program, and not as installed ones, of which it compiles nothing.
      paths: Object.fromEntries(packages.map((name) => [`@svc/${name}/*`, [join(root, "packages", name, "src/*.ts")]])),
      typeRoots: [join(root, "node_modules/@types")]
    },
    include: [],
    files: entries.map((name) => join(client, "src", `${name}.ts`))
  }
  const file = join(outDir, "tsconfig.json")
  await writeFile(file, JSON.stringify(config))
  await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", file, "--singleThreaded"])
}

/** Where a declaration finds another: outside of this repository there is no `@svc` but the client. */
const located = (specifier: string, from: string): string => {
  const [, name = "", path = ""] = /^@svc\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  const to = name === "" ? join(dirname(from), specifier.replace(/\.ts$/, "")) : join(name, "src", path)
  const local = relative(dirname(from), to)
  return `${local.startsWith(".") ? local : `./${local}`}.js`
}

/** Copies the declarations that the entry points need. */
const declarations = async (compiled: string, types: string): Promise<void> => {
  const needed = new Set(entries.map((name) => `client/src/${name}.d.ts`))
  for (const file of needed) {
    const text = await readFile(join(compiled, file), "utf8")
    const own = text.replaceAll(/((?:from |import\()")((?:@svc\/|\.)[^"]+)"/g, (_, before: string, specifier: string) => {
      const path = located(specifier, file)
      needed.add(join(dirname(file), path.replace(/\.js$/, ".d.ts")))
      return `${before}${path}"`
    })
    await mkdir(join(types, dirname(file)), { recursive: true })
    await writeFile(join(types, file), own)
  }
}

/** The package that is published: that of this repository, but built. */
const packageJson = async (): Promise<string> => {
  const { private: _, ...own }: Record<string, unknown> = JSON.parse(await readFile(join(client, "package.json"), "utf8"))
  const exports = entries.map((name) => [`./${name}`, { types: `./types/client/src/${name}.d.ts`, default: `./${name}.js` }])
  return `${JSON.stringify({ ...own, sideEffects: false, exports: Object.fromEntries(exports) }, null, 2)}\n`
}

/** Builds the package into a folder, whose content goes. */
export const buildClient = async (outDir: string): Promise<void> => {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const compiled = await mkdtemp(join(outDir, "compiled-"))
  // By itself what has no Effect shares no module with the rest.
  await Promise.all([modules(withEffect, outDir), modules(withoutEffect, outDir), compile(compiled)])
  await declarations(compiled, join(outDir, "types"))
  await rm(compiled, { recursive: true })
  await writeFile(join(outDir, "package.json"), await packageJson())
  await copyFile(join(client, "README.md"), join(outDir, "README.md"))
  await copyFile(join(root, "LICENSE"), join(outDir, "LICENSE"))
}

if (import.meta.main) {
  await buildClient(join(root, "dist/client"))
  console.log("built: dist/client")
}
