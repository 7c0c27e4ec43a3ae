/** The endpoint in Python: one core, and for each framework the lines that join it. */
import { type Guard, windowSeconds } from "./guard.ts"

const budget = ({ budget_per_run_cents }: Guard): string =>
  budget_per_run_cents === undefined ? "int(os.environ[\"AGENT_BUDGET_CENTS\"])" : String(budget_per_run_cents)

const modules = `import hmac
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
`

const body = (guard: Guard): string => `
BUDGET_CENTS = ${budget(guard)}
# Seconds that spending is summed over; 0: the budget is that of each call.
WINDOW_SECONDS = ${windowSeconds(guard)}
PAYMENTS = os.environ["SVC_URL"]
KEY = os.environ["SVC_API_KEY"]
AGENT_TOKEN = os.environ["AGENT_TOKEN"]

# Both are this process's memory: where several processes run, a table of the database stands in their place.
_spending = {}
_answers = {}
_lock = threading.Lock()


def _refuse(status, code, message):
    return status, {"error": {"code": code, "message": message}}


def _spend(key, amount):
    """Counts the amount once for its key, and says whether it is within the budget."""
    now = time.monotonic()
    with _lock:
        for one, (at, _) in list(_spending.items()):
            if now - at >= WINDOW_SECONDS:
                del _spending[one]
        if sum(cents for one, (_, cents) in _spending.items() if one != key) + amount > BUDGET_CENTS:
            return False
        if WINDOW_SECONDS > 0:
            _spending.setdefault(key, (now, amount))
        return True


def _pay(key, order):
    if not _spend(key, order["amount"]):
        return _refuse(403, "budget_exceeded", "The purchase is over the budget of %d cents." % BUDGET_CENTS)
    sent = {name: order[name] for name in ("amount", "currency", "payment_method_id")}
    request = urllib.request.Request(
        PAYMENTS + "/v1/payment_intents",
        data=json.dumps({**sent, "capture": True, "idempotency_key": key}).encode(),
        headers={"authorization": "Bearer " + KEY, "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            status, answer = response.status, json.load(response)
    except urllib.error.HTTPError as error:
        status, answer = error.code, json.load(error)
    except (OSError, ValueError):
        return _refuse(502, "payments_unreachable", "No answer of the payments: send the same key again.")
    # An answer of 5xx leaves the outcome open: what was spent stays counted.
    if status < 500 and answer.get("state") not in ("captured", "pending"):
        with _lock:
            _spending.pop(key, None)
    return status, answer


def _is_order(order):
    return (
        isinstance(order, dict)
        and type(order.get("amount")) is int
        and order["amount"] > 0
        and re.fullmatch("[A-Z]{3}", str(order.get("currency"))) is not None
        and isinstance(order.get("payment_method_id"), str)
    )


def purchase(authorization, key, order):
    """A purchase of an agent: the credential, the key of the operation, the order, then the budget and the payment."""
    if not hmac.compare_digest((authorization or "").encode(), ("Bearer " + AGENT_TOKEN).encode()):
        return _refuse(401, "unauthorized", "The token is not that of an agent.")
    if not key or len(key) > 255:
        return _refuse(400, "idempotency_key_missing", "Send a random Idempotency-Key, and send it again on a retry only.")
    if not _is_order(order):
        return _refuse(400, "invalid_order", "Send amount in minor units, currency and payment_method_id.")
    request = json.dumps(order, sort_keys=True)
    with _lock:
        kept = _answers.get(key)
        if kept is None:
            _answers[key] = (request, None)
    if kept is not None:
        if kept[0] != request:
            return _refuse(409, "key_reused", "The key belongs to another order.")
        return kept[1] or _refuse(409, "in_progress", "The order with this key is being paid: send it again in a moment.")
    answer = _pay(key, order)
    with _lock:
        if answer[0] >= 500:
            del _answers[key]
        else:
            _answers[key] = (request, answer)
    return answer
`

const flask = `

purchases = Blueprint("agent_purchases", __name__)


@purchases.post("/agent/purchases")
def take_purchase():
    headers = request.headers
    status, answer = purchase(headers.get("Authorization"), headers.get("Idempotency-Key"), request.get_json(silent=True))
    return jsonify(answer), status
`

const fastapi = `

purchases = APIRouter()


@purchases.post("/agent/purchases")
def take_purchase(
    order: dict = Body(...),
    authorization: str = Header(""),
    idempotency_key: str = Header(""),
):
    status, answer = purchase(authorization, idempotency_key, order)
    return JSONResponse(answer, status_code=status)
`

const joined = {
  flask: { imports: "\nfrom flask import Blueprint, jsonify, request\n", adapter: flask },
  fastapi: { imports: "\nfrom fastapi import APIRouter, Body, Header\nfrom fastapi.responses import JSONResponse\n", adapter: fastapi }
} as const

export type PythonFramework = keyof typeof joined

export const python = (framework: PythonFramework, guard: Guard): string => {
  const { adapter, imports } = joined[framework]
  return `${modules}${imports}${body(guard)}${adapter}`
}
