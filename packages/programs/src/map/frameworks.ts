/** Dependencies that say what kind of project it is. Whatever is not listed is a library. */

const KINDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  server: [
    "express",
    "fastify",
    "hono",
    "koa",
    "@nestjs/core",
    "@hapi/hapi",
    "fastapi",
    "flask",
    "django",
    "starlette",
    "github.com/gin-gonic/gin",
    "github.com/go-chi/chi",
    "github.com/labstack/echo",
    "axum",
    "actix-web",
    "rocket",
    "rails",
    "sinatra",
    "laravel/framework",
    "symfony/framework-bundle",
    "org.springframework.boot:spring-boot-starter-web"
  ],
  interface: [
    "react",
    "vue",
    "svelte",
    "solid-js",
    "@angular/core",
    "preact",
    "lit",
    "next",
    "nuxt",
    "astro",
    "@remix-run/react",
    "ember-source"
  ],
  runtime: ["effect", "rxjs", "tokio"],
  data: [
    "pg",
    "mysql2",
    "sqlite3",
    "better-sqlite3",
    "prisma",
    "@prisma/client",
    "drizzle-orm",
    "typeorm",
    "sequelize",
    "knex",
    "mongoose",
    "sqlalchemy",
    "psycopg",
    "psycopg2",
    "redis",
    "ioredis",
    "sqlx",
    "diesel",
    "bookshelf",
    "gorm.io/gorm"
  ],
  schema: ["zod", "ajv", "joi", "yup", "valibot", "@sinclair/typebox", "pydantic", "serde"],
  tests: [
    "vitest",
    "jest",
    "mocha",
    "ava",
    "tap",
    "borp",
    "@playwright/test",
    "cypress",
    "pytest",
    "junit:junit",
    "rspec",
    "phpunit/phpunit",
    "org.junit.jupiter:junit-jupiter"
  ],
  build: ["typescript", "vite", "webpack", "rollup", "esbuild", "@babel/core", "turbo", "nx", "setuptools", "hatchling", "poetry-core"],
  lint: ["eslint", "prettier", "@biomejs/biome", "oxlint", "standard", "neostandard", "ruff", "mypy", "black", "flake8"],
  model: ["openai", "@anthropic-ai/sdk", "ai", "langchain", "@modelcontextprotocol/sdk", "anthropic", "litellm"]
}

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind] as const))
)

export const kindOfDependency = (name: string): string | undefined => kinds.get(name)
