/** The endpoint in Go: one core, and for each framework the lines that join it. */
import { type Guard, windowSeconds } from "./guard.ts"

const budget = ({ budget_per_run_cents }: Guard): string =>
  budget_per_run_cents === undefined ? "wholeOf(need(\"AGENT_BUDGET_CENTS\"))" : `int64(${budget_per_run_cents})`

const settings = (guard: Guard): string => `
func need(name string) string {
	value := os.Getenv(name)
	if value == "" {
		panic(name + " is not set")
	}
	return value
}

func wholeOf(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return number
}

var (
	budgetCents = ${budget(guard)}
	// Time that spending is summed over; 0: the budget is that of each call.
	window     = ${windowSeconds(guard)} * time.Second
	payments   = need("SVC_URL")
	paymentKey = need("SVC_API_KEY")
	agentToken = need("AGENT_TOKEN")
	client     = &http.Client{Timeout: 30 * time.Second}
	currency   = regexp.MustCompile("^[A-Z]{3}$")
)
`

const core = `
type order struct {
	Amount          int64  \`json:"amount"\`
	Currency        string \`json:"currency"\`
	PaymentMethodID string \`json:"payment_method_id"\`
}

type answer struct {
	status int
	body   any
}

type kept struct {
	order  order
	answer *answer
}

type spent struct {
	at    time.Time
	cents int64
}

// Both are this process's memory: where several processes run, a table of the database stands in their place.
var (
	lock     sync.Mutex
	spending = map[string]spent{}
	answers  = map[string]*kept{}
)

func refuse(status int, code, message string) answer {
	return answer{status, map[string]any{"error": map[string]string{"code": code, "message": message}}}
}

// spend counts the amount once for its key, and says whether it is within the budget.
func spend(key string, amount int64) bool {
	lock.Lock()
	defer lock.Unlock()
	now := time.Now()
	sum := int64(0)
	for one, entry := range spending {
		if now.Sub(entry.at) >= window {
			delete(spending, one)
		} else if one != key {
			sum += entry.cents
		}
	}
	if amount > budgetCents-sum {
		return false
	}
	if _, counted := spending[key]; !counted && window > 0 {
		spending[key] = spent{now, amount}
	}
	return true
}

func giveBack(key string) {
	lock.Lock()
	defer lock.Unlock()
	delete(spending, key)
}

func pay(key string, given order) answer {
	if !spend(key, given.Amount) {
		return refuse(403, "budget_exceeded", "The purchase is over the budget of "+strconv.FormatInt(budgetCents, 10)+" cents.")
	}
	unreachable := refuse(502, "payments_unreachable", "No answer of the payments: send the same key again.")
	sent, err := json.Marshal(map[string]any{
		"amount": given.Amount, "currency": given.Currency, "payment_method_id": given.PaymentMethodID,
		"capture": true, "idempotency_key": key,
	})
	if err != nil {
		return unreachable
	}
	request, err := http.NewRequest(http.MethodPost, payments+"/v1/payment_intents", bytes.NewReader(sent))
	if err != nil {
		return unreachable
	}
	request.Header.Set("Authorization", "Bearer "+paymentKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return unreachable
	}
	defer response.Body.Close()
	payment := map[string]any{}
	if json.NewDecoder(response.Body).Decode(&payment) != nil {
		return unreachable
	}
	// An answer of 5xx leaves the outcome open: what was spent stays counted.
	if response.StatusCode < 500 && payment["state"] != "captured" && payment["state"] != "pending" {
		giveBack(key)
	}
	return answer{response.StatusCode, payment}
}

// purchase takes a purchase of an agent: the credential, the key of the operation, the order, then the budget and the payment.
func purchase(authorization, key string, given order) answer {
	if subtle.ConstantTimeCompare([]byte(authorization), []byte("Bearer "+agentToken)) != 1 {
		return refuse(401, "unauthorized", "The token is not that of an agent.")
	}
	if key == "" || len(key) > 255 {
		return refuse(400, "idempotency_key_missing", "Send a random Idempotency-Key, and send it again on a retry only.")
	}
	if given.Amount <= 0 || !currency.MatchString(given.Currency) || given.PaymentMethodID == "" {
		return refuse(400, "invalid_order", "Send amount in minor units, currency and payment_method_id.")
	}
	lock.Lock()
	first, found := answers[key]
	if !found {
		first = &kept{order: given}
		answers[key] = first
	}
	before := first.answer
	lock.Unlock()
	if found && first.order != given {
		return refuse(409, "key_reused", "The key belongs to another order.")
	}
	if found && before == nil {
		return refuse(409, "in_progress", "The order with this key is being paid: send it again in a moment.")
	}
	if found {
		return *before
	}
	result := pay(key, given)
	lock.Lock()
	defer lock.Unlock()
	if result.status >= 500 {
		delete(answers, key)
	} else {
		first.answer = &result
	}
	return result
}
`

const MODULES = ["bytes", "crypto/subtle", "encoding/json", "net/http", "os", "regexp", "strconv", "sync", "time"]

const http = `
// TakePurchase answers POST /agent/purchases.
func TakePurchase(writer http.ResponseWriter, request *http.Request) {
	var given order
	_ = json.NewDecoder(http.MaxBytesReader(writer, request.Body, 65536)).Decode(&given)
	result := purchase(request.Header.Get("Authorization"), request.Header.Get("Idempotency-Key"), given)
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(result.status)
	_ = json.NewEncoder(writer).Encode(result.body)
}

// AddPurchases adds the route.
func AddPurchases(mux *http.ServeMux) {
	mux.HandleFunc("POST /agent/purchases", TakePurchase)
}
`

const gin = `
// AddPurchases adds the route.
func AddPurchases(router gin.IRoutes) {
	router.POST("/agent/purchases", func(c *gin.Context) {
		var given order
		_ = json.NewDecoder(http.MaxBytesReader(c.Writer, c.Request.Body, 65536)).Decode(&given)
		result := purchase(c.GetHeader("Authorization"), c.GetHeader("Idempotency-Key"), given)
		c.JSON(result.status, result.body)
	})
}
`

const joined = {
  "net/http": { modules: "", adapter: http },
  gin: { modules: "\n\t\"github.com/gin-gonic/gin\"\n", adapter: gin }
} as const

export type GoFramework = keyof typeof joined

export const go = (framework: GoFramework, guard: Guard): string => {
  const { adapter, modules } = joined[framework]
  return `package purchases\n\nimport (\n${MODULES.map((module) => `\t"${module}"\n`).join("")}${modules})\n${
    settings(guard)
  }${core}${adapter}`
}
