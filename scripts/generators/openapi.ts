/** The OpenAPI document as a file: what the server answers at /openapi.json, for tools that do not run it. */
import { Api } from "@svc/server/documented"
import { OpenApi } from "effect/http-api"

export const openApiDocument = async (): Promise<string> => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`
