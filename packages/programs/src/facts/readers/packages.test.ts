import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "listed/Cargo.toml",
    text: `
[package]
name = "ledger"
description = "Books."
`,
    facts: `
2 listing name: json="ledger"
2 manifest ledger: description=Books., ecosystem=cargo
3 listing description: json="Books."
`
  },
  {
    path: "listed/pyproject.toml",
    text: `
[project]
name = "agent"
keywords = ["agent", "support"]
`,
    facts: `
2 listing name: json="agent"
2 manifest agent: ecosystem=pypi
3 listing keywords: json=["agent","support"]
`
  },
  {
    path: "pyproject.toml",
    text: `
[project]
name = "shop"
version = "1.0.0"
license = { text = "MIT" }
requires-python = ">=3.11"
dependencies = [
  "fastapi>=0.110",
  "httpx[http2]~=0.27; python_version > '3.9'",
]
[project.optional-dependencies]
pdf = ["weasyprint"]
[project.scripts]
shop = "shop.cli:main"
[dependency-groups]
dev = ["pytest>=8", { include-group = "lint" }]
[build-system]
requires = ["hatchling"]
[tool.ruff]
line-length = 100
lint.select = ["E", "F"]
[tool.pytest.ini_options]
addopts = "-q"
[tool.poe.tasks]
test = "pytest"
check = { cmd = "ruff check ." }
`,
    facts: `
2 listing name: json="shop"
2 manifest shop: version=1.0.0, license=MIT, entries=[scripts.shop shop.cli:main], requires=[python >=3.11], ecosystem=pypi
3 listing version: json="1.0.0"
4 license MIT: source=manifest, spdx=true
4 listing license: json={"text":"MIT"}
5 setting python: name=requires-python, value=>=3.11
7 dependency fastapi: ecosystem=pypi, range=>=0.110, scope=runtime
8 dependency httpx: ecosystem=pypi, range=~=0.27, scope=runtime
11 dependency weasyprint: ecosystem=pypi, scope=optional
13 entry scripts.shop: ecosystem=pypi, package=shop, target=shop.cli:main
15 dependency pytest: ecosystem=pypi, range=>=8, scope=development
17 dependency hatchling: ecosystem=pypi, scope=build
19 setting ruff: name=line-length, value=100
20 setting ruff: name=lint.select, value=E, F
22 setting pytest: name=ini_options.addopts, value=-q
24 script test: runner=poe, command=pytest
25 script check: runner=poe, command=ruff check .
`
  },
  {
    path: "old/pyproject.toml",
    text: `
[tool.poetry]
name = "old"
version = "0.1.0"
license = "BSD-3-Clause"
[tool.poetry.dependencies]
python = "^3.10"
django = { version = "^5.0", extras = ["argon2"] }
[tool.poetry.group.dev.dependencies]
mypy = "*"
[tool.poetry.scripts]
manage = "old.manage:main"
`,
    facts: `
2 listing name: json="old"
2 manifest old: version=0.1.0, license=BSD-3-Clause, entries=[scripts.manage old.manage:main], requires=[python ^3.10], ecosystem=pypi
3 listing version: json="0.1.0"
4 license BSD-3-Clause: source=manifest, spdx=true
4 listing license: json="BSD-3-Clause"
6 setting python: name=requires-python, value=^3.10
7 dependency django: ecosystem=pypi, range=^5.0, scope=runtime
9 dependency mypy: ecosystem=pypi, range=*, scope=development
11 entry scripts.manage: ecosystem=pypi, package=old, target=old.manage:main
`
  },
  {
    path: "requirements-dev.txt",
    text: `
-r requirements.txt
pytest==8.1.0 \\
    --hash=sha256:abc
black  # formats
`,
    facts: `
2 dependency pytest: ecosystem=pypi, range===8.1.0, scope=development
4 dependency black: ecosystem=pypi, scope=development
`
  },
  {
    path: "setup.cfg",
    text: `
[metadata]
name = legacy
license = MIT
[options]
install_requires =
    requests>=2
    attrs
[options.entry_points]
console_scripts =
    legacy = legacy.main:run
[tool:pytest]
testpaths = tests
`,
    facts: `
2 manifest legacy: license=MIT, entries=[console_scripts.legacy legacy.main:run], ecosystem=pypi
3 license MIT: source=manifest, spdx=true
6 dependency requests: ecosystem=pypi, range=>=2, scope=runtime
7 dependency attrs: ecosystem=pypi, scope=runtime
10 entry console_scripts.legacy: ecosystem=pypi, package=legacy, target=legacy.main:run
12 setting pytest: name=testpaths, value=tests
`
  },
  {
    path: "Pipfile",
    text: `
[packages]
flask = "*"
[dev-packages]
pytest = { version = "~=8.0" }
`,
    facts: `
2 dependency flask: ecosystem=pypi, range=*, scope=runtime
4 dependency pytest: ecosystem=pypi, range=~=8.0, scope=development
`
  },
  {
    path: "uv.lock",
    text: `
version = 1

[[package]]
name = "httpx"
version = "0.27.0"
source = { registry = "https://pypi.example/simple" }
dependencies = [
    { name = "anyio" },
]

[[package]]
name = "anyio"
version = "4.3.0"
source = { registry = "https://pypi.example/simple" }

[[package]]
name = "shop"
version = "1.0.0"
source = { virtual = "." }
dependencies = [
    { name = "httpx" },
]
`,
    facts: `
3-5 locked httpx: ecosystem=pypi, version=0.27.0, direct=true
11-13 locked anyio: ecosystem=pypi, version=4.3.0, direct=false
`
  },
  {
    path: "poetry.lock",
    text: `
[[package]]
name = "django"
version = "5.0.3"
`,
    facts: `
1-3 locked django: ecosystem=pypi, version=5.0.3
`
  },
  {
    path: "Cargo.toml",
    text: `
[package]
name = "shop"
version.workspace = true
license = "MIT OR Apache-2.0"
rust-version = "1.75"
[[bin]]
name = "shopd"
path = "src/d.rs"
[features]
default = ["tls"]
[dependencies]
serde = { version = "1", features = ["derive"] }
tokio = "1.36"
[dev-dependencies]
proptest = "1"
[target.'cfg(unix)'.dependencies]
libc = { version = "0.2", optional = true }
[workspace]
members = ["crates/*"]
`,
    facts: `
2 listing name: json="shop"
2 manifest shop: version=workspace, license=MIT OR Apache-2.0, entries=[bin.shopd src/d.rs], workspaces=[crates/*], \
requires=[rust 1.75], ecosystem=cargo
3 listing version: json={"workspace":"true"}
4 license MIT OR Apache-2.0: source=manifest, spdx=true
4 listing license: json="MIT OR Apache-2.0"
5 setting rust: name=rust-version, value=1.75
8 entry bin.shopd: ecosystem=cargo, package=shop, target=src/d.rs
10 setting cargo: name=features.default, value=tls
12 dependency serde: ecosystem=cargo, range=1, scope=runtime
13 dependency tokio: ecosystem=cargo, range=1.36, scope=runtime
15 dependency proptest: ecosystem=cargo, range=1, scope=development
17 dependency libc: ecosystem=cargo, range=0.2, scope=optional
`
  },
  {
    path: "Cargo.lock",
    text: `
[[package]]
name = "serde"
version = "1.0.197"
source = "registry+https://index.example"

[[package]]
name = "shop"
version = "0.1.0"
dependencies = [
 "serde",
]
`,
    facts: `
1-3 locked serde: ecosystem=cargo, version=1.0.197, direct=true
`
  },
  {
    path: "go.mod",
    text: `
module example.com/shop

go 1.22

require github.com/go-chi/chi/v5 v5.0.12

require (
	github.com/google/uuid v1.6.0
	golang.org/x/sys v0.18.0 // indirect
)

replace example.com/kit => ../kit
`,
    facts: `
1 manifest example.com/shop: requires=[go 1.22], ecosystem=go
3 setting go: name=version, value=1.22
5 dependency github.com/go-chi/chi/v5: ecosystem=go, range=v5.0.12, scope=runtime
5 locked github.com/go-chi/chi/v5: ecosystem=go, version=v5.0.12, direct=true
8 dependency github.com/google/uuid: ecosystem=go, range=v1.6.0, scope=runtime
8 locked github.com/google/uuid: ecosystem=go, version=v1.6.0, direct=true
9 locked golang.org/x/sys: ecosystem=go, version=v0.18.0, direct=false
12 setting go: name=replace, value=example.com/kit => ../kit
`
  },
  {
    path: "Gemfile",
    text: `
source "https://gems.example"
gem "rails", "~> 7.1", ">= 7.1.2"
gem 'puma'
group :development, :test do
  gem "rspec-rails", require: "spec"
end
`,
    facts: `
2 dependency rails: ecosystem=rubygems, range=~> 7.1, >= 7.1.2, scope=runtime
3 dependency puma: ecosystem=rubygems, scope=runtime
5 dependency rspec-rails: ecosystem=rubygems, scope=development
`
  },
  {
    path: "Gemfile.lock",
    text: `
GEM
  remote: https://gems.example/
  specs:
    puma (6.4.2)
      nio4r (~> 2.0)
    nio4r (2.7.1)

DEPENDENCIES
  puma
`,
    facts: `
4 locked puma: ecosystem=rubygems, version=6.4.2, direct=true
6 locked nio4r: ecosystem=rubygems, version=2.7.1, direct=false
`
  },
  {
    path: "shop.gemspec",
    text: `
Gem::Specification.new do |spec|
  spec.name = "shop"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.add_dependency "rack", "~> 3.0"
  spec.add_development_dependency "minitest"
end
`,
    facts: `
2 manifest shop: license=MIT, requires=[ruby >= 3.1], ecosystem=rubygems
3 license MIT: source=manifest, spdx=true
5 dependency rack: ecosystem=rubygems, range=~> 3.0, scope=runtime
6 dependency minitest: ecosystem=rubygems, scope=development
`
  },
  {
    path: "composer.json",
    text: `
{
  "name": "acme/shop",
  "license": "proprietary",
  "require": { "php": ">=8.2", "laravel/framework": "^11.0" },
  "require-dev": { "phpunit/phpunit": "^11" },
  "scripts": { "test": ["@lint", "phpunit"] }
}
`,
    facts: `
2 manifest acme/shop: license=proprietary, requires=[php >=8.2], ecosystem=packagist
3 license proprietary: source=manifest
4 dependency laravel/framework: ecosystem=packagist, range=^11.0, scope=runtime
5 dependency phpunit/phpunit: ecosystem=packagist, range=^11, scope=development
6 script test: runner=composer, command=@lint && phpunit
`
  },
  {
    path: "composer.lock",
    text: `
{ "packages": [
  {
    "name": "laravel/framework",
    "version": "v11.0.8"
  }
] }
`,
    facts: `
3-4 locked laravel/framework: ecosystem=packagist, version=v11.0.8
`
  },
  {
    path: "pom.xml",
    text: `
<?xml version="1.0"?>
<project>
  <parent>
    <groupId>com.acme</groupId>
    <version>2.0</version>
    <relativePath/>
  </parent>
  <artifactId>shop</artifactId>
  <licenses><license><name>Apache-2.0</name></license></licenses>
  <modules><module>api</module></modules>
  <properties>
    <maven.compiler.release>21</maven.compiler.release>
  </properties>
  <dependencies>
    <!-- web -->
    <dependency>
      <groupId>io.javalin</groupId>
      <artifactId>javalin</artifactId>
      <version>\${javalin.version}</version>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-shade-plugin</artifactId></plugin></plugins></build>
</project>
`,
    facts: `
8 manifest com.acme:shop: version=2.0, license=Apache-2.0, workspaces=[api], requires=[java 21], ecosystem=maven
9 license Apache-2.0: source=manifest, spdx=true
12 setting maven: name=maven.compiler.release, value=21
16-20 dependency io.javalin:javalin: ecosystem=maven, range=\${javalin.version}, scope=runtime
21-25 dependency org.junit.jupiter:junit-jupiter: ecosystem=maven, scope=development
27 dependency org.apache.maven.plugins:maven-shade-plugin: ecosystem=maven, scope=build
`
  },
  {
    path: "build.gradle.kts",
    text: `
plugins {
  id("org.springframework.boot") version "3.2.4"
}
dependencies {
  implementation("org.postgresql:postgresql:42.7.3")
  implementation(libs.jackson.core)
  testImplementation "junit:junit:4.13.2"
}
java {
  toolchain { languageVersion = JavaLanguageVersion.of(21) }
}
`,
    facts: `
2 dependency org.springframework.boot: ecosystem=maven, range=3.2.4, scope=build
5 dependency org.postgresql:postgresql: ecosystem=maven, range=42.7.3, scope=runtime
6 dependency libs.jackson.core: ecosystem=maven, scope=runtime
7 dependency junit:junit: ecosystem=maven, range=4.13.2, scope=development
10 setting gradle: name=java, value=21
`
  },
  {
    path: "settings.gradle",
    text: `
rootProject.name = 'shop'
include ':app', ':core:model'
`,
    facts: `
1 manifest shop: workspaces=[app; core/model], ecosystem=maven
`
  },
  {
    path: "gradle/libs.versions.toml",
    text: `
[versions]
jackson = "2.17.0"
[libraries]
jackson-core = { module = "com.fasterxml.jackson.core:jackson-core", version.ref = "jackson" }
guava = "com.google.guava:guava:33.1.0-jre"
`,
    facts: `
4 dependency com.fasterxml.jackson.core:jackson-core: ecosystem=maven, range=2.17.0, scope=runtime
5 dependency com.google.guava:guava: ecosystem=maven, range=33.1.0-jre, scope=runtime
`
  }
]

describe("manifests and lock files", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
