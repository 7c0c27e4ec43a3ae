/** On which port a package answers, and whether it can be reached from outside of its machine. */
import { code } from "../claims/inline.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { isTestFile, pathOf, variablesOf } from "../map/uses.ts"
import type { OwnDockerfile, Port, Said } from "./model.ts"
import { isIn } from "./packages.ts"

type Listen = Fact<"listen">

const NO_SERVER = /(?:^|\/)(?:scripts?|examples?|bench\w*|tools?|e2e|fixtures?|mocks?|docs?|integration|testkit)\//u

/** Calls of the package that open a port, near its folder first; those of tests and of helpers are none. */
export const listensOf = (project: Project, folder: string): ReadonlyArray<Listen> =>
  project.facts("listen").filter((listen) => {
    const path = pathOf(listen)
    return isIn(path, folder) && !NO_SERVER.test(`${path.slice(folder === "." ? 0 : folder.length)}`) && !isTestFile(project, path)
  }).toSorted((one, other) => pathOf(one).split("/").length - pathOf(other).split("/").length || Number(known(other)) - Number(known(one)))

const known = ({ value: { port, variable } }: Listen): boolean => port !== null || variable !== null

const numberIn = (text: string | null | undefined): number | undefined => {
  const number = /^["'`]?(\d{2,5})["'`]?$/u.exec(text?.trim() ?? "")?.[1]
  return number === undefined || Number(number) > 65_535 ? undefined : Number(number)
}

const PORT = /^(?:[A-Z]+_)?PORT$/u

/** What the variable is where nobody sets it: in code, or in an example of .env. */
const fallbackOf = (project: Project, name: string, folder: string): readonly [number, AnyFact] | undefined => {
  for (const variable of variablesOf(project)) {
    const number = variable.subject === name && isIn(pathOf(variable), folder) ? numberIn(variable.value.fallback) : undefined
    if (number !== undefined) return [number, variable]
  }
  return undefined
}

const ofListen = (project: Project, folder: string, listen: Listen): Said<Port> | undefined => {
  const { port, variable } = listen.value
  if (port !== null) return { value: { number: port, variable }, evidence: [listen] }
  const name = variable ?? variablesOf(project).find((one) => PORT.test(one.subject) && isIn(pathOf(one), folder))?.subject
  const fallback = name === undefined ? undefined : fallbackOf(project, name, folder)
  return name === undefined || fallback === undefined
    ? undefined
    : { value: { number: fallback[0], variable: name }, evidence: [listen, fallback[1]] }
}

/** `EXPOSE 3000/tcp`. */
const ofDockerfile = ({ instructions }: OwnDockerfile): Said<Port> | undefined => {
  const exposed = instructions.find(({ value: { instruction } }) => instruction === "EXPOSE")
  const number = numberIn(exposed?.value.value.trim().split(/[\s/]/u)[0])
  return exposed === undefined || number === undefined ? undefined : { value: { number, variable: null }, evidence: [exposed] }
}

/** The inner port of a service of compose that is built here, or is the only one that has any. */
const ofCompose = (project: Project): Said<Port> | undefined => {
  const settings = project.facts("container").filter((one) => /\.ya?ml$/u.test(pathOf(one)))
  const services = Map.groupBy(settings, (one) => `${pathOf(one)} ${one.subject}`)
  const withPorts = Array.from(services.values()).filter((all) => all.some(({ value: { instruction } }) => instruction === "ports"))
  const built = withPorts.find((all) => all.some(({ value: { instruction } }) => instruction === "build")) ??
    (withPorts.length === 1 ? withPorts[0] : undefined)
  const ports = built?.find(({ value: { instruction } }) => instruction === "ports")
  const number = numberIn(ports?.value.value.split(":").at(-1)?.split("/")[0])
  return ports === undefined || number === undefined ? undefined : { value: { number, variable: null }, evidence: [ports] }
}

/** The port that code opens; its own container says which one where code does not. */
export const portOf = (project: Project, folder: string, dockerfile: OwnDockerfile | undefined): Said<Port> | undefined => {
  const [listen] = listensOf(project, folder)
  const opened = listen === undefined ? undefined : ofListen(project, folder, listen)
  const exposed = dockerfile === undefined ? undefined : ofDockerfile(dockerfile)
  if (opened !== undefined && exposed !== undefined) {
    const variable = opened.value.variable ?? null
    return { value: { number: exposed.value.number, variable }, evidence: [...exposed.evidence, ...opened.evidence] }
  }
  return opened ?? exposed ?? ofCompose(project)
}

/** Functions that listen on their own machine only, unless they are told otherwise, by their manuals. */
const CLOSED: ReadonlyArray<readonly [callee: RegExp, address: string]> = [
  [/^uvicorn\.run$/u, "127.0.0.1"],
  [/^(?:fastify|server|app)\.listen$/u, "localhost"]
]

const usesFastify = (project: Project, listen: Listen): boolean =>
  project.factsOf(pathOf(listen), "import").some(({ subject }) => subject === "fastify")

export const closedToOf = (project: Project, folder: string): Said<string> | undefined => {
  const [listen] = listensOf(project, folder)
  if (listen === undefined) return undefined
  const { host } = listen.value
  if (host !== null) return /^(?:localhost|127\.|::1$)/u.test(host) ? { value: host, evidence: [listen] } : undefined
  const [closed] = CLOSED.filter(([callee], at) => callee.test(listen.subject) && (at === 0 || usesFastify(project, listen)))
  return closed === undefined ? undefined : { value: closed[1], evidence: [listen] }
}

/** The question that is left where something listens, and its port is not known. */
export const portQuestion = (project: Project, folder: string, name: string): string => {
  const [listen] = listensOf(project, folder)
  if (listen === undefined) return `which port does ${name} use?`
  const { variable } = listen.value
  return variable === null
    ? `on which port does ${code(listen.subject, 40)} of ${name} listen?`
    : `which number has ${code(variable, 40)}, the port of ${name}?`
}
