/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { BankLinksGroup } from "./bank-links/api.ts"
import { PayoutsGroup } from "./payouts/api.ts"
import { OperatorReservesGroup, ReservesGroup } from "./reserves/api.ts"
import { TransferInstrumentsGroup } from "./transfer-instruments/api.ts"
import { OperatorWriteOffsGroup, WriteOffsGroup } from "./write-offs/api.ts"

export const contract = HttpApi.make("svc").add(TransferInstrumentsGroup).add(PayoutsGroup).add(ReservesGroup).add(OperatorReservesGroup)
  .add(WriteOffsGroup).add(OperatorWriteOffsGroup).add(BankLinksGroup)
