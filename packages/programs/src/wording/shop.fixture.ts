/** A shop with words in two spellings, a form, mails, a flag, events and a picture. */
import type { Texts } from "../testing/measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const wordyShop: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"wheelhouse\",",
    "  \"version\": \"0.4.0\",",
    "  \"description\": \"The fastest way to sell bicycles.\",",
    "  \"private\": true,",
    "  \"homepage\": \"https://wheelhouse.example\"",
    "}"
  ),
  "README.md": lines(
    "# WheelHouse",
    "",
    "WheelHouse sells bicycles for merchants who log in by GitHub.",
    "",
    "![The basket](docs/basket.svg) See [click here](docs/gone.md).",
    "",
    "Log in to GitHub first. We send an email when the the order is paid. Refunds are not yet there.",
    "",
    "Sign in once. Github and Wheelhouse must be linked; an e-mail is an email."
  ),
  "CONTRIBUTING.md": lines("# Contributing", "", "## Words", "", "Never call a customer a user in documents."),
  "CHANGELOG.md": lines("# Changelog", "", "## 0.4.0", "", "- Baskets are kept for a week.", "", "## 0.3.0", "", "- Orders have a total."),
  "docs/basket.svg": lines("<svg viewBox=\"0 0 40 30\"><title>Basket</title><path fill=\"#ff0000\"/></svg>"),
  "public/index.html": lines(
    "<html lang=\"en\"><head><title>WheelHouse</title>",
    "<meta property=\"og:title\" content=\"Bicycles\"></head>",
    "<h1>Ride today</h1>",
    "<form action=\"/signup\" method=\"post\">",
    "<label for=\"mail\">Your mail</label><input id=\"mail\" name=\"mail\" required>",
    "<input name=\"phone\">",
    "<button>Join us</button>",
    "</form>"
  ),
  "src/style.css": lines(":root { --brand: #FF0000; --nearly: #fe0101; --font-body: Inter, sans-serif; }"),
  "src/server.ts": lines(
    "import express from \"express\"",
    "import { signUp, checkout } from \"./customers.ts\"",
    "export const app = express()",
    "app.post(\"/signup\", signUp)",
    "app.post(\"/checkout\", checkout)"
  ),
  "src/customers.ts": lines(
    "import { transport } from \"./mail.ts\"",
    "import posthog from \"posthog-node\"",
    "",
    "/** Makes a customer. */",
    "export function signUp(request, response) {",
    "  if (request.body.mail === \"\") throw new RangeError(\"a customer has a mail\")",
    "  if (flags.isEnabled(\"short-form\")) response.end()",
    "  posthog.capture(\"signed_up\")",
    "  welcome(request.body.mail)",
    "}",
    "",
    "export function welcome(to) {",
    "  transport.sendMail({ to, subject: \"Welcome to WheelHouse\", template: \"welcome\" })",
    "}",
    "",
    "export function checkout(request, response) {",
    "  if (request.body.items.length === 0) throw new RangeError(\"the basket is empty\")",
    "}"
  ),
  "src/mail.ts": lines("import nodemailer from \"nodemailer\"", "export const transport = nodemailer.createTransport(process.env.SMTP_URL)")
}
