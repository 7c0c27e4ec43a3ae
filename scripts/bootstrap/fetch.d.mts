export interface Wanted {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

export interface Words {
  readonly reason: string
  readonly title: string
  readonly advice: string
  readonly problem: () => string | undefined
}

export const ensureFetched: (root: string, folder: string, wanted: Wanted, words: Words) => Promise<void>
