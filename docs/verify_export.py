#!/usr/bin/env python3
"""Verifies an export of a ledger with its public key alone: python3 verify_export.py ledger.ndjson jwks.json (Python 3.8 or newer, no package)."""
import base64, hashlib, json, sys
P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519, RFC 8032, with points in extended coordinates
D = -121665 * pow(121666, P - 2, P) % P
def add(a, b):
    s, t, u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P, 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return ((t - s) * (v - u) % P, (v + u) * (t + s) % P, (v - u) * (v + u) % P, (t - s) * (t + s) % P)
def mul(n, a):
    r = (0, 1, 1, 0)
    for bit in bin(n)[2:]:
        r = add(add(r, r), a if bit == "1" else (0, 1, 1, 0))
    return r
def point(data):
    y, sign = int.from_bytes(data, "little") % 2**255, data[31] >> 7
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    x = x if (x * x - x2) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    return (x, y, 1, x * y % P) if x % 2 == sign else (P - x, y, 1, (P - x) * y % P)
def signed(key, text, sig):
    s, h = int.from_bytes(sig[32:], "little"), int.from_bytes(hashlib.sha512(sig[:32] + key + text).digest(), "little")
    x, y, z, t = mul(h % Q, point(key))
    x, y, z, t = add(mul(s % Q, point(b"\x58" + b"\x66" * 31)), (P - x, y, z, P - t))
    x, y = (v * pow(z, P - 2, P) % P for v in (x, y))
    return s < Q and sig[:32] == (y | x % 2 << 255).to_bytes(32, "little")
NUMBERS = ("amount", "delta_available", "delta_pending", "delta_reserved", "sequence_id", "last_sequence_id", "tree_size")  # text in RFC 8785 JSON; trees are of RFC 6962
HASHED = ("created_at currency direction event_type hash_version id idempotency_key merchant_id previous_hash resource_id resource_type " + " ".join(NUMBERS[:5])).split()
jcs = lambda row, names: json.dumps({n: str(row.get(n)) if n in NUMBERS else row.get(n) for n in names}, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
unb64 = lambda text: base64.urlsafe_b64decode(text + "==")
def genuine(cp, keys):
    node, at, last = hashlib.sha256(b"\0" + jcs(cp, ("events_root", "head_hash", "last_sequence_id", "merchant_id"))).digest(), cp["leaf_index"], cp["tree_size"] - 1
    for beside in map(bytes.fromhex, cp["path"]):
        while at % 2 == 0 and at == last > 0: at, last = at // 2, last // 2
        node, at, last = hashlib.sha256(b"\1" + (beside + node if at % 2 else node + beside)).digest(), at // 2, last // 2
    said = jcs({**cp, "type": "svc.ledger.checkpoint.v1"}, ("created_at", "root_hash", "tree_size", "type"))
    return node.hex() == cp["root_hash"] and cp["key_id"] in keys and signed(keys[cp["key_id"]], said, unb64(cp["signature"]))
def verify(lines, keys, n=0, head="0" * 64, end=None, daily=None):
    for line in lines:
        try: row = json.loads(line)
        except ValueError: return n + 1, "the line is no JSON: cut, or changed"
        if end or not isinstance(row, dict): return n + 1, "there are lines behind the signed end" if end else "the line is no event"
        if n == 0 and row.get("type") == "checkpoint":
            daily = row["checkpoint"]
            if type(daily["last_sequence_id"]) is not int or not genuine(daily, keys): return daily["last_sequence_id"], "a checkpoint is not genuine, or not of this chain"
        elif row.get("type") == "end": end = row["checkpoint"]
        elif "event_hash" not in row: return n + 1, "the line is no event"
        elif any(type(row.get(name)) is not int for name in NUMBERS[:4] + ("counter_delta", "sequence_id")): return n + 1, "one of its numbers is none"
        elif row.get("sequence_id", 0) != n + 1: return min(n + 1, row.get("sequence_id") or n + 1), "missing, inserted or out of order"
        elif row.get("previous_hash") != head: return n + 1, "not linked to the event before"
        elif hashlib.sha256(jcs(row, HASHED)).hexdigest() != row["event_hash"]: return n + 1, "changed: its hash does not fit its fields"
        elif row["delta_available"] + row["delta_pending"] + row["delta_reserved"] + row.get("counter_delta", 0.5) != 0: return n + 1, "its deltas do not sum to zero"
        elif str(row.get("event_type")).startswith("orchestration_leg_") and any(row[name] for name in NUMBERS[1:4] + ("counter_delta",)): return n + 1, "a rail's leg moves money"
        else: n, head = n + 1, row["event_hash"]
        cp = end or (daily if daily and daily["last_sequence_id"] == n else None)
        if cp and (not genuine(cp, keys) or cp["last_sequence_id"] == n and cp["head_hash"] != head): return n, "a checkpoint is not genuine, or not of this chain"
        reach = max(cp["last_sequence_id"] for cp in (end, daily) if cp) if end else n
        if reach != n: return min(reach, n) + 1, "missing, or added, before the signed end"
    return None if end else (n + 1, "cut: the signed end is missing")
if len(sys.argv) != 3: sys.exit("usage: python3 verify_export.py ledger.ndjson jwks.json")
keys = {k["kid"]: unb64(k["x"]) for k in json.load(open(sys.argv[2]))["keys"]}
wrong = verify(open(sys.argv[1], encoding="utf-8", newline="\n"), keys)
sys.exit("BAD at sequence %s: %s" % wrong if wrong else print("ok"))
