/** What the first start leaves for whoever may read its folder. No implementation stands behind an import of this. */
import { Schema } from "effect"

/** What `DATA_DIR/credentials.json` holds. */
export const Credentials = Schema.Struct({
  account_id: Schema.String,
  secret_key: Schema.String,
  webhook_secret: Schema.String,
  base_url: Schema.String,
  tools_url: Schema.String
})
export type Credentials = typeof Credentials.Type
