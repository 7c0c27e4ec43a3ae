declare module "spdx-correct" {
  /** The SPDX expression that a text means; null where it means none. */
  export default function correct(text: string, options?: { readonly upgrade?: boolean }): string | null
}
