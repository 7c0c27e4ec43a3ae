/**
 * Twelve packages of npm, pinned by hash: JavaScript, TypeScript, Python, C, SCSS, HTML, Handlebars and Solidity that nobody wrote for us.
 */
import { unpackTar } from "modern-tar"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { Files } from "./projects.ts"

export const packages: ReadonlyArray<readonly [name: string, version: string, integrity: string]> = [
  ["fastify", "5.12.8", "sha512-moP8exb2sCHLUbJkwp+I6C0padhy4D8lp0SdmzY7HhSdZuqm7O/u3o2aq7u8okaQ//33QDzj3G/u+FsSdB8Qzw=="],
  ["pino", "10.4.0", "sha512-bk1ZMTwG/Vymx+zPoa28MhNzucFvXJWp3csrSuxuHPSMeUettaCoQ5Jvg07mtC4JGNpcfTwz41oVCnNgBK9+vA=="],
  ["ghost", "6.65.0", "sha512-D369qivOmfn4YwvBD1DljOGsHnJzBEQhBsiFnBZD+GjWrBpdZQYYNHneiQcKQVJwUom8eHWml1n5FRLQIwVFOg=="],
  ["ai", "7.0.173", "sha512-dLea37zT1h7cjkUsBprU4Rq35HJqhtHHaq1jTAXjHQoyfpeswpgCrhjZJWdWc10gjEAxmz114py7iLGQ3xIMxw=="],
  ["openai", "7.57.0", "sha512-RbmrdE5NdfW6nGq/FaCJ3KFCZpotoExPzruQUSMCTw/ouUFO08vpvVdSmgmPxQMFAiv9EXZCEXvcWYU+n6NzsQ=="],
  ["node-gyp", "13.1.0", "sha512-FpNzOLFACKG0oRBYbZ5WOeWD1EqRTIWX90MaRIWTO18lVYPx8fqIjrdS3pihjnCkSmgop6zVGkSqg1vXZLksuw=="],
  ["tree-sitter-python", "0.25.0", "sha512-eCmJx6zQa35GxaCtQD+wXHOhYqBxEL+bp71W/s3fcDMu06MrtzkVXR437dRrCrbrDbyLuUDJpAgycs7ncngLXw=="],
  ["bootstrap", "5.3.9", "sha512-20cU0rcfw8WdxtVbmfU+xT2EjvVTw9Ror/h1Qvd7DXCujRg8OO9mdBCsmTHdJFf3BuadmBNJtgIuUXsBqSkk/w=="],
  ["reveal.js", "6.0.2", "sha512-JYIg5D9aoxoaLeb84O+OvAwsKWdIavVgEDScxtYEXFCT6t6TQrhNtSgogcjdCpdLsWglhJn3zyE3fUOwiH5KEg=="],
  ["create-next-app", "16.4.3", "sha512-4/NiigySbvp7fKT/lmhzoA1NGfcSkpuXqiw3r7TNsQN3V8eeAfpaofLt/1Cpn20Q4L4cdSDpvaOWMtA+nnocJg=="],
  ["create-vite", "9.3.0", "sha512-sIWQyXxxE+lGL27GEnZocFyLu2RjvepedHrD6wu4xPsK1+iff+YrT6ntUGkoXrcezbUiV4ct+hXW0b50kAJxBg=="],
  ["@openzeppelin/contracts", "5.7.0", "sha512-IL2AZpI+7THMzt1u6Cxmc1zLwVnudtUGvrqXQ/HnbLKfQ/8dIWMMQPDwPIjRQzNrlAo4cxZaCGRB/XvwPo9ILA=="]
]

const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache/analysis")
const MOST_BYTES = 1024 * 1024
/** The measures compare each claim with each place; more files would take hours. */
const MOST_FILES = 250
const VENDORED = /(?:^|\/)(?:node_modules|vendor|dist)\/|\.min\.[a-z]+$|\.map$/u

/** The path of the package's tarball; undefined where the registry cannot be reached. A tarball with another hash is an error. */
export const tarballOf = (name: string, version: string, integrity: string): string | undefined => {
  mkdirSync(CACHE, { recursive: true })
  const path = join(CACHE, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)
  if (!existsSync(path)) {
    try {
      execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", CACHE, `${name}@${version}`], { stdio: "pipe" })
    } catch {
      return undefined
    }
  }
  const hash = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`
  if (hash !== integrity) throw new Error(`${name}@${version} has the hash ${hash}, not ${integrity}`)
  return path
}

const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 8000).includes(0)

export const filesOfPackage = async (name: string, version: string, integrity: string): Promise<Files | undefined> => {
  const path = tarballOf(name, version, integrity)
  if (path === undefined) return undefined
  const entries = await unpackTar(gunzipSync(readFileSync(path)), { strip: 1 })
  return Object.fromEntries(
    entries.flatMap(({ data, header }) =>
      header.type !== "file" || data === undefined || data.length > MOST_BYTES || VENDORED.test(header.name) || !isText(data)
        ? []
        : [[header.name, Buffer.from(data).toString()] as const]
    ).slice(0, MOST_FILES)
  )
}
