import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { hash } from "node:crypto"
import { contrastOf, luminanceOf, pressed, readableOn, TEXT_CONTRAST, textOn } from "./colour.ts"
import { alert, button, field, masthead, summary } from "./components.ts"
import { attributes, html, raw } from "./html.ts"
import { documentOf, type Page } from "./page.ts"
import { STYLE } from "./style.ts"
import { palette, schemes } from "./tokens.ts"

const colour = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffffff }))),
  (value) => `#${value.toString(16).padStart(6, "0")}`
)

const page: Page = {
  title: "Pay <Acme>",
  language: { tag: "en", direction: "ltr" },
  brand: { name: "Acme & Sons", color: "#ffcc00", logo_url: null },
  main: html`<h1>Pay</h1>`
}

describe("templates", () => {
  it("escape all that is no markup of their own", () => {
    const evil = `"><script>alert('1')</script>&`
    const safe = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"
    assert.strictEqual(html`<p title="${evil}">${evil}</p>`.text, `<p title="${safe}">${safe}</p>`)
    assert.strictEqual(html`<ul>${["a<", html`<li>b</li>`, null, undefined, false, 3]}</ul>`.text, "<ul>a&lt;<li>b</li>3</ul>")
    assert.strictEqual(html`${raw("<hr>")}`.text, "<hr>")
    assert.strictEqual(
      attributes({ id: `a"b`, hidden: true, title: undefined, disabled: false, width: 0 }).text,
      ` id="a&quot;b" hidden width="0"`
    )
  })

  it.prop("leave no angle bracket and no quote of any text", [Schema.String], ([text]) => {
    assert.notMatch(html`${text}`.text, /[<>"']/)
  })
})

describe("colours", () => {
  it("have the contrast of WCAG", () => {
    assert.closeTo(contrastOf("#000000", "#ffffff"), 21, 1e-9)
    assert.closeTo(contrastOf("#767676", "#ffffff"), 4.54, 0.01)
    assert.closeTo(luminanceOf("#ff0000"), 0.2126, 1e-6)
  })

  it.prop("can be read on, whichever a merchant has", [colour], ([brand]) => {
    assert.isAtLeast(contrastOf(textOn(brand), brand), TEXT_CONTRAST, brand)
    assert.isAtLeast(contrastOf(textOn(pressed(brand)), pressed(brand)), TEXT_CONTRAST, `${brand} pressed`)
    for (const scheme of schemes) {
      const { ground, surface } = palette[scheme]
      const accent = readableOn(brand, [ground, surface])
      assert.isAtLeast(Math.min(contrastOf(accent, ground), contrastOf(accent, surface)), TEXT_CONTRAST, `${brand} as a link, ${scheme}`)
    }
  }, { arbitrary: { runs: 2_000 } })

  it.each(schemes)("of the palette can be read, %s", (scheme) => {
    const colours = palette[scheme]
    for (const text of ["text", "muted", "danger", "good"] as const) {
      for (const ground of ["ground", "surface"] as const) {
        assert.isAtLeast(contrastOf(colours[text], colours[ground]), TEXT_CONTRAST, `${text} on ${ground}`)
      }
    }
    for (const tone of ["danger", "good", "notice"] as const) {
      assert.isAtLeast(contrastOf(colours[tone], colours[`${tone}-ground`]), TEXT_CONTRAST, tone)
      assert.isAtLeast(contrastOf(colours.text, colours[`${tone}-ground`]), TEXT_CONTRAST, `text on ${tone}`)
    }
    assert.isAtLeast(contrastOf(colours.text, colours.line), TEXT_CONTRAST, "a plain badge")
    for (const ground of ["ground", "surface"] as const) {
      assert.isAtLeast(contrastOf(colours.edge, colours[ground]), 3, `edge on ${ground}`)
      assert.isAtLeast(contrastOf(colours.focus, colours[ground]), 3, `focus on ${ground}`)
    }
  })
})

describe("a page", () => {
  it("says what it may do, and nothing else", () => {
    const { headers, text } = documentOf({
      ...page,
      script: "let a=1<2",
      frames: ["'self'"],
      asks: true,
      brand: { ...page.brand, logo_url: "https://cdn.example.com/a;b/logo.png" }
    })
    const policy = headers["content-security-policy"] ?? ""
    const styles = Array.from(text.matchAll(/<style>([^]*?)<\/style>/gu), ([, style = ""]) => `'sha256-${hash("sha256", style, "base64")}'`)
    assert.strictEqual(styles.length, 2)
    assert.strictEqual(
      policy,
      [
        "default-src 'none'",
        `style-src ${styles.join(" ")}`,
        `script-src 'sha256-${hash("sha256", "let a=1<2", "base64")}'`,
        "connect-src 'self'",
        "frame-src 'self'",
        "img-src https://cdn.example.com",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'"
      ].join("; ")
    )
    assert.notMatch(text, /\sstyle=|\son[a-z]+=/u)
    assert.include(text, "<title>Pay &lt;Acme&gt;</title>")
  })

  it("is small, and its style has no side of its own", () => {
    assert.isBelow(documentOf(page).text.length, 16_000)
    assert.notMatch(STYLE, /[;{](?:margin|padding|border|inset)?-?(?:left|right):/u)
    assert.notMatch(STYLE, /\b(?:text-align:(?:left|right)|float)/u)
  })
})

describe("components", () => {
  it("tie an error to its field", () => {
    const { text } = field({ id: "email", label: "Email", error: "Enter one.", attributes: { type: "email", name: "email", value: `"` } })
    assert.match(text, /<label for="email">/)
    assert.match(text, /<input id="email" aria-describedby="email-error" aria-invalid="true" type="email" name="email" value="&quot;">/)
    assert.match(text, /<span class="error" id="email-error">Enter one\.<\/span>/)
  })

  it("say aloud what went wrong, and name what they list", () => {
    assert.match(alert("No", "Try again").text, /role="alert"/)
    assert.match(alert("Fine", "Done", "good").text, /role="status"/)
    assert.match(summary("Order", [{ name: "A<b>", amount: "$1.00" }]).text, /aria-label="Order".*A&lt;b&gt;/u)
    assert.match(button({ label: "Pay", kind: "primary", wide: true }).text, /^<button class="button primary wide" type="submit">/)
    assert.match(button({ label: "Back", href: "/x?a&b" }).text, /^<a class="button plain" href="\/x\?a&amp;b">Back<\/a>$/)
    assert.match(masthead({ name: "😀 Shop", color: null, logo_url: null }).text, />😀<\/span><bdi>😀 Shop/u)
  })
})
