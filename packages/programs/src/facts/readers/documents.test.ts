import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "README.md",
    text: `
---
title: Shop
tags: [pay, shop]
---
[![build](https://ci.example/b.svg)](https://ci.example)

# Shop *now*

Sells things,
and [ships](docs/ship.md) them.

## Install

\`\`\`sh
npm install shop
\`\`\`

- one \`item\`
- two

| a | b |
|---|---|
| [x](y.md) | 1 |

Last
====
`,
    facts: `
2 setting front matter: name=title, value=Shop
3 setting front matter: name=tags, value=pay, shop
5 link build: target=https://ci.example/b.svg, image=true
5 link build: target=https://ci.example
7 heading Shop now: level=1
9-10 paragraph Shop now: text=Sells things, and ships them., under=Shop now
10 link ships: target=docs/ship.md
12 heading Install: level=2
14-16 code-block sh: text=npm install shop
18 paragraph Install: text=one item, under=Install
19 paragraph Install: text=two, under=Install
23 link x: target=y.md
25-26 heading Last: level=1
`
  },
  {
    path: "page.mdx",
    text: `
import { Box } from "./box"

# Title

<Box>text</Box>
`,
    facts: `
3 heading Title: level=1
5 paragraph Title: text=text, under=Title
`
  },
  {
    path: "docs/index.rst",
    text: `
=====
Title
=====

Section
-------

Text that is no heading.

Part
~~~~
`,
    facts: `
2-3 heading Title: level=1
5-6 heading Section: level=2
10-11 heading Part: level=3
`
  },
  {
    path: "LICENSE",
    text: `
MIT License

Copyright (c) 2026 Acme

Permission is hereby granted, free of charge, to any person obtaining a copy
`,
    facts: `
1-5 license-text LICENSE: text=MIT License

Copyright (c) 2026 Acme

Permission is hereby granted, free of charge, to any person obtaining a copy
5 license MIT: source=file, spdx=true
`
  },
  {
    path: "COPYING.txt",
    text: `
                    GNU GENERAL PUBLIC LICENSE
                       Version 3, 29 June 2007
`,
    facts: `
1-2 license GPL-3.0: source=file, spdx=true
1-2 license-text COPYING.txt: text=                    GNU GENERAL PUBLIC LICENSE
                       Version 3, 29 June 2007
`
  },
  {
    path: "pkg/LICENSE-BSD",
    text: `
Redistribution and use in source and binary forms, with or without
modification, are permitted.

3. Neither the name of the copyright holder
`,
    facts: `
1-4 license BSD-3-Clause: source=file, spdx=true
1-4 license-text pkg/LICENSE-BSD: text=Redistribution and use in source and binary forms, with or without
modification, are permitted.

3. Neither the name of the copyright holder
`
  },
  {
    path: "LICENSE.md",
    text: `
All rights reserved.
`,
    facts: `
1 license-text LICENSE.md: text=All rights reserved.
1 paragraph : text=All rights reserved.
`
  },
  {
    path: "LICENCE",
    text: `
Some\u200b words\u0007.\r
`,
    facts: `
1 license-text LICENCE: text=Some words.\r
, reason=2 characters that nobody sees are left out
`
  },
  {
    path: "UNLICENSE",
    text: `
\ufffd
`,
    facts: `
1 license-text UNLICENSE: reason=it is not UTF-8
`
  },
  {
    path: "COPYING",
    text: `
${"ä".repeat(32 * 1024)}
`,
    facts: `
1 license-text COPYING: reason=it is larger than 64 KiB
`
  }
]

describe("documents and licences", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
