/** Every secret that was rotated out keeps its own end, where there was room for one. */
export const statements: ReadonlyArray<string> = [
  // [{"secret", "expires_at"}], the newest first, with times as the wire has them.
  `ALTER TABLE webhook_endpoints ADD COLUMN previous_secrets jsonb NOT NULL DEFAULT '[]'`,
  `UPDATE webhook_endpoints SET previous_secrets = jsonb_build_array(jsonb_build_object(
     'secret', previous_secret,
     'expires_at', to_char(previous_secret_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
   WHERE previous_secret IS NOT NULL AND previous_secret_expires_at IS NOT NULL`,
  `ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_secret_expires_at`
]
