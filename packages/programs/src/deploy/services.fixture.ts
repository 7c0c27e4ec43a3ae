/** Repositories of four languages that can be built, and one whose names would break out of whatever they were written into unescaped. */
import type { Texts } from "../testing/measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const bakery: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"@corner/bakery\",",
    "  \"engines\": { \"node\": \">=22.6\" },",
    "  \"scripts\": {",
    "    \"build\": \"tsc -p .\",",
    "    \"start\": \"node dist/oven.js --hot\",",
    "    \"dev\": \"tsx watch src/oven.ts\"",
    "  },",
    "  \"dependencies\": { \"fastify\": \"5.1.0\" },",
    "  \"devDependencies\": { \"typescript\": \"5.9.0\" }",
    "}"
  ),
  "package-lock.json": lines(
    "{ \"lockfileVersion\": 3, \"packages\": { \"\": {}, \"node_modules/fastify\": { \"version\": \"5.1.0\" } } }"
  ),
  "src/oven.ts": lines(
    "import fastify from \"fastify\"",
    "const port = Number(process.env.OVEN_PORT ?? \"8085\")",
    "const app = fastify()",
    "app.get(\"/healthz\", async () => \"warm\")",
    "app.listen({ port, host: \"0.0.0.0\" })",
    "if (!process.env.FLOUR_TOKEN) throw new Error(\"no flour\")",
    "export const flour = process.env.FLOUR_TOKEN!",
    "export const loaves = process.env.LOAVES ?? \"12\""
  )
}

export const weather: Texts = {
  "requirements.txt": lines("flask==3.1.0"),
  ".python-version": lines("3.12.4"),
  "setup.cfg": lines("[metadata]", "name = weather"),
  "station.py": lines(
    "import os",
    "from http.server import HTTPServer",
    "",
    "PORT = int(os.environ.get(\"PORT\", \"9100\"))",
    "HTTPServer((\"\", PORT), None).serve_forever()"
  )
}

export const ferry: Texts = {
  "go.mod": lines("module example.org/ferry", "", "go 1.24"),
  "cmd/ferryd/main.go": lines(
    "package main",
    "",
    "import \"net/http\"",
    "",
    "func main() {",
    "\thttp.ListenAndServe(\":7070\", nil)",
    "}"
  ),
  "Dockerfile": lines(
    "FROM golang:1.24 AS build",
    "WORKDIR /src",
    "COPY . .",
    "RUN go build \\",
    "  -o /ferryd ./cmd/ferryd",
    "FROM gcr.io/distroless/static:nonroot",
    "COPY --from=build /ferryd /ferryd",
    "EXPOSE 7070",
    "ENTRYPOINT [\"/ferryd\"]"
  ),
  ".dockerignore": lines("# what the image does without", "logs/")
}

export const atlas: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"atlas\",",
    "  \"scripts\": { \"build\": \"vite build\" },",
    "  \"devDependencies\": { \"vite\": \"8.0.0\" }",
    "}"
  ),
  "index.html": lines("<!doctype html>", "<title>Maps of everywhere</title>")
}

const NASTY = "$(touch /tmp/owned) `id` \"'\\ */ --> ]]> ${HOME} ..; rm"

export const nasty: Texts = {
  "package.json": `${
    JSON.stringify(
      {
        name: NASTY,
        scripts: { build: "true", [`start ${NASTY}`]: NASTY, start: `node server.js "${NASTY}"` },
        bin: { [NASTY]: `${NASTY}.js` },
        dependencies: { [NASTY]: NASTY }
      },
      null,
      2
    )
  }\n`,
  Procfile: lines(`web: node "server.js" '${NASTY}' # $PORT`),
  "server.js": lines(
    `require("node:http").createServer().listen(process.env.PORT || 4000)`,
    `const way = process.env.WAY || ${JSON.stringify(NASTY)}`,
    `app.get("/health", go)`
  ),
  "index.html": lines(`<title>${NASTY}</title>`),
  "docker-compose.yml": lines("services:", `  "${"a: b $(x)"}":`, `    image: ${JSON.stringify(NASTY)}`)
}
