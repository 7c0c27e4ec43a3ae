/** What tests use of it. */
declare module "jsonld" {
  const jsonld: {
    readonly expand: (document: object, options: { readonly safe: boolean }) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  }
  export default jsonld
}
