/** What the tool server promises besides its tools. */
import { contract as metering } from "@svc/metering/api"
import { contract as paywall } from "@svc/paywall/api"
import { contract as tools } from "@svc/tools/api"
import * as HttpApi from "effect/http-api/HttpApi"

export const contract = HttpApi.make("tools").addHttpApi(metering).addHttpApi(paywall).addHttpApi(tools)
