/** Texts of licences, told by their own words, and whole, so that they can be handed on. */
import { posix } from "node:path"
import { linesOf } from "../../files.ts"
import { type Fact, fact } from "../../model.ts"
import { lineAt, spanBetween } from "../../positions.ts"
import { readerOf } from "../reader.ts"

const HEAD_CHARACTERS = 4000

/**
 * The first that matches counts, where what must stand `besides` follows. A licence is told by its title; those of few words have none,
 * and are told by them.
 */
const TEXTS: ReadonlyArray<readonly [spdx: string, words: RegExp, besides?: string]> = [
  ["AGPL-3.0", /GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/u],
  ["LGPL-3.0", /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/u],
  ["LGPL-2.1", /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/u],
  ["GPL-3.0", /GNU GENERAL PUBLIC LICENSE\s+Version 3/u],
  ["GPL-2.0", /GNU GENERAL PUBLIC LICENSE\s+Version 2/u],
  ["Apache-2.0", /Apache License,?\s+Version 2\.0/u],
  ["MPL-2.0", /Mozilla Public License,?\s+(?:v\.? ?|version )2\.0/iu],
  ["EPL-2.0", /Eclipse Public License\s+-\s+v\s*2\.0/u],
  ["BSL-1.0", /Boost Software License\s+-\s+Version 1\.0/u],
  ["BUSL-1.1", /Business Source License 1\.1/u],
  ["CC0-1.0", /CC0 1\.0 Universal/u],
  ["CC-BY-4.0", /(?:Creative Commons )?Attribution 4\.0 International/u],
  ["Unlicense", /This is free and unencumbered software released into the public domain/u],
  ["WTFPL", /DO WHAT THE FUCK YOU WANT TO PUBLIC LICENSE/u],
  ["Zlib", /provided 'as-is', without any express or implied\s+warranty/u],
  ["BSD-3-Clause", /Redistribution and use in source and binary forms/u, "Neither the name"],
  ["BSD-2-Clause", /Redistribution and use in source and binary forms/u],
  ["MIT", /Permission is hereby granted, free of charge, to any person/u],
  ["ISC", /Permission to use, copy, modify, and(?:\/or)? distribute this software for any/u]
]

const spdxFacts = (path: string, text: string): ReadonlyArray<Fact<"license">> => {
  const head = text.slice(0, HEAD_CHARACTERS)
  for (const [spdx, words, besides = ""] of TEXTS) {
    const match = words.exec(head)
    const last = head.indexOf(besides, match?.index)
    if (match === null || last === -1) continue
    const end = besides === "" ? match.index + match[0].length : last + besides.length
    return [fact("license", spdx, { source: "file", spdx: true }, spanBetween(path, lineAt(head), match.index, end))]
  }
  return []
}

/** The longest text of a licence in use, the GPL's, has 35 KiB. */
const MOST_BYTES = 64 * 1024

/** Ends of lines, tabs and the form feeds of GNU's texts stay: a licence is handed on as it is. */
const UNSEEN = /(?![\t\n\f\r])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu

/** A licence is not clipped, because a part of it would be another one. */
const wholeText = (text: string): { readonly text: string; readonly reason: string | null } => {
  if (Buffer.byteLength(text) > MOST_BYTES) return { text: "", reason: "it is larger than 64 KiB" }
  if (text.includes("\u{fffd}")) return { text: "", reason: "it is not UTF-8" }
  const seen = text.toWellFormed().replaceAll(UNSEEN, "")
  return { text: seen, reason: seen === text ? null : `${text.length - seen.length} characters that nobody sees are left out` }
}

export const licenseText = readerOf(
  /(?:^|\/)(?:LICEN[CS]E|COPYING|UNLICENSE)(?:[.-][^/]*)?$/iu,
  (path, text) =>
    /\.[cm]?[jt]sx?$|\.py$|\.json$/u.test(posix.basename(path)) ? [] : [
      ...spdxFacts(path, text),
      fact("license-text", path, wholeText(text), { path, start_line: 1, end_line: Math.max(1, linesOf(text)) })
    ]
)
