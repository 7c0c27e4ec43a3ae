import { assert, describe, it } from "@effect/vitest"
import { redactSecrets } from "./secrets.ts"

const own = "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0p"

/** `S` stands for the secret. */
const found: ReadonlyArray<readonly [path: string, text: string, secret?: string]> = [
  [".npmrc", "//registry.npmjs.org/:_authToken=S\n"],
  [".npmrc", "//npm.example.com/:_password=S\nregistry=https://npm.example.com/\n"],
  [".npmrc", "_auth=S\n", "YWRtaW46aHVudGVyMg=="],
  ["fly.toml", "[env]\n  DB_PASSWORD = \"S\"\n"],
  ["wrangler.toml", "[vars]\nAPI_KEY = 'S'\n"],
  ["wrangler.toml", "vars = { API_KEY = \"S\" }\n"],
  ["render.yaml", "envVars:\n  - key: DB_PASSWORD\n    value: S\n"],
  ["render.yaml", "envVars:\n  - key: DB_PASSWORD\n    value: \"S\"\n"],
  ["task.json", "{ \"name\": \"API_KEY\", \"value\": \"S\" }"],
  ["app.config", "<add key=\"DbPassword\" value=\"S\" />"],
  ["compose.yaml", "    environment:\n      POSTGRES_PASSWORD: S\n      POSTGRES_DB: shop\n"],
  ["compose.yaml", "    environment:\n      - REDIS_PASSWORD=S\n"],
  ["compose.yaml", "      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-S}\n"],
  ["compose.yaml", "    environment: { MYSQL_PASSWORD: S, MYSQL_DATABASE: shop }\n"],
  ["compose.yaml", "    command: redis-server --requirepass S\n"],
  ["compose.yaml", "    command: [\"redis-server\", \"--requirepass\", \"S\"]\n"],
  ["compose.yaml", "    command:\n      - redis-server\n      - --requirepass\n      - S\n"],
  ["compose.yaml", "      test: redis-cli -a S ping\n"],
  ["compose.yaml", "      test: [\"CMD\", \"redis-cli\", \"-a\", \"S\", \"ping\"]\n"],
  ["redis.conf", "requirepass S\n"],
  ["Dockerfile", "ENV DB_PASSWORD=S\n"],
  ["Dockerfile", "ENV A=b DB_PASSWORD=S C=d\n"],
  ["Dockerfile", "ENV DB_PASSWORD S\n"],
  ["Dockerfile", "CMD server --password S\n"],
  ["Dockerfile", "CMD [\"server\", \"--password\", \"S\"]\n"],
  ["package.json", "{ \"scripts\": { \"start\": \"DB_PASSWORD=S node .\" } }"],
  ["package.json", "{ \"scripts\": { \"start\": \"DB_PASSWORD=\\\"S\\\" node .\" } }"],
  ["package.json", "{ \"scripts\": { \"check\": \"curl -u admin:S https://example.com\" } }"],
  ["run.sh", "PGPASSWORD=S psql\n"],
  ["run.sh", "export API_TOKEN='S'\n"],
  ["run.sh", "curl -u \"admin:S\" https://example.com\n"],
  ["run.sh", "curl -H \"Authorization: Bearer S\" https://example.com\n"],
  ["run.sh", "curl -H 'X-API-Key: S' https://example.com\n"],
  ["run.sh", "mysql -uroot -pS shop\n"],
  ["Makefile", "test:\n\tTOKEN=S go test ./...\n"],
  [".github/workflows/ci.yml", "      - run: TOKEN=S go test ./...\n"],
  ["settings.py", "SECRET_KEY = 'S'\n"],
  ["settings.py", "SECRET_KEY = b\"S\"\n"],
  ["settings.py", "DATABASES = {'default': {'PASSWORD': 'S'}}\n"],
  ["settings.py", "key = os.environ.get(\"API_KEY\", \"S\")\n"],
  ["settings.py", "key = os.getenv('API_KEY', default='S')\n"],
  ["settings.py", "key = os.environ.get(\"API_KEY\") or \"S\"\n"],
  ["settings.py", "password: str = \"S\"\n"],
  ["settings.py", "connect(password=\"S\")\n"],
  [".env.example", "DB_PASSWORD=S\nPORT=3000\n"],
  [".env.example", "DB_PASSWORD=S # of the shop\n", "correct horse"],
  [".env", "export API_KEY=\"S\"\n"],
  [".env", "PASSWORD=S\n", "hu\"nter#2'x"],
  ["a.ts", "const secret = process.env.X_SECRET ?? \"S\"\n"],
  ["a.ts", "const secret = process.env[\"X_SECRET\"] || 'S'\n"],
  ["a.ts", "const dbPassword: string = \"S\"\n"],
  ["a.ts", "const Env = z.object({ API_TOKEN: z.string().default(\"S\") })\n"],
  ["a.ts", "connect({ auth: { user: \"shop\", pass: \"S\" } })\n"],
  ["a.ts", "const password =\n  \"S\"\n"],
  ["a.ts", "fetch(`https://example.com/a?token=S`)\n"],
  ["a.ts", "fetch(\"https://example.com/a?b=1&api_key=S&c=2\")\n"],
  ["a.cs", "var c = \"Server=db;Password=S;Database=shop\";\n"],
  ["a.go", "token := \"S\"\n"],
  ["a.go", "key := getEnv(\"API_KEY\", \"S\")\n"],
  ["a.rs", "const TOKEN: &str = \"S\";\nlet key = env::var(\"API_KEY\").unwrap_or_else(|_| \"S\".to_string());\n"],
  ["a.rb", "config.secret_key = ENV.fetch(\"SECRET_KEY\") { }\nconfig = { :password => \"S\" }\n"],
  ["wp-config.php", "define('DB_PASSWORD', 'S');\n"],
  ["init.sql", "CREATE USER shop WITH PASSWORD 'S';\n"],
  ["application.properties", "spring.datasource.password=S\n"],
  ["application.yml", "  datasource:\n    password: S\n", "98765432"],
  ["a.json", "{ \"password\": S }", "98765432"],
  ["README.md", "Run `API_KEY=S npm start`, or with --password S.\n"],
  ["README.md", "agk_live_S, sk_test_S, rk_live_S, svck_live_S, ok_S, whsec_S", own],
  ["README.md", "https://pay.example.com/desk/join/join_S", own]
]

/** Nothing of these is a secret. */
const kept: ReadonlyArray<readonly [path: string, text: string]> = [
  ["compose.yaml", "      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD}\n      TOKEN: $TOKEN\n      API_KEY:\n      SECRET: \"\"\n"],
  ["compose.yaml", "      POSTGRES_PASSWORD_FILE: /run/secrets/db_password\nsecrets:\n  db_password:\n    file: ./password.txt\n"],
  [".github/workflows/ci.yml", "permissions:\n  id-token: write\nenv:\n  TOKEN: ${{ secrets.TOKEN }}\n"],
  [".env.example", "API_KEY=\nAPI_TOKEN=changeme\nJWT_SECRET=your-secret\nDB_PASSWORD=<password>\nAUTH_ENABLED=true\nTOKEN_TTL=3600\n"],
  [".env.example", "PASSWORD=xxx\nSECRET=example\nTOKEN=test\nAUTH=12345\n"],
  ["a.ts", "const token = getToken()\nconst apiKey = process.env.API_KEY\nconst secret = config.secret\n"],
  ["a.ts", "interface A { token: string; password?: string; readonly auth: Auth }\n"],
  ["a.ts", "const A = z.object({ password: z.string().min(8), token: Schema.String })\n"],
  ["a.ts", "const TOKEN_HEADER = \"Authorization\"\nconst TOKEN = \"Authorization\"\nconst apiKey = \"X-Api-Key\"\n"],
  ["a.ts", "const body = { max_tokens: 128000, maxTokens: 200000, tokens: 1000000 }\n"],
  ["a.ts", "fetch(`https://example.com/?token=${token}`)\nimport auth from \"./auth.ts\"\nconst auth = \"./auth\"\n"],
  ["a.ts", "if (password === \"hunter2\" || typeof token === \"string\") fail()\n"],
  [
    "a.py",
    "password = os.environ[\"PASSWORD\"]\ntoken: str\ndef f(token=Depends(bearer), password=None): ...\nconnect(password=password)\n"
  ],
  ["a.py", "parser.add_argument(\"--token\", help=\"the token\")\nparser.add_argument(\"--password\", \"-p\")\n"],
  ["a.tf", "password = var.db_password\nauthor = \"somebody1\"\n"],
  [
    "en.json",
    "{ \"password\": \"Password\", \"newPassword\": \"New password\", \"forgotPassword\": \"Vergessen?\", \"token\": \"Токен\" }"
  ],
  ["package.json", "{ \"dependencies\": { \"@octokit/auth-token\": \"^4.0.0\", \"next-auth\": \"4.24.5\", \"auth\": \"workspace:*\" } }"],
  ["pnpm-lock.yaml", "      '@octokit/auth-token': 4.0.0\n      is-password: 1.2.3\n"],
  ["index.html", "<input type=\"password\" name=\"password\" autocomplete=\"current-password\">"],
  ["README.md", "The token: a word that stands for a caller. Use --token to pass it, --password PASSWORD or --auth <auth>.\n"],
  ["Dockerfile", "ARG API_KEY\nENV API_KEY=$API_KEY\nRUN docker run -u 1000:1000 -u node:node a\n"],
  ["a.rs", "let token = Token::new();\nlet secret: Secret = secret();\n"],
  ["openapi.yaml", "    password: { type: string }\n    token:\n      type: string\n"],
  ["net.c", "sk_stream_alloc_page_for_the_socket(sk);\n"]
]

describe("secrets that are known by their names", () => {
  it.each(found)("%s: %j", (path, text = "", secret = "hunter2-Tr0ub4dor") => {
    const plain = text.replaceAll(
      "S",
      (letter, at: number) => /\w/u.test(text.charAt(at + 1)) || /[A-Z]/u.test(text.charAt(at - 1)) ? letter : secret
    )
    assert.include(plain, secret)
    const masked = redactSecrets(plain, path)
    assert.notInclude(masked, secret)
    const [begin, end] = plain.split(secret)
    assert.isTrue(masked.startsWith(begin ?? "") && masked.length === plain.length, masked)
    if (plain.split(secret).length === 2) assert.isTrue(masked.endsWith(end ?? ""), masked)
    assert.strictEqual(redactSecrets(masked, path), masked)
  })

  it.each(kept)("%s: %j stays", (path, text) => assert.strictEqual(redactSecrets(text, path), text))

  it.each([
    "password",
    "pwd=",
    "token=\"",
    "auth:\n",
    "--token ",
    "key: SECRET ",
    "API_KEY=a ",
    "secret ?? ",
    "redis-cli -a",
    " -u a:",
    "Bearer a"
  ])(
    "much of %j takes no long time",
    (part) => {
      for (const path of ["a.ts", "a.yaml", ".env", "a.md"]) {
        redactSecrets(part.repeat(256 * 1024 / part.length), path)
      }
    }
  )
})
