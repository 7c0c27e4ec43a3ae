/** The store in files of this machine, for the routes that serve it. */
import { Context } from "effect"
import type { ObjectFiles } from "./files.ts"
import type { AccessKey } from "./signature.ts"

/** Undefined where the operator has a store of another kind. */
export class LocalObjects extends Context.Service<
  LocalObjects,
  { readonly files: ObjectFiles; readonly accessKey: AccessKey } | undefined
>()("@svc/engines/LocalObjects") {}
