/** The names of all migrations, by package, for whoever need not load the packages. `npm run generate` writes them. */
export { default as landedMigrations } from "./landed-migrations.json" with { type: "json" }
