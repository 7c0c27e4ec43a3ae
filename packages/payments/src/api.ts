/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ApprovalsGroup } from "./approvals/api.ts"
import { ConversionsGroup } from "./conversions/api.ts"
import { DisputesGroup } from "./disputes/api.ts"
import { FilesGroup } from "./files/api.ts"
import { GiftCardsGroup } from "./gift-cards/api.ts"
import { PaymentIntentsGroup } from "./payment-intents/api.ts"
import { PaymentMethodsGroup } from "./payment-methods/api.ts"
import { QuotesGroup } from "./quotes/api.ts"
import { SecondLooksGroup } from "./second-looks/api.ts"
import { SettlementsGroup } from "./settlements/api.ts"

export const contract = HttpApi.make("svc")
  .add(PaymentIntentsGroup)
  .add(PaymentMethodsGroup)
  .add(SettlementsGroup)
  .add(FilesGroup)
  .add(DisputesGroup)
  .add(QuotesGroup)
  .add(ConversionsGroup)
  .add(GiftCardsGroup)
  .add(ApprovalsGroup)
  .add(SecondLooksGroup)
