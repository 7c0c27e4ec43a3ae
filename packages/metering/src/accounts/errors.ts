/** What opening an account can be refused with. */
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const taken = errorCode(
  "email_taken",
  409,
  "An account with this email is there already.",
  "Use the key of that account, or another email."
)

/** 409. */
export class EmailTaken extends Schema.Error<EmailTaken>("EmailTaken")(wireFields("EmailTaken", taken), wireAnnotations(taken)) {}
