/** Variables that examples of .env files list. A value is what is used until somebody sets another. */
import { linesWithSpans } from "../../lines.ts"
import { fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

export const environment = readerOf(
  /(?:^|\/)\.?env\.(?:[\w-]+\.)?(?:example|sample|template|dist|defaults)$/u,
  (path, text) =>
    linesWithSpans(path, text).flatMap(({ span, text: line }) => {
      const [, name, value = ""] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=([^]*)$/u.exec(line.trim()) ?? []
      if (name === undefined) return []
      const [, double, single] = /^\s*(?:"([^"]*)"|'([^']*)')/u.exec(value) ?? []
      const plain = double ?? single ?? (value.split(/\s#/u)[0] ?? "").trim()
      return [fact("environment", clip(name), { fallback: plain === "" ? null : clip(plain), required: plain === "" }, span)]
    })
)
