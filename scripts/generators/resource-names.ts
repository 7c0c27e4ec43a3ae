/** The names of the command line's resources, so that its help needs nothing of the contract. */
import { resources } from "@svc/cli/resources/contract"

const pairs = (): string => resources.map(({ name, summary }) => `  [${JSON.stringify(name)}, ${JSON.stringify(summary)}]`).join(",\n")

const HEAD = "/** The resources of the contract and what each is for. Written by npm run generate. */"

export const resourceNames = async (): Promise<string> => `${HEAD}\nexport const resourceNames = [\n${pairs()}\n] as const\n`
