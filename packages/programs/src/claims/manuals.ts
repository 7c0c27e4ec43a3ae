/** Manuals of the tools whose commands artifacts write where no script of the repository does. */
import type { Source } from "./model.ts"

const manual = (name: string, url: string): Source => ({ name, url })

export const MANUALS = {
  cargo: manual("Cargo", "https://doc.rust-lang.org/cargo/commands/"),
  phpunit: manual("PHPUnit", "https://docs.phpunit.de/"),
  dart: manual("dart test", "https://dart.dev/tools/dart-test"),
  dotnet: manual("dotnet", "https://learn.microsoft.com/dotnet/core/tools/"),
  go: manual("go", "https://pkg.go.dev/cmd/go"),
  gradle: manual("Gradle", "https://docs.gradle.org/current/userguide/command_line_interface.html"),
  maven: manual("Maven", "https://maven.apache.org/run.html"),
  mix: manual("mix test", "https://hexdocs.pm/mix/Mix.Tasks.Test.html"),
  mypy: manual("mypy", "https://mypy.readthedocs.io/en/stable/running_mypy.html"),
  node: manual("node:test", "https://nodejs.org/api/test.html"),
  npm: manual("npm", "https://docs.npmjs.com/cli/commands/npm-install"),
  npmCi: manual("npm", "https://docs.npmjs.com/cli/commands/npm-ci"),
  pip: manual("pip", "https://pip.pypa.io/en/stable/cli/pip_install/"),
  pipenv: manual("Pipenv", "https://pipenv.pypa.io/en/latest/commands.html"),
  pnpm: manual("pnpm", "https://pnpm.io/installation"),
  poetry: manual("Poetry", "https://python-poetry.org/docs/cli/"),
  pytest: manual("pytest", "https://docs.pytest.org/en/stable/how-to/usage.html"),
  rspec: manual("RSpec", "https://rspec.info/documentation/"),
  ruff: manual("Ruff", "https://docs.astral.sh/ruff/linter/"),
  spring: manual("Spring Boot", "https://docs.spring.io/spring-boot/maven-plugin/packaging.html"),
  springGradle: manual("Spring Boot", "https://docs.spring.io/spring-boot/gradle-plugin/packaging.html"),
  unittest: manual("unittest", "https://docs.python.org/3/library/unittest.html"),
  uv: manual("uv", "https://docs.astral.sh/uv/concepts/projects/sync/"),
  uvicorn: manual("Uvicorn", "https://www.uvicorn.org/settings/"),
  yarn: manual("Yarn", "https://yarnpkg.com/getting-started/install")
} as const
