import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "Dockerfile",
    text: `
# syntax=docker/dockerfile:1
ARG NODE=22
FROM node:22 AS build
RUN npm ci \\
  && npm run build
FROM gcr.io/distroless/nodejs22
COPY --from=build /app /app
EXPOSE 3000
CMD ["server.js"]
`,
    facts: `
2 container : instruction=ARG, value=NODE=22
3 container build: instruction=FROM, value=node:22 AS build
4-5 container build: instruction=RUN, value=npm ci && npm run build
6 container 1: instruction=FROM, value=gcr.io/distroless/nodejs22
7 container 1: instruction=COPY, value=--from=build /app /app
8 container 1: instruction=EXPOSE, value=3000
9 container 1: instruction=CMD, value=["server.js"]
`
  },
  {
    path: "docker-compose.yml",
    text: `
x-base: &base
  restart: always
services:
  db:
    <<: *base
    image: postgres:16
    ports:
      - "5432:5432"
    environment:
      POSTGRES_PASSWORD: secret
    depends_on: [cache]
`,
    facts: `
2 container db: instruction=restart, value=always
6 container db: instruction=image, value=postgres:16
8 container db: instruction=ports, value=5432:5432
10 container db: instruction=environment, value=POSTGRES_PASSWORD: secret
11 container db: instruction=depends_on, value=cache
`
  },
  {
    path: ".dockerignore",
    text: `
# Not for images.
node_modules
!dist
`,
    facts: `
2 setting docker: name=ignore, value=node_modules
3 setting docker: name=ignore, value=!dist
`
  },
  {
    path: ".env.example",
    text: `
# Where the database is.
DATABASE_URL=postgres://localhost/shop # local
export API_KEY=
NAME="a # b"
`,
    facts: `
2 environment DATABASE_URL: fallback=postgres://localhost/shop
3 environment API_KEY: required=true
4 environment NAME: fallback=a # b
`
  }
]

describe("containers and their environment", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
