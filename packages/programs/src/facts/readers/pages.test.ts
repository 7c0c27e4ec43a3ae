import { assert, describe, it } from "@effect/vitest"
import { type FileCase, shownFacts } from "./read.ts"

const cases: ReadonlyArray<FileCase> = [
  {
    path: "styles/main.scss",
    text: `
$brand: #ff0000;
:root {
  --space-1: 4px;
  // a comment of SCSS
  --ink: rgb(0 0 0 / 90%);
}
.card {
  color: #333;
  margin: 0 auto;
  background: var(--ink);
  @media (min-width: 600px) { font-size: 1.25rem; }
  &:hover { border-radius: 8px }
}
`,
    facts: `
1 token $brand: value=#ff0000
3 token --space-1: value=4px, scope=:root
5 token --ink: value=rgb(0 0 0 / 90%), scope=:root
8 token color: value=#333, scope=.card
10 token-use --ink: property=background, scope=.card
11 token font-size: value=1.25rem, scope=.card @media (min-width: 600px)
12 token border-radius: value=8px, scope=.card &:hover
`
  },
  {
    path: "dist/main.min.css",
    text: `
a{color:#333}
`,
    facts: `
`
  },
  {
    path: "index.html",
    text: `
<!doctype html>
<html lang="en">
<title>Shop</title>
<meta name="description" content="Sells things">
<meta property="og:title" content="Shop">
<link rel="canonical" href="/">
<script src="app.js"></script>
<h1>The
  shop</h1>
<img src="a.png" __proto__="x">
<a href="/buy">Buy <b>now</b></a>
<form action="/pay" method="post"></form>
`,
    facts: `
2 element html: attributes=en
3 element title: text=Shop, attributes=
4 element meta:description: attributes=Sells things description
5 element meta:og:title: attributes=Shop og:title
6 element link:canonical: attributes=/ canonical
7 element script: attributes=app.js
8-9 element h1: text=The shop, attributes=
10 element img: attributes=a.png
11 element a: text=Buy now, attributes=/buy
12 element form: attributes=/pay post
`
  },
  {
    path: "views/post.hbs",
    text: `
{{#if title}}<h1 class="{{style}}">{{title}}</h1>{{/if}}
{{> footer}}
`,
    facts: `
1 element h1: text={{title}}, attributes=
`
  },
  {
    path: "src/Card.vue",
    text: `
<script setup>
const a = "<h1>no</h1>"
</script>
<template><Box /><button aria-label="Pay">{{ label }}</button></template>
`,
    facts: `
1 element script: attributes=
1-4 component Card: framework=vue
4 element button: text={{ label }}, attributes=Pay
4 render Box: within=Card
`
  },
  {
    path: "src/List.vue",
    text: `
<script setup>
defineProps<{ rows: number; title?: string }>()
</script>
<template>
  <li class="row wide" @click="open(1)">One</li>
  <img :alt="title" src="a.png">
  <button><img src="x.svg" alt="Close"></button>
  <a href="/"><svg><title>Home</title></svg></a>
  <OrderRow :id="1" v-bind="rest" />
</template>
<style scoped>
.row { color: var(--ink) }
</style>
`,
    facts: `
1 element script: attributes=
1-13 component List: framework=vue, props=[rows number true; title string false]
5 classes List: names=[row; wide]
5 element li: attributes=open(1)
6 element img: attributes={title} a.png
7 element button: text=Close, attributes=
7 element img: attributes=Close x.svg
8 element a: text=Home, attributes=/
9 render OrderRow: within=List, props=[id; ...]
12 token-use --ink: property=color, scope=.row
`
  },
  {
    path: "page.html",
    text: `
<script type="application/ld+json">{"@type": "Product", "offers": {"@type": "Offer"}}</script>
<style>:root { --ink: #111 }</style>
`,
    facts: `
1 element script: text=Product Offer, attributes=application/ld+json
2 token --ink: value=#111, scope=:root
`
  },
  {
    path: "prompts/summary.txt",
    text: `
Summarize {{ document }} in one sentence.
`,
    facts: `
1 prompt prompts/summary.txt: text=Summarize {{ document }} in one sentence., tokens=8, holes=1
`
  },
  {
    path: "join.html",
    text: `
<input name="mail" type="email" required>
<select name="plan"></select><textarea name="note" placeholder="Why?"></textarea>
`,
    facts: `
1 element input: attributes=mail  email
2 element select: attributes=plan
2 element textarea: attributes=note Why?
`
  },
  {
    path: "assets/logo.svg",
    text: `
<svg xmlns="http://www.w3.org/2000/svg" width="24px"
  viewBox="0 0 48 32"><title>Shop</title><path fill="#0A0b0C" stroke="none"/><g style="fill: #fff"/></svg>
`,
    facts: `
1-2 element svg: text=Shop, attributes=48 32
2 token fill: value=#0a0b0c, scope=path
2 token fill: value=#fff, scope=g
`
  },
  {
    path: "broken.svg",
    text: `
not a picture
`,
    facts: `
`
  }
]

describe("pages and styles", () => {
  it.each(cases)("$path", async (file) => {
    assert.strictEqual(await shownFacts(file), file.facts)
  })
})
