/** JSON Schema and OpenAPI: fields of each schema, and the routes of a document. */
import { posix } from "node:path"
import { type AnyFact, type Fact, fact, type Field, type Reader } from "../../model.ts"
import { clip } from "../../text.ts"
import { jsonTree } from "../../trees/json.ts"
import { find, type Member, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"

const METHODS = new Set(["delete", "get", "head", "options", "patch", "post", "put", "trace"])

/** Such as `string`, `string[]`, or the last name of a reference. */
const typeOf = (schema: Tree): string => {
  const reference = textOf(schema, "$ref")
  if (reference !== null) return reference.split("/").at(-1) ?? reference
  const types = textsOf(schema, "type")
  const items = find(schema, "items")
  if (types.length === 1 && types[0] === "array" && items !== undefined) return `${typeOf(items)}[]`
  return types.length > 0 ? types.join(" | ") : find(schema, "enum") === undefined ? "" : textsOf(schema, "enum").join(" | ")
}

const fieldsOf = (schema: Tree): ReadonlyArray<Field> => {
  const required = new Set(textsOf(schema, "required"))
  return membersOf(schema, "properties").map(({ name, value }) => ({
    name: clip(name),
    type: clip(typeOf(value)),
    required: required.has(name)
  }))
}

const schemas = (style: string, members: ReadonlyArray<Member>): ReadonlyArray<Fact<"schema">> =>
  members.map(({ name, span, value }) => fact("schema", clip(name), { style, fields: fieldsOf(value) }, span))

const jsonSchema = (root: Tree, path: string): ReadonlyArray<AnyFact> => {
  const name = textOf(root, "title") ?? posix.basename(path)
  const own = find(root, "properties") === undefined ? [] : schemas("json-schema", [{ name, value: root, span: root.span }])
  return [...own, ...["$defs", "definitions"].flatMap((field) => schemas("json-schema", membersOf(root, field)))]
}

const openApi = (root: Tree): ReadonlyArray<AnyFact> => [
  ...membersOf(root, "paths").flatMap((route) =>
    membersOf(route.value).filter(({ name }) => METHODS.has(name)).map(({ name, span, value }) => {
      const [method, path] = [name.toUpperCase(), clip(route.name)]
      return fact("route", `${method} ${path}`, { method, path, handler: textOf(value, "operationId"), framework: "openapi" }, span)
    })
  ),
  ...schemas("openapi", membersOf(root, "components", "schemas")),
  ...schemas("openapi", membersOf(root, "definitions"))
]

/** A look at the text, which spares parsing of every other file of data. */
const IS_OPENAPI = /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/mu
const IS_SCHEMA = /"\$schema"\s*:\s*"https?:\/\/json-schema\.org\//u

export const schemaFiles: Reader = {
  takes: (path) => /\.(?:json|ya?ml)$/u.test(path),
  read: (path, text) => {
    const isSchema = path.endsWith(".schema.json") || IS_SCHEMA.test(text)
    if (!isSchema && !IS_OPENAPI.test(text)) return []
    const tree = path.endsWith(".json") ? jsonTree(path, text) : yamlTree(path, text)
    if (tree === undefined) return []
    return (textOf(tree, "openapi") ?? textOf(tree, "swagger")) === null ? isSchema ? jsonSchema(tree, path) : [] : openApi(tree)
  }
}
