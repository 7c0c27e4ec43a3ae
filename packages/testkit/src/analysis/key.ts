/**
 * What is planted in the six projects: facts that an analysis must find, and questions whose answers stand in one place. A place is a path
 * and a text that stands in one line of that file.
 */
import type { FactKind } from "@svc/programs/facts/model"

export type PlantedFact = readonly [kind: FactKind, subject: string, path: string, snippet: string]
/** `words` are what somebody asks with; the answer must hold the place. */
export type PlantedQuestion = readonly [words: string, path: string, snippet: string]

export interface Key {
  readonly facts: ReadonlyArray<PlantedFact>
  readonly questions: ReadonlyArray<PlantedQuestion>
}

const shop: Key = {
  facts: [
    ["manifest", "bicycle-shop", "package.json", "\"name\""],
    ["script", "generate", "package.json", "\"generate\""],
    ["script", "test", "package.json", "\"test\""],
    ["script", "check:stock", "package.json", "\"check:stock\""],
    ["license", "Apache-2.0", "package.json", "\"license\""],
    ["setting", "typescript", "tsconfig.json", "\"noUncheckedIndexedAccess\""],
    ["environment", "SHOP_PORT", "src/index.ts", "SHOP_PORT"],
    ["environment", "STOCK_LIMIT", "src/stock/store.ts", "STOCK_LIMIT"],
    ["symbol", "handle", "src/router.ts", "export const handle"],
    ["symbol", "OrderRequest", "src/orders/model.ts", "export interface OrderRequest"],
    ["symbol", "Order", "src/orders/model.ts", "export interface Order extends"],
    ["symbol", "OrderState", "src/orders/model.ts", "export type OrderState"],
    ["symbol", "placeOrder", "src/orders/service.ts", "export async function placeOrder"],
    ["symbol", "cancelOrder", "src/orders/service.ts", "export async function cancelOrder"],
    ["symbol", "UnknownOrder", "src/orders/service.ts", "export class UnknownOrder"],
    ["symbol", "OutOfStock", "src/stock/errors.ts", "export class OutOfStock"],
    ["import", "../stock/store.ts", "src/orders/service.ts", "../stock/store.ts"],
    ["call", "reserve", "src/orders/service.ts", "await reserve("],
    ["call", "cancelOrder", "src/router.ts", "await cancelOrder(id)"],
    ["error", "OutOfStock", "src/stock/store.ts", "throw new OutOfStock"],
    ["error", "UnknownOrder", "src/orders/service.ts", "throw new UnknownOrder"],
    ["log", "console", "src/router.ts", "console.error"],
    ["todo", "TODO", "src/orders/service.ts", "TODO"],
    ["generated", "src/prices.generated.ts", "src/prices.generated.ts", "DO NOT EDIT"],
    ["test", "reserves what is bought", "test/orders.test.ts", "reserves what is bought"],
    ["heading", "Prices", "README.md", "## Prices"],
    ["ci-step", "ci", ".github/workflows/ci.yml", "npm run check:stock"]
  ],
  questions: [
    ["calls reserve", "src/orders/service.ts", "await reserve("],
    ["calls cancelOrder", "src/router.ts", "await cancelOrder(id)"],
    ["cancelOrder defined", "src/orders/service.ts", "export async function cancelOrder"],
    ["throws OutOfStock", "src/stock/store.ts", "throw new OutOfStock"],
    ["imports prices.generated.ts", "src/orders/service.ts", "../prices.generated.ts"],
    ["environment STOCK_LIMIT", "src/stock/store.ts", "STOCK_LIMIT"],
    ["script generate", "package.json", "\"generate\""],
    ["command test", "package.json", "\"test\""],
    ["test placeOrder", "test/orders.test.ts", "import { placeOrder"],
    ["symbol OrderRequest", "src/orders/model.ts", "export interface OrderRequest"]
  ]
}

const payments: Key = {
  facts: [
    ["manifest", "payments-api", "package.json", "\"name\""],
    ["dependency", "express", "package.json", "\"express\""],
    ["dependency", "stripe", "package.json", "\"stripe\""],
    ["dependency", "jest", "package.json", "\"jest\": "],
    ["locked", "pg", "package-lock.json", "node_modules/pg"],
    ["script", "migrate", "package.json", "\"migrate\""],
    ["route", "GET /healthz", "server.js", "app.get("],
    ["route", "POST /payments", "routes/payments.js", "router.post(\"/\""],
    ["route", "GET /payments/:id", "routes/payments.js", "router.get("],
    ["route", "POST /payments/:id/capture", "routes/payments.js", "/:id/capture"],
    ["route", "POST /webhooks/stripe", "routes/webhooks.js", "router.post("],
    ["environment", "STRIPE_WEBHOOK_SECRET", "routes/webhooks.js", "process.env.STRIPE_WEBHOOK_SECRET"],
    ["environment", "DATABASE_URL", "lib/db.js", "DATABASE_URL"],
    ["environment", "STRIPE_SECRET_KEY", ".env.example", "STRIPE_SECRET_KEY"],
    ["symbol", "verifySignature", "routes/webhooks.js", "function verifySignature"],
    ["symbol", "createPayment", "lib/payments.js", "async function createPayment"],
    ["symbol", "PaymentNotFound", "lib/payments.js", "class PaymentNotFound"],
    ["call", "findPayment", "lib/payments.js", "await findPayment("],
    ["sql", "INSERT", "lib/payments.js", "INSERT INTO"],
    ["sql", "SELECT", "lib/payments.js", "SELECT id"],
    ["schema", "payments", "migrations/001_payments.sql", "CREATE TABLE"],
    ["error", "PaymentNotFound", "lib/payments.js", "throw new PaymentNotFound"],
    ["error", "Error", "routes/webhooks.js", "throw new Error"],
    ["todo", "FIXME", "lib/payments.js", "FIXME"],
    ["test", "refuses an id that nobody has", "tests/payments.test.js", "refuses an id"],
    ["container", "0", "Dockerfile", "FROM node:22-alpine"],
    ["code-block", "sh", "README.md", "```sh"]
  ],
  questions: [
    ["route POST /payments/:id/capture", "routes/payments.js", "/:id/capture"],
    ["route GET /payments/:id", "routes/payments.js", "router.get("],
    ["route POST /webhooks/stripe", "routes/webhooks.js", "router.post("],
    ["calls findPayment", "lib/payments.js", "await findPayment("],
    ["createPayment defined", "lib/payments.js", "async function createPayment"],
    ["environment STRIPE_WEBHOOK_SECRET", "routes/webhooks.js", "process.env.STRIPE_WEBHOOK_SECRET"],
    ["throws PaymentNotFound", "lib/payments.js", "throw new PaymentNotFound"],
    ["script migrate", "package.json", "\"migrate\""],
    ["dependency stripe", "package.json", "\"stripe\""],
    ["test findPayment", "tests/payments.test.js", "const { findPayment }"]
  ]
}

const agent: Key = {
  facts: [
    ["manifest", "support-agent", "pyproject.toml", "name ="],
    ["dependency", "fastapi", "pyproject.toml", "fastapi"],
    ["dependency", "openai", "pyproject.toml", "openai"],
    ["dependency", "pytest", "pyproject.toml", "pytest>=8.3"],
    ["setting", "ruff", "pyproject.toml", "line-length"],
    ["setting", "pytest", "pyproject.toml", "testpaths"],
    ["route", "GET /mails/{mail_id}", "src/support_agent/main.py", "@app.get"],
    ["route", "POST /mails/{mail_id}/answer", "src/support_agent/main.py", "@app.post"],
    ["environment", "DATABASE_URL", "src/support_agent/main.py", "DATABASE_URL"],
    ["environment", "AGENT_PORT", "src/support_agent/main.py", "AGENT_PORT"],
    ["symbol", "read_mail", "src/support_agent/main.py", "def read_mail"],
    ["symbol", "answer_mail", "src/support_agent/answers.py", "async def answer_mail"],
    ["symbol", "EmptyAnswer", "src/support_agent/answers.py", "class EmptyAnswer"],
    ["symbol", "MailStore", "src/support_agent/store.py", "class MailStore"],
    ["symbol", "forget", "src/support_agent/store.py", "def forget"],
    ["import", ".prompts", "src/support_agent/answers.py", "from .prompts"],
    ["call", "answer_mail", "src/support_agent/main.py", "await answer_mail"],
    ["call", "sign", "src/support_agent/answers.py", "return sign(text)"],
    ["model-call", "openai", "src/support_agent/answers.py", "client.chat.completions.create"],
    ["error", "EmptyAnswer", "src/support_agent/answers.py", "raise EmptyAnswer"],
    ["error", "UnknownMail", "src/support_agent/store.py", "raise UnknownMail"],
    ["log", "logger", "src/support_agent/main.py", "logger.info"],
    ["sql", "SELECT", "src/support_agent/store.py", "SELECT id"],
    ["sql", "DELETE", "src/support_agent/store.py", "DELETE FROM"],
    ["test", "test_signs_what_the_model_says", "tests/test_answers.py", "def test_signs"],
    ["script", "lint", "Makefile", "lint:"],
    ["todo", "TODO", "src/support_agent/store.py", "TODO"]
  ],
  questions: [
    ["route GET /mails/{mail_id}", "src/support_agent/main.py", "@app.get"],
    ["route POST /mails/{mail_id}/answer", "src/support_agent/main.py", "@app.post"],
    ["calls answer_mail", "src/support_agent/main.py", "await answer_mail"],
    ["calls sign", "src/support_agent/answers.py", "return sign(text)"],
    ["answer_mail defined", "src/support_agent/answers.py", "async def answer_mail"],
    ["raises UnknownMail", "src/support_agent/store.py", "raise UnknownMail"],
    ["environment AGENT_PORT", "src/support_agent/main.py", "AGENT_PORT"],
    ["imports prompts", "src/support_agent/answers.py", "from .prompts"],
    ["test sign", "tests/test_answers.py", "import sign"],
    ["script lint", "Makefile", "lint:"]
  ]
}

const gateway: Key = {
  facts: [
    ["manifest", "example.org/gateway", "go.mod", "module"],
    ["dependency", "github.com/gin-gonic/gin", "go.mod", "gin-gonic"],
    ["dependency", "github.com/redis/go-redis/v9", "go.mod", "go-redis"],
    ["route", "GET /status", "main.go", "router.GET"],
    ["route", "POST /forward/:service", "main.go", "router.POST"],
    ["environment", "REDIS_ADDR", "main.go", "REDIS_ADDR"],
    ["environment", "GATEWAY_PORT", "main.go", "GATEWAY_PORT"],
    ["symbol", "status", "main.go", "func status"],
    ["symbol", "ErrTooMany", "internal/limits/limiter.go", "var ErrTooMany"],
    ["symbol", "MaxPerMinute", "internal/limits/limiter.go", "const MaxPerMinute"],
    ["symbol", "Limiter", "internal/limits/limiter.go", "type Limiter struct"],
    ["symbol", "NewLimiter", "internal/limits/limiter.go", "func NewLimiter"],
    ["symbol", "Allow", "internal/limits/limiter.go", ") Allow("],
    ["symbol", "Upstream", "internal/proxy/forward.go", "type Upstream struct"],
    ["symbol", "Forward", "internal/proxy/forward.go", "func Forward"],
    ["import", "example.org/gateway/internal/limits", "internal/proxy/forward.go", "internal/limits"],
    ["call", "lookup", "internal/proxy/forward.go", "lookup(context.Param"],
    ["call", "NewLimiter", "main.go", "limits.NewLimiter"],
    ["error", "panic", "internal/proxy/forward.go", "panic("],
    ["log", "slog", "internal/proxy/forward.go", "slog.Warn"],
    ["log", "log", "main.go", "log.Fatalf"],
    ["test", "TestErrTooManyHasWords", "internal/limits/limiter_test.go", "func TestErrTooManyHasWords"],
    ["todo", "TODO", "internal/limits/limiter.go", "TODO"],
    ["container", "build", "Dockerfile", "FROM golang:1.23"],
    ["script", "test", "Makefile", "test:"],
    ["ci-step", ".gitlab-ci.yml", ".gitlab-ci.yml", "go vet"]
  ],
  questions: [
    ["route GET /status", "main.go", "router.GET"],
    ["route POST /forward/:service", "main.go", "router.POST"],
    ["calls NewLimiter", "main.go", "limits.NewLimiter"],
    ["calls lookup", "internal/proxy/forward.go", "lookup(context.Param"],
    ["Forward defined", "internal/proxy/forward.go", "func Forward"],
    ["environment REDIS_ADDR", "main.go", "REDIS_ADDR"],
    ["symbol MaxPerMinute", "internal/limits/limiter.go", "const MaxPerMinute"],
    ["script test", "Makefile", "test:"],
    ["imports internal/proxy", "main.go", "internal/proxy"],
    ["symbol Upstream", "internal/proxy/forward.go", "type Upstream struct"]
  ]
}

const ledger: Key = {
  facts: [
    ["manifest", "ledger-core", "Cargo.toml", "name = \"ledger-core\""],
    ["dependency", "serde", "Cargo.toml", "serde ="],
    ["dependency", "thiserror", "Cargo.toml", "thiserror"],
    ["dependency", "proptest", "Cargo.toml", "proptest"],
    ["license", "MPL-2.0", "Cargo.toml", "license ="],
    ["license", "MPL-2.0", "LICENSE", "Mozilla Public License Version 2.0"],
    ["symbol", "Kind", "src/account.rs", "pub enum Kind"],
    ["symbol", "Account", "src/account.rs", "pub struct Account"],
    ["symbol", "open", "src/account.rs", "pub fn open"],
    ["symbol", "PostError", "src/journal.rs", "pub enum PostError"],
    ["symbol", "Journal", "src/journal.rs", "pub struct Journal"],
    ["symbol", "MAX_LINES", "src/journal.rs", "pub const MAX_LINES"],
    ["symbol", "post", "src/journal.rs", "pub fn post"],
    ["symbol", "sum_of", "src/journal.rs", "fn sum_of"],
    ["import", "crate::account::Account", "src/journal.rs", "use crate::account::Account"],
    ["call", "sum_of", "src/journal.rs", "sum_of(lines)"],
    ["call", "post", "src/main.rs", "post(&mut journal, &mut accounts"],
    ["environment", "LEDGER_FILE", "src/main.rs", "LEDGER_FILE"],
    ["error", "PostError::Unbalanced", "src/journal.rs", "return Err(PostError::Unbalanced"],
    ["log", "tracing", "src/journal.rs", "warn!("],
    ["test", "refuses_what_does_not_balance", "src/journal.rs", "fn refuses_what_does_not_balance"],
    ["todo", "FIXME", "src/main.rs", "FIXME"],
    ["ci-step", "rust", ".github/workflows/rust.yml", "cargo clippy"],
    ["heading", "Ledger core", "README.md", "# Ledger core"]
  ],
  questions: [
    ["calls sum_of", "src/journal.rs", "sum_of(lines)"],
    ["calls post", "src/main.rs", "post(&mut journal, &mut accounts"],
    ["post defined", "src/journal.rs", "pub fn post"],
    ["symbol MAX_LINES", "src/journal.rs", "pub const MAX_LINES"],
    ["environment LEDGER_FILE", "src/main.rs", "LEDGER_FILE"],
    ["symbol Account", "src/account.rs", "pub struct Account"],
    ["dependency tracing", "Cargo.toml", "tracing ="],
    ["symbol PostError", "src/journal.rs", "pub enum PostError"],
    ["command test", ".github/workflows/rust.yml", "cargo test"],
    ["imports account", "src/journal.rs", "use crate::account::Account"]
  ]
}

const library: Key = {
  facts: [
    ["manifest", "org.example:library-loans", "pom.xml", "<artifactId>library-loans"],
    ["dependency", "org.springframework.boot:spring-boot-starter-web", "pom.xml", "spring-boot-starter-web"],
    ["dependency", "org.junit.jupiter:junit-jupiter", "pom.xml", "<artifactId>junit-jupiter"],
    ["symbol", "LoanController", "src/main/java/org/example/loans/LoanController.java", "public class LoanController"],
    ["route", "GET /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@GetMapping("],
    ["route", "POST /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@PostMapping("],
    ["route", "DELETE /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@DeleteMapping("],
    ["log", "log", "src/main/java/org/example/loans/LoanController.java", "log.info"],
    ["symbol", "LoanService", "src/main/java/org/example/loans/LoanService.java", "public class LoanService"],
    ["symbol", "lend", "src/main/java/org/example/loans/LoanService.java", "public Loan lend"],
    ["symbol", "giveBack", "src/main/java/org/example/loans/LoanService.java", "public void giveBack"],
    ["symbol", "dueDays", "src/main/java/org/example/loans/LoanService.java", "private int dueDays"],
    ["symbol", "Loan", "src/main/java/org/example/loans/Loan.java", "public record Loan"],
    ["call", "dueDays", "src/main/java/org/example/loans/LoanService.java", "new Loan(id, dueDays())"],
    ["error", "LoanNotFoundException", "src/main/java/org/example/loans/LoanService.java", "throw new LoanNotFoundException"],
    ["environment", "LOAN_DAYS", "src/main/java/org/example/loans/LoanService.java", "LOAN_DAYS"],
    ["todo", "TODO", "src/main/java/org/example/loans/LoanService.java", "TODO"],
    ["test", "refusesAnUnknownLoan", "src/test/java/org/example/loans/LoanServiceTest.java", "void refusesAnUnknownLoan"],
    ["container", "loans", "docker-compose.yml", "image:"],
    ["heading", "Library loans", "README.md", "# Library loans"]
  ],
  questions: [
    ["route GET /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@GetMapping("],
    ["route POST /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@PostMapping("],
    ["route DELETE /loans/{id}", "src/main/java/org/example/loans/LoanController.java", "@DeleteMapping("],
    ["calls dueDays", "src/main/java/org/example/loans/LoanService.java", "new Loan(id, dueDays())"],
    ["throws LoanNotFoundException", "src/main/java/org/example/loans/LoanService.java", "throw new LoanNotFoundException"],
    ["environment LOAN_DAYS", "src/main/java/org/example/loans/LoanService.java", "LOAN_DAYS"],
    ["LoanService defined", "src/main/java/org/example/loans/LoanService.java", "public class LoanService"],
    ["symbol Loan", "src/main/java/org/example/loans/Loan.java", "public record Loan"],
    ["dependency junit-jupiter", "pom.xml", "<artifactId>junit-jupiter"],
    ["test LoanService", "src/test/java/org/example/loans/LoanServiceTest.java", "new LoanService()"]
  ]
}

export const keys: Readonly<Record<string, Key>> = { shop, payments, agent, gateway, ledger, library }
