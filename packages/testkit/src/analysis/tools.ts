/**
 * A small repository for each tool that installs, builds, starts or tests: the words of its commands stand in no file of the repository.
 */
import type { Files } from "./projects.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

const node = (more: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({ name: "kiosk", dependencies: { pino: "^9.0.0" }, ...more }, null, 2)}\n`

const server = lines(
  "import { createServer } from \"node:http\"",
  "createServer((_, response) => response.end(\"kiosk\")).listen(8080)"
)

const pyproject = (...more: ReadonlyArray<string>): string =>
  lines("[project]", "name = \"kiosk\"", "version = \"1.4.0\"", "dependencies = [\"flask>=3.0\"]", ...more)

const flask = lines("from flask import Flask", "", "app = Flask(__name__)", "", "app.run(host=\"127.0.0.1\", port=5000)")

export const tools: Readonly<Record<string, Files>> = {
  npm: { "package.json": node(), "server.js": server },
  "npm with a lock file": { "package.json": node(), "package-lock.json": "{}\n", "server.js": server },
  pnpm: { "package.json": node(), "pnpm-lock.yaml": "lockfileVersion: '9.0'\n", "server.js": server },
  yarn: { "package.json": node(), "yarn.lock": "# yarn lockfile v1\n", "server.js": server },
  "node:test": {
    "package.json": node(),
    "kiosk.test.js": lines("import { test } from \"node:test\"", "test(\"opens\", () => {})")
  },
  pip: { "pyproject.toml": pyproject(), "app.py": flask },
  requirements: { "requirements.txt": "flask==3.0.3\n", "app.py": flask },
  uv: { "pyproject.toml": pyproject(), "uv.lock": "version = 1\n", "app.py": flask },
  poetry: { "pyproject.toml": pyproject(), "poetry.lock": "# poetry\n", "app.py": flask },
  pipenv: { Pipfile: lines("[packages]", "flask = \"*\""), "Pipfile.lock": "{}\n", "app.py": flask },
  uvicorn: {
    "pyproject.toml": lines("[project]", "name = \"kiosk\"", "dependencies = [\"fastapi>=0.115\", \"uvicorn>=0.34\"]"),
    "kiosk.py": lines("from fastapi import FastAPI", "", "app = FastAPI()")
  },
  "checks of Python": {
    "pyproject.toml": pyproject("", "[project.optional-dependencies]", "dev = [\"pytest>=8\", \"ruff>=0.8\", \"mypy>=1.13\"]"),
    "tests/test_kiosk.py": lines("def test_opens():", "    assert True")
  },
  unittest: {
    "setup.py": lines("from setuptools import setup", "setup(name=\"kiosk\")"),
    "test_kiosk.py": lines("import unittest", "", "class Opens(unittest.TestCase):", "    def test_door(self):", "        pass")
  },
  go: {
    "go.mod": lines("module example.org/kiosk", "", "go 1.23", "", "require github.com/lib/pq v1.10.9"),
    "go.sum": "github.com/lib/pq v1.10.9 h1:YXG7\n",
    "main.go": lines("package main", "", "func main() {", "}"),
    "main_test.go": lines("package main", "", "import \"testing\"", "", "func TestOpens(t *testing.T) {", "}")
  },
  cargo: {
    "Cargo.toml": lines("[package]", "name = \"kiosk\"", "version = \"0.3.0\""),
    "Cargo.lock": "version = 4\n",
    "src/main.rs": lines("fn main() {", "    opens();", "}", "", "fn opens() {}", "", "#[test]", "fn is_open() {}")
  },
  gradle: {
    "build.gradle": lines("plugins {", "  id 'org.springframework.boot' version '3.4.0'", "}"),
    "src/main/java/Kiosk.java": lines("public class Kiosk {", "  public static void main(String[] args) {}", "}")
  },
  maven: {
    "pom.xml": lines(
      "<project>",
      "  <groupId>org.example</groupId>",
      "  <artifactId>kiosk</artifactId>",
      "  <version>2.0.0</version>",
      "  <build><plugins><plugin>",
      "    <groupId>org.springframework.boot</groupId>",
      "    <artifactId>spring-boot-maven-plugin</artifactId>",
      "  </plugin></plugins></build>",
      "</project>"
    ),
    "src/main/java/Kiosk.java": lines("public class Kiosk {", "  public static void main(String[] args) {}", "}")
  },
  dotnet: { "Kiosk.csproj": lines("<Project Sdk=\"Microsoft.NET.Sdk\">", "</Project>"), "Kiosk.cs": "class Kiosk {}\n" },
  rspec: {
    Gemfile: lines("source \"https://rubygems.org\"", "gem \"rspec\""),
    "kiosk.gemspec": lines("Gem::Specification.new do |spec|", "  spec.name = \"kiosk\"", "end")
  },
  phpunit: {
    "composer.json": `${JSON.stringify({ name: "example/kiosk", "require-dev": { "phpunit/phpunit": "^11" } }, null, 2)}\n`,
    "tests/KioskTest.php": lines("<?php", "class KioskTest {", "  public function testOpens() {}", "}")
  },
  dart: { "pubspec.yaml": lines("name: kiosk", "dependencies:", "  shelf: ^1.4.0"), "lib/kiosk.dart": "void open() {}\n" },
  "colours in short": {
    "kiosk.css": lines(":root { --ink: #FFF; --door: #fe0101; }", "a { color: #fff; background: #F00; }", "b { color: #eee; }")
  }
}
