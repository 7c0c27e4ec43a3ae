/**
 * What a repository should not hold, and what it lacks: each rule with the page that it comes from. Messages quote nothing of a file, so
 * that no secret leaves through them.
 */

export const levels = ["error", "warning", "note"] as const
export type Level = typeof levels[number]

export const dimensions = ["secrets", "correctness", "tests", "delivery", "form", "project"] as const

export interface Rule {
  readonly level: Level
  readonly dimension: typeof dimensions[number]
  /** What is wrong at the place. */
  readonly says: string
  /** What to do about it. */
  readonly next: string
  readonly source: string
}

const ESLINT = "https://eslint.org/docs/latest/rules"
const PRE_COMMIT = "https://github.com/pre-commit/pre-commit-hooks"
const JEST = "https://github.com/jest-community/eslint-plugin-jest/blob/main/docs/rules"
const DOCKER = "https://docs.docker.com/build/building/best-practices"
const ACTIONS = "https://docs.github.com/en/actions/reference/security/secure-use"
const BADGE = "https://www.bestpractices.dev/en/criteria/0"

const rule = ([dimension, level]: readonly [Rule["dimension"], Level], source: string, says: string, next: string): Rule => ({
  dimension,
  level,
  source,
  says,
  next
})

export const rules = {
  "secret": rule(
    ["secrets", "error"],
    "https://cwe.mitre.org/data/definitions/798.html",
    "A credential stands here.",
    "Revoke the credential first, then read it from the environment. A secret that was committed stays in the history."
  ),
  "environment-file": rule(
    ["secrets", "error"],
    "https://12factor.net/config",
    "An environment file with values is among the files.",
    "Take the file out of the repository, add it to .gitignore, and keep .env.example with the names alone."
  ),
  "card-number": rule(
    ["secrets", "warning"],
    "https://www.pcisecuritystandards.org/document_library/",
    "A number of a payment card stands here (PCI DSS, requirement 3).",
    "Take the number out; in tests, use a token of the payment provider."
  ),
  "conflict-marker": rule(
    ["correctness", "error"],
    "https://git-scm.com/docs/git-merge#_how_conflicts_are_presented",
    "A merge was not resolved: the markers of a conflict begin here.",
    "Resolve the conflict."
  ),
  "invalid-json": rule(
    ["correctness", "error"],
    "https://www.rfc-editor.org/rfc/rfc8259",
    "The file is no JSON from here on.",
    "Correct the syntax."
  ),
  "invalid-yaml": rule(
    ["correctness", "error"],
    "https://yaml.org/spec/1.2.2/",
    "The file is no YAML from here on.",
    "Correct the syntax."
  ),
  "bidirectional-text": rule(
    ["correctness", "error"],
    "https://trojansource.codes",
    "An invisible sign changes the direction of the code, so that people read other code than the compiler (CVE-2021-42574).",
    "Remove the sign, or write it as an escape."
  ),
  "shebang-crlf": rule(
    ["correctness", "error"],
    "https://www.shellcheck.net/wiki/SC1017",
    "The first line names an interpreter and ends in CRLF, so that the interpreter is not found.",
    "Save the script with LF."
  ),
  "debugger": rule(["correctness", "warning"], `${ESLINT}/no-debugger`, "A breakpoint was left in the code.", "Remove the statement."),
  "empty-catch": rule(
    ["correctness", "warning"],
    `${ESLINT}/no-empty`,
    "An error is caught and dropped without a word.",
    "Handle the error, or say in a comment why nothing has to be done."
  ),
  "case-conflict": rule(
    ["correctness", "warning"],
    `${PRE_COMMIT}#check-case-conflict`,
    "Another path differs in case only: file systems of macOS and Windows keep one of the two.",
    "Rename one of the files."
  ),
  "console-log": rule(
    ["correctness", "note"],
    `${ESLINT}/no-console`,
    "Output for debugging was left in the code.",
    "Remove the call, or use the project's logger."
  ),
  "focused-test": rule(
    ["tests", "error"],
    `${JEST}/no-focused-tests.md`,
    "Only this test runs; all others of the file are passed over.",
    "Remove the focus."
  ),
  "low-coverage": rule(
    ["tests", "warning"],
    "https://testing.googleblog.com/2020/08/code-coverage-best-practices.html",
    "Tests run fewer lines than grade C asks for.",
    "Begin with the files of which no line is run."
  ),
  "no-tests": rule(["tests", "warning"], `${BADGE}#0.test`, "There is code, and no file of tests.", "Write a first test of the main path."),
  "skipped-test": rule(["tests", "note"], `${JEST}/no-disabled-tests.md`, "A test is skipped.", "Mend the test or delete it."),
  "lock-missing-entry": rule(
    ["delivery", "error"],
    "https://docs.npmjs.com/cli/commands/npm-ci",
    "The dependency is not in the lock file, so npm ci refuses to install.",
    "Run npm install, and commit package-lock.json."
  ),
  "missing-lockfile": rule(
    ["delivery", "warning"],
    "https://docs.npmjs.com/cli/configuring-npm/package-lock-json",
    "The manifest has dependencies, and no lock file says which versions are meant.",
    "Commit the lock file of the package manager."
  ),
  "floating-dependency": rule(
    ["delivery", "warning"],
    "https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies",
    "The dependency may be any version.",
    "Name a range."
  ),
  "unpinned-action": rule(
    ["delivery", "warning"],
    `${ACTIONS}#using-third-party-actions`,
    "The action is named by a tag or branch, which its owner can move.",
    "Name the full commit hash, with the version in a comment."
  ),
  "workflow-permissions": rule(
    ["delivery", "note"],
    `${ACTIONS}#limiting-permissions-for-tokens`,
    "The workflow does not say what its token may do.",
    "Add permissions: contents: read, and more where a job needs it."
  ),
  "container-root": rule(
    ["delivery", "warning"],
    `${DOCKER}/#user`,
    "The container's last stage runs as root.",
    "Create a user, and end the stage with USER."
  ),
  "container-latest": rule(
    ["delivery", "warning"],
    "https://github.com/hadolint/hadolint/wiki/DL3007",
    "The base image has no fixed version.",
    "Name a version, better its digest."
  ),
  "large-file": rule(
    ["form", "warning"],
    `${PRE_COMMIT}#check-added-large-files`,
    "The file is larger than maxFileBytes.",
    "Keep large files in Git LFS or in a store of objects."
  ),
  "mixed-line-endings": rule(
    ["form", "warning"],
    `${PRE_COMMIT}#mixed-line-ending`,
    "Some lines end in CRLF and others in LF; the first that differs is this.",
    "Use one kind of line end, and fix it in .gitattributes."
  ),
  "byte-order-mark": rule(
    ["form", "warning"],
    `${PRE_COMMIT}#fix-byte-order-marker`,
    "The file begins with a byte order mark, which UTF-8 does not need and many readers refuse.",
    "Save the file without it."
  ),
  "trailing-whitespace": rule(
    ["form", "note"],
    `${PRE_COMMIT}#trailing-whitespace`,
    "Lines end in spaces or tabs; the first is this.",
    "Trim the lines."
  ),
  "final-newline": rule(
    ["form", "note"],
    "https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap03.html#tag_03_185",
    "The last line has no end.",
    "End the file with a newline."
  ),
  "todo-debt": rule(
    ["form", "note"],
    "https://cwe.mitre.org/data/definitions/546.html",
    "There are more comments of work to be done (TODO, FIXME, HACK, XXX) than todoDebtThreshold; the first is this.",
    "Do the work, or make issues of it."
  ),
  "missing-license": rule(["project", "warning"], `${BADGE}#0.license_location`, "No licence says what others may do.", "Add LICENSE."),
  "missing-readme": rule(
    ["project", "note"],
    `${BADGE}#0.documentation_basics`,
    "No README says what this is and how it starts.",
    "Add README.md."
  ),
  "missing-gitignore": rule(
    ["project", "note"],
    "https://git-scm.com/docs/gitignore",
    "No .gitignore keeps out what a build or an installation makes.",
    "Add .gitignore."
  ),
  "committed-dependencies": rule(
    ["project", "warning"],
    "https://github.com/github/gitignore",
    "An installed dependency is among the files.",
    "Take the folder out of the repository, and add it to .gitignore."
  ),
  "committed-output": rule(
    ["project", "note"],
    "https://github.com/github/gitignore",
    "What a build, a test run or the system makes is among the files.",
    "Take the file out of the repository, and add it to .gitignore."
  ),
  "ignored-file": rule(
    ["project", "note"],
    "https://git-scm.com/docs/gitignore",
    "The project's own .gitignore leaves this file out.",
    "Take the file out of the repository: git rm --cached."
  )
} as const satisfies Readonly<Record<string, Rule>>
export type RuleId = keyof typeof rules

/** `line` is null where the file as a whole is meant, or a file that is missing. */
export interface Finding {
  readonly rule: RuleId
  readonly path: string
  readonly line: number | null
  /** Places of the rule in the file, where the first stands for all. */
  readonly times?: number
  /** Our own words, which tell places of one rule apart. */
  readonly detail?: string
}

export const messageOf = ({ detail, rule, times = 1 }: Finding): string =>
  `${rules[rule].says}${detail === undefined ? "" : ` ${detail}`}${times > 1 ? ` ${times} places.` : ""}`
