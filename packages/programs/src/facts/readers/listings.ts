/** What registries and marketplaces show of crates, Python's distributions, actions of GitHub and plugins of the Unreal Engine. */
import type { Reader } from "../model.ts"
import { jsonTree } from "../trees/json.ts"
import { tomlTree } from "../trees/toml.ts"
import { find, membersOf } from "../trees/tree.ts"
import { yamlTree } from "../trees/yaml.ts"
import { listingFacts, treeReader } from "./reader.ts"

const OF_ACTION: ReadonlySet<string> = new Set(["name", "description", "author", "branding", "inputs", "outputs"])

const action = treeReader(/(?:^|\/)action\.ya?ml$/u, yamlTree, (root) => listingFacts(membersOf(root), (name) => OF_ACTION.has(name)))

const OF_PACKAGE: ReadonlySet<string> = new Set(
  ("name version description license license-file license-files repository homepage documentation urls readme keywords categories " +
    "authors maintainers classifiers publish").split(" ")
)

const crate = treeReader(
  /(?:^|\/)Cargo\.toml$/u,
  tomlTree,
  (root) => listingFacts(membersOf(root, "package"), (name) => OF_PACKAGE.has(name))
)

const distribution = treeReader(
  /(?:^|\/)pyproject\.toml$/u,
  tomlTree,
  (root) => listingFacts(membersOf(find(root, "project") ?? find(root, "tool", "poetry")), (name) => OF_PACKAGE.has(name))
)

const plugin = treeReader(/\.uplugin$/u, jsonTree, (root) => listingFacts(membersOf(root), () => true))

export const listings: ReadonlyArray<Reader> = [crate, distribution, action, plugin]
