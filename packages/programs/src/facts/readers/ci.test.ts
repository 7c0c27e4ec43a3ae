import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: ".github/workflows/test.yml",
    text: `
name: Test
on:
  push:
    branches: [main, next]
  pull_request:
  schedule:
    - cron: "0 5 * * *"
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Install and test
        run: |
          npm ci
          npm test
      - run: npm run lint
  deploy:
    uses: ./.github/workflows/deploy.yml
`,
    facts: `
3-4 ci-trigger Test: on=push: branches main, next
5 ci-trigger Test: on=pull_request
7 ci-trigger Test: on=schedule: cron 0 5 * * *
12 ci-step Test: job=unit, uses=actions/checkout@v4
15 ci-step Test: job=unit, name=Install and test, run=npm ci
16 ci-step Test: job=unit, name=Install and test, run=npm test
17 ci-step Test: job=unit, run=npm run lint
19 ci-step Test: job=deploy, uses=./.github/workflows/deploy.yml
`
  },
  {
    path: ".github/workflows/lint.yaml",
    text: `
on: [push, workflow_dispatch]
jobs:
  lint:
    steps: [{ run: make lint }]
`,
    facts: `
1 ci-trigger lint.yaml: on=push
1 ci-trigger lint.yaml: on=workflow_dispatch
4 ci-step lint.yaml: job=lint, run=make lint
`
  },
  {
    path: "tools/action.yml",
    text: `
name: Set up
runs:
  using: composite
  steps:
    - run: ./setup.sh
      shell: bash
`,
    facts: `
1 listing name: json="Set up"
5-6 ci-step Set up: job=runs, run=./setup.sh
`
  },
  {
    path: ".gitlab-ci.yml",
    text: `
stages: [test]
workflow:
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
.install: &install
  - npm ci
unit:
  stage: test
  before_script:
    - *install
  script:
    - npm test
  only: [merge_requests]
`,
    facts: `
4 ci-trigger .gitlab-ci.yml: on=$CI_COMMIT_BRANCH == "main"
6 ci-step .gitlab-ci.yml: job=unit, name=before_script, run=npm ci
12 ci-step .gitlab-ci.yml: job=unit, run=npm test
13 ci-trigger .gitlab-ci.yml: on=merge_requests
`
  },
  {
    path: ".circleci/config.yml",
    text: `
version: 2.1
jobs:
  test:
    docker:
      - image: cimg/node:22.1
    steps:
      - checkout
      - node/install-packages
      - run: npm test
      - run:
          name: Lint
          command: npm run lint
      - save_cache:
          key: v1
workflows:
  nightly:
    triggers:
      - schedule:
          cron: "0 0 * * *"
`,
    facts: `
7 ci-step .circleci/config.yml: job=test, uses=checkout
8 ci-step .circleci/config.yml: job=test, uses=node/install-packages
9 ci-step .circleci/config.yml: job=test, run=npm test
10-12 ci-step .circleci/config.yml: job=test, name=Lint, run=npm run lint
13-14 ci-step .circleci/config.yml: job=test, uses=save_cache
18-19 ci-trigger .circleci/config.yml: on=nightly: schedule 0 0 * * *
`
  },
  {
    path: "azure-pipelines.yml",
    text: `
trigger:
  - main
pr:
  branches:
    include: [main]
steps:
  - task: NodeTool@0
  - script: npm test
    displayName: Tests
stages:
  - stage: Release
    jobs:
      - job: publish
        steps:
          - bash: npm publish
`,
    facts: `
2 ci-trigger azure-pipelines.yml: on=trigger: main
4-5 ci-trigger azure-pipelines.yml: on=pr: branches: include main
7 ci-step azure-pipelines.yml: job=job, uses=NodeTool@0
8-9 ci-step azure-pipelines.yml: job=job, name=Tests, run=npm test
15 ci-step azure-pipelines.yml: job=publish, run=npm publish
`
  },
  {
    path: "Makefile",
    text: `
CC := gcc
.PHONY: test lint
all: test lint

# Runs everything.
test: build
	@echo testing
	go test ./...

%.o: %.c
	$(CC) -c $<

lint fmt:
	golangci-lint run
VERSION ?= 1
`,
    facts: `
3 script all: runner=make
6-8 script test: runner=make, command=echo testing && go test ./...
13-14 script fmt: runner=make, command=golangci-lint run
13-14 script lint: runner=make, command=golangci-lint run
`
  },
  {
    path: "justfile",
    text: `
set shell := ["bash", "-c"]
version := "1"
# Runs the tests.
test filter="": build
    cargo test {{filter}}

@build:
    cargo build
`,
    facts: `
4-5 script test: runner=just, command=cargo test {{filter}}
7-8 script build: runner=just, command=cargo build
`
  },
  {
    path: "Procfile",
    text: `
# What runs.
web: node server.js --port $PORT
worker:node worker.js
`,
    facts: `
2 script web: runner=procfile, command=node server.js --port $PORT
3 script worker: runner=procfile, command=node worker.js
`
  },
  {
    path: "Taskfile.yml",
    text: `
version: "3"
tasks:
  test:
    deps: [build]
    cmds:
      - task: generate
      - go test ./...
      - cmd: go vet ./...
  build: go build
`,
    facts: `
3-8 script test: runner=task, command=task generate && go test ./... && go vet ./...
9 script build: runner=task, command=go build
`
  },
  {
    path: "deno.json",
    text: `
{ "tasks": {
  "test": "deno test",
  "dev": { "command": "deno run main.ts" }
} }
`,
    facts: `
2 script test: runner=deno, command=deno test
3 script dev: runner=deno, command=deno run main.ts
`
  }
]

describe("pipelines and tasks", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
