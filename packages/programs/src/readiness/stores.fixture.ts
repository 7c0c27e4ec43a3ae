/** Two shops for tests: each has every sign of readiness, and sells something of its own. */
import type { Texts } from "../testing/measures.ts"

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

export const bicycles: Texts = {
  "package.json": lines(
    "{",
    "  \"name\": \"bicycles\",",
    "  \"version\": \"1.2.0\",",
    "  \"dependencies\": {",
    "    \"express\": \"^5.1.0\",",
    "    \"stripe\": \"^19.0.0\"",
    "  }",
    "}"
  ),
  "src/products.ts": lines(
    "export interface Product {",
    "  sku: string",
    "  name: string",
    "  price_cents: number",
    "  currency: string",
    "  stock?: number",
    "}"
  ),
  "src/catalog.json": lines(
    "{ \"products\": [",
    "  { \"sku\": \"bike-1\", \"name\": \"City bike\", \"price_cents\": 49900, \"currency\": \"EUR\" },",
    "  { \"sku\": \"bell-1\", \"name\": \"Bell\", \"price_cents\": 1500, \"currency\": \"EUR\" }",
    "] }"
  ),
  "src/pay.ts": lines(
    "import Stripe from \"stripe\"",
    "import { randomUUID } from \"node:crypto\"",
    "import type { Product } from \"./products.ts\"",
    "",
    "const stripe = new Stripe(process.env.STRIPE_SECRET_KEY!)",
    "const MAX_ORDER_CENTS = 250000",
    "const BULK_DISCOUNT_PERCENT = 7",
    "",
    "/** Charges a customer for bicycles. */",
    "export async function buy(product: Product, quantity: number) {",
    "  const amount = product.price_cents * quantity",
    "  if (amount > MAX_ORDER_CENTS) throw new RangeError(\"over the limit\")",
    "  return stripe.paymentIntents.create({ amount, currency: product.currency }, { idempotencyKey: randomUUID() })",
    "}",
    "",
    "export const giveBack = (id: string) => stripe.refunds.create({ payment_intent: id })",
    "export const callOff = (id: string) => stripe.paymentIntents.cancel(id)"
  ),
  "src/mandates.ts": lines(
    "export interface CartMandate {",
    "  cart_hash: string",
    "  cart_expiry: string",
    "}",
    "",
    "export const holds = (mandate: CartMandate, hash: string, now: string) =>",
    "  mandate.cart_hash === hash && mandate.cart_expiry > now"
  ),
  "src/server.ts": lines(
    "import express from \"express\"",
    "import jwt from \"jsonwebtoken\"",
    "import { buy, callOff, giveBack } from \"./pay.ts\"",
    "",
    "const app = express()",
    "",
    "const requireUser = (request, response, next) => {",
    "  jwt.verify(request.headers.authorization, process.env.JWT_SECRET)",
    "  next()",
    "}",
    "",
    "const takeEvent = (request, response) => {",
    "  const event = stripe.webhooks.constructEvent(request.body, request.headers[\"stripe-signature\"], secret)",
    "  if (event.type === \"charge.dispute.created\") response.sendStatus(202)",
    "}",
    "",
    "app.post(\"/bicycles/:sku/buy\", requireUser, buy)",
    "app.post(\"/orders/:id/refund\", requireUser, giveBack)",
    "app.post(\"/orders/:id/cancel\", requireUser, callOff)",
    "app.post(\"/webhooks/stripe\", takeEvent)"
  )
}

export const concerts: Texts = {
  "pyproject.toml": lines(
    "[project]",
    "name = \"concerts\"",
    "version = \"0.4.0\"",
    "dependencies = [\"fastapi\", \"stripe\"]"
  ),
  "concerts/models.py": lines(
    "from pydantic import BaseModel",
    "",
    "class Ticket(BaseModel):",
    "    seat: str",
    "    title: str",
    "    price: int",
    "    venue: str | None = None",
    "",
    "class PaymentMandate(BaseModel):",
    "    checkout_hash: str",
    "    user_authorization: str"
  ),
  "concerts/seats.py": lines("SEATS = [{\"id\": \"a-1\", \"title\": \"Front row\", \"price\": 80}]"),
  "concerts/api.py": lines(
    "import hmac",
    "import stripe",
    "from uuid import uuid4",
    "from fastapi import FastAPI, Depends",
    "from fastapi.security import HTTPBearer",
    "from .models import Ticket",
    "",
    "app = FastAPI()",
    "bearer = HTTPBearer()",
    "DAILY_LIMIT = 90000",
    "",
    "def get_current_user(token=Depends(bearer)):",
    "    return jwt.decode(token, SECRET)",
    "",
    "@app.post(\"/tickets\")",
    "def book(ticket: Ticket, user=Depends(get_current_user)):",
    "    if spent_today(user) + ticket.price > DAILY_LIMIT:",
    "        raise ValueError(\"too much in one day\")",
    "    return stripe.PaymentIntent.create(amount=ticket.price, idempotency_key=str(uuid4()))",
    "",
    "@app.post(\"/tickets/{seat}/refund\")",
    "def refund(seat: str):",
    "    return stripe.Refund.create(payment_intent=seat)",
    "",
    "@app.delete(\"/tickets/{seat}/void\")",
    "def void(seat: str):",
    "    return stripe.PaymentIntent.cancel(seat)",
    "",
    "@app.post(\"/hooks\")",
    "def hook(request):",
    "    return hmac.compare_digest(request.headers[\"x-hub-signature-256\"], expected)"
  )
}

/** Says all of it, and does nothing. */
export const boaster: Texts = {
  "README.md": lines(
    "# Ready for agents",
    "",
    "We use Stripe (`stripe.paymentIntents.create`), verify `stripe-signature` by `constructEvent`, send an `Idempotency-Key`, refund by",
    "`stripe.refunds.create`, cancel by `paymentIntents.cancel`, check `Authorization` by `jwt.verify`, stop at MAX_ORDER_CENTS,",
    "and take an AP2 `CartMandate` with its `cart_hash`."
  ),
  "package.json": "{ \"name\": \"boaster\", \"dependencies\": { \"stripe\": \"^19.0.0\", \"jsonwebtoken\": \"^9.0.0\" } }\n",
  "src/index.ts": lines(
    "// import Stripe from \"stripe\"; stripe.paymentIntents.create({}, { idempotencyKey: randomUUID() })",
    "/* stripe.webhooks.constructEvent(body, headers[\"stripe-signature\"]) */",
    "export const claims = \"We verify each signature, refund payments, check budgets and mandates\"",
    "const unused = (amount: number) => {",
    "  if (amount > MAX_ORDER_CENTS) return stripe.refunds.create()",
    "  return jwt.verify(request.headers.authorization)",
    "}"
  ),
  "test/pay.test.ts": lines(
    "import Stripe from \"stripe\"",
    "stripe.paymentIntents.create({}, { idempotencyKey: randomUUID() })",
    "stripe.webhooks.constructEvent(body, headers[\"stripe-signature\"])"
  ),
  "docs/example.ts": lines("import Stripe from \"stripe\"", "export const mandate: CartMandate = stripe.paymentIntents.create()")
}
