/** Systems outside of the repository that its dependencies speak to. */
import { type Evidence, evidenceOf } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import { byPlace, byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { variablesOf } from "../map/uses.ts"

/** Packages by the system that they speak to, and the words by which its variables are known. */
const SYSTEMS: ReadonlyArray<{ readonly system: string; readonly packages: RegExp; readonly variables: RegExp }> = [
  {
    system: "PostgreSQL",
    packages: /^(?:pg|postgres|pgx|psycopg[23]?(?:-binary)?|asyncpg|@effect\/sql-pg|tokio-postgres)$/u,
    variables: /^(?:PG|POSTGRES|DATABASE)/u
  },
  { system: "MySQL", packages: /^(?:mysql2?|PyMySQL|mysqlclient|mariadb)$/u, variables: /^(?:MYSQL|MARIADB)/u },
  { system: "SQLite", packages: /^(?:sqlite3|better-sqlite3|rusqlite|aiosqlite)$/u, variables: /^SQLITE/u },
  { system: "MongoDB", packages: /^(?:mongodb|mongoose|pymongo|motor)$/u, variables: /^MONGO/u },
  { system: "Redis", packages: /^(?:redis|ioredis|@upstash\/redis|aioredis)$/u, variables: /^(?:REDIS|UPSTASH)/u },
  {
    system: "Elasticsearch",
    packages: /^(?:@elastic\/elasticsearch|elasticsearch|@opensearch-project\/opensearch)$/u,
    variables: /^(?:ELASTIC|OPENSEARCH)/u
  },
  { system: "Kafka", packages: /^(?:kafkajs|confluent-kafka|rdkafka)$/u, variables: /^KAFKA/u },
  { system: "RabbitMQ", packages: /^(?:amqplib|pika|lapin)$/u, variables: /^(?:AMQP|RABBIT)/u },
  { system: "Stripe", packages: /^(?:stripe|@stripe\/.+)$/u, variables: /^STRIPE/u },
  { system: "PayPal", packages: /^(?:@paypal\/.+|paypalrestsdk)$/u, variables: /^PAYPAL/u },
  { system: "Adyen", packages: /^(?:@adyen\/.+|Adyen)$/u, variables: /^ADYEN/u },
  { system: "OpenAI", packages: /^(?:openai|@ai-sdk\/openai)$/u, variables: /^OPENAI/u },
  { system: "Anthropic", packages: /^(?:@anthropic-ai\/sdk|anthropic|@ai-sdk\/anthropic)$/u, variables: /^ANTHROPIC/u },
  { system: "AWS", packages: /^(?:aws-sdk|@aws-sdk\/.+|boto3|botocore)$/u, variables: /^AWS/u },
  { system: "Google Cloud", packages: /^(?:@google-cloud\/.+|google-cloud-.+)$/u, variables: /^(?:GOOGLE|GCP|GCLOUD)/u },
  { system: "Azure", packages: /^(?:@azure\/.+|azure-.+)$/u, variables: /^AZURE/u },
  { system: "SMTP", packages: /^(?:nodemailer|lettre|aiosmtplib)$/u, variables: /^(?:SMTP|MAIL)/u },
  { system: "Sentry", packages: /^(?:@sentry\/.+|sentry-sdk|sentry)$/u, variables: /^SENTRY/u },
  { system: "OpenTelemetry", packages: /^(?:@opentelemetry\/.+|opentelemetry-.+)$/u, variables: /^OTEL/u },
  { system: "GitHub", packages: /^(?:@octokit\/.+|octokit|PyGithub)$/u, variables: /^(?:GITHUB|GH)_/u },
  { system: "Slack", packages: /^(?:@slack\/.+|slack-sdk)$/u, variables: /^SLACK/u },
  { system: "HTTP", packages: /^(?:axios|got|undici|node-fetch|requests|httpx|aiohttp|reqwest)$/u, variables: /^$/u }
]

export interface Connector {
  readonly system: string
  readonly dependencies: ReadonlyArray<Fact<"dependency">>
  /** Where the code imports one of them. */
  readonly imports: ReadonlyArray<Fact<"import">>
  readonly variables: ReadonlyArray<Fact<"environment">>
  readonly evidence: Evidence
}

/** `@scope/name/part` and `name/part` are of the package before the part. */
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0] ?? specifier

export const connectorsOf: (project: Project) => ReadonlyArray<Connector> = memo((project) => {
  const importsByPackage = Map.groupBy(project.facts("import"), ({ subject }) => packageOf(subject))
  const packageNames = [...importsByPackage.keys()]
  return SYSTEMS.flatMap(({ packages, system, variables }) => {
    const dependencies = project.facts("dependency").filter(({ subject, value: { scope } }) =>
      scope !== "development" && packages.test(subject)
    )
    const imports = packageNames.filter((name) => packages.test(name)).flatMap((name) => importsByPackage.get(name) ?? []).toSorted(byPlace)
    const evidence = evidenceOf([...dependencies, ...imports])
    return evidence === undefined ? [] : [{
      system,
      dependencies,
      imports,
      variables: variablesOf(project).filter(({ subject }) => variables.test(subject)),
      evidence
    }]
  }).toSorted((one, other) => byText(one.system, other.system))
})
