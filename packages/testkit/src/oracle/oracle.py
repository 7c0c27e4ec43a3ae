"""The billing rules once more, in another language: an answer sheet for the tests. Written from the rules in words, which follow,
and not from the TypeScript. Standard library only. README.md beside this says what it reads and prints.

    python3 oracle.py DIRECTORY_OF_TIME_ZONE_FILES < questions.jsonl > answers.jsonl

Boundaries, trials, r, T and part(price): calendar_rules.py. T stays through pauses and moved anchors, until the next period begins.
The anchor is what was asked for: no date that was computed from it, on the last of a short month or behind a skipped hour, takes its place.
A period is as many weeks or months as its plan says, and ends so many whole weeks or months from the anchor.
Value V of a period: the prices of its charged cycles + the lines made in it - what was refunded or is disputed of its cycles (credit that
  was taken back for it aside), at least 0. A credit is at most V. Its price is the one the rest of the period was billed at: a change with
  `none` bills nothing, so the price before it is what a later credit is of.
Lines wait until the next cycle, of whatever kind, takes all of them. A cycle: owed = amount + lines; credit_applied = the carried credit
  that owed needs; effective = the rest of owed; what owed lacks to 0 is carried. adjustment = lines - credit_applied. Effective 0: charged.
Life. Trial: one period without a cycle, then the anchor is its end. Else the anchor is the creation. At a period's end: ends if it is to
  (lines owed become a last cycle, amount 0, of the cancelled subscription; lines the other way become credit), a waiting change of plan
  happens (from weeks to months or back: the anchor is this instant, unless that is a whole number of the new ones from the anchor), the
  period advances, and its cycle is charged. While a cycle is open (past_due) the period does not advance;
  after a late success it does at once, from the old end. What falls due runs before an operation at the same instant.
A failed charge: tries by the schedule that was in force when the cycle was made, counted from the due date (= the period's start; of a cycle made more than 24 h later, when it was
  made); a failed try stands for a planned one up to
  half an hour later (less than half the shortest way between two). A hard decline, and an end that was asked for without
  keep_collecting, stop the tries until the grace ends (the last planned try), when the cycle fails. A new card is tried at once. The try
  that reaches the number of tries fails the cycle: the subscription is cancelled, or paused with no time left if the account says so and it was not to end.
A cycle that fails or is voided gives back the credit it used, and lines that were the customer's; lines that were owed are waived, but for a
  pause: what they came to in sum waits again. Then what disputes have a claim on is taken back (Dispute).
A charge that is asked for stands beside the schedule: declined, it is no try of it; but a card that is refused for good there is not tried by itself either.
  Whether a card is refused for good is what its last charge said. A failure that is recorded is a try, and says nothing of the card.
A cycle that failed for good and is paid after all, by a charge that is asked for or a recorded payment, is charged: the credit that it gave back is taken
  again, with what disputes took back of it. What of that is spent or taken back waits as a line. The time of its period that later
  periods cover, of cycles that are neither voided nor refunded, is given back: a waiting credit line -part(price) for each of them, in sum
  at most the price less what is waived, out of the money of this cycle; of a subscription that has ended it is carried credit at once.
  Where the subscription has ended, what disputes have
  withdrawn, of the newest cycle first, is credit_granted again, as far as it goes, and only the rest is waived. Where that failure paused the subscription and it is the cycle
  of the present period, what of the period was left at the pause runs from now on, if that is a second or more: see Resume.
Change of plan: trial: just changes. none: from the next period. at_period_end: then. next_cycle: lines -part(old), at most V, and
  +part(new). now: a cycle of these and all waiting lines, charged at once; declined, it is voided and nothing happened. Another billing
  period: like now, amount = new price, line -part(old), and a new period from that instant, its anchor. A plan without proration: only
  at_period_end. Past due or paused: only at_period_end. A later change takes the place of a waiting one; to the plan it is on, undoes it.
Moved anchor: the period now ends at the anchor, which is after now and at most a period after the end. Line: the added seconds at the price,
  or the lost ones given back as a credit, at most V. Not while trialing, past due, paused, nor on a plan without proration. To the end
  that the period has: nothing changes, also not the anchor.
Pause: what is left is kept (past due: nothing, and the open cycle is voided). Resume: the end is later by the time of the pause, and so is
  the anchor; where the end is no whole number of weeks or months from that, the end is the anchor. Less than a second left: a new period
  begins at once. With new_period: it does in any case, and what was left is a credit. Now is the anchor then.
  One that is to end resumes only with something left, and not with new_period.
Refund: credit comes out of the money of the period's cycles, newest first (credit_granted). A refund is at most free = captured -
  refunded - disputed - credit_granted, at least 0; with reverse_credit beyond it, by at most the cycle's credit_granted and the credit that is unspent: waiting credit
  lines, which a waiting line then takes back, and for the rest what is carried, at once.
  A refund that gives back the last of a charged cycle's money makes the credit that the cycle used carried credit again: its credit
  lines and credit_applied, less reversals, at most what is spent (all credit_granted less unspent less held by the open cycle). It is of the
  earlier cycles, newest first. What a cycle's credit_granted exceeds its captured - refunded - disputed by is credit_withdrawn instead. V of the
  cycle's period is lower by all of it, and higher by what is withdrawn of the period's cycles.
Dispute: of at most captured - all disputed amounts that were not won, one at a time, and no refund meanwhile. What of it is more than captured -
  refunded - disputed was refunded before, and changes nothing here: disputed is without it. What of the rest exceeds free takes credit back like a
  refund with reverse_credit, as far as credit_granted and what is unspent go (credit_withdrawn). On the rest of it the dispute has a claim, as far as
  an open cycle would give it back: should that cycle fail or be voided, so much is taken back then and is credit_withdrawn, too, but never more than
  credit_granted exceeds captured - refunded - disputed by. Charged, the claim is void. Won, five days later: the money is there again, the claim is
  void, it is credit_granted again what was withdrawn, and that is carried credit. Accepted or lost, at once; expired, after twenty days: nothing more.
Cancel now: an open cycle is voided; of what waits, lines that are no reversal come first: in sum owed they are waived, the other way they become
  credit. Then the reversals take from the credit. What they do not find there the dispute, the latest first, has not withdrawn: it is credit_granted
  again. So it is the same whether the dispute comes before the cancellation or after. At the end: see above.

In the end, money captured - refunded - disputed - credit left = price x time sold + credit refused by V - waived - refunded - disputed + credit taken back -
what waits or is still tried, but for half a minor unit a line; `sold` is computed from stretches of time and not from lines. It is checked here.
"""
import json
import sys
from fractions import Fraction

from calendar_rules import DAY, STEPS, boundary, half_up, moment, next_boundary, number_of, prorate, trial_end

HARD = {"lost_card", "stolen_card", "expired_card", "fraudulent", "card_not_supported", "currency_not_supported"}


class Refused(Exception):
    """The operation is not allowed, and nothing changes."""


class History:
    def __init__(self, question):
        self.zone, self.plans, self.pauses = question["time_zone"], question["plans"], question.get("on_exhaustion") == "pause"
        self.tries = question.get("tries_ms", [0, DAY, 2 * DAY, 3 * DAY])
        self.status, self.plan, self.declines, self.cycles, self.waiting, self.credit = "none", None, None, [], [], 0
        self.open, self.timer, self.change, self.ends, self.keep, self.kept = None, None, None, False, False, 0
        self.first = 0  # of the period's cycles
        self.made, self.lines_of_period, self.refunded_of_period, self.trial, self.total, self.price, self.left = 0, 0, 0, False, 1, 0, 0
        self.reported = {}  # by cycle: the sum of the disputes that were not won, with what was refunded before
        self.disputes = []  # that are open: when they end, the cycle, the amount that was not refunded before, whether they are won, the whole amount
        self.claims = []  # on credit of the open cycle: the disputed cycle, the amount, whether it comes back when the dispute is won
        self.sold, self.waived, self.forfeited, self.reversed, self.rounded = Fraction(0), 0, 0, 0, 0

    # Time.
    def run(self, until):
        while True:
            due = []
            if self.timer is not None:
                due.append((self.timer, 0))
            if self.status in ("trialing", "active") and self.open is None:
                due.append((max(self.end, self.now), 1))
            if self.disputes:
                due.append((self.disputes[0][0], 2))
            if not due or min(due)[0] > until:
                break
            self.now, what = min(due)
            (self.on_timer, self.renew, self.on_dispute)[what]()
        self.now = until

    def on_timer(self):
        if self.waits:
            return self.decide()
        self.attempt(self.open)

    # Money.
    def value(self):
        paid = sum(c["amount"] for c in self.cycles[self.first:] if c["status"] in ("charged", "refunded") and c["kind"] == "period")
        return max(0, paid + self.lines_of_period - self.refunded_of_period)

    def rest(self):
        return max(0, (self.end - self.now) // 1000)

    def line(self, kind, price, seconds):
        amount = half_up(Fraction(price * abs(seconds), self.total))
        return {"kind": kind, "amount": amount if seconds >= 0 else -amount, "price": price, "seconds": abs(seconds), "period_seconds": self.total}

    def credit_line(self, kind, seconds):
        """What the time was billed at, given back: at most what the period is worth. Out of its cycles' money, newest first."""
        line = self.line(kind, self.price, -seconds)
        full, line["amount"] = -line["amount"], -min(-line["amount"], self.value())
        return line, full + line["amount"]

    def free(self, cycle):
        return max(0, cycle["captured"] - cycle["refunded"] - cycle["disputed"] - cycle["credit_granted"])

    def grant(self, amount):
        for cycle in reversed(self.cycles[self.first:]):
            part = min(amount, self.free(cycle))
            cycle["credit_granted"], amount = cycle["credit_granted"] + part, amount - part

    def wait(self, *lines):
        for line in lines:
            self.waiting.append(line)
            self.lines_of_period += line["amount"]

    def cycle(self, kind, start, end, amount, lines):
        owed, plan = amount + sum(line["amount"] for line in lines), self.plan
        applied = min(self.credit, max(0, owed))
        cycle = {"kind": kind, "plan": plan, "period_start": start, "period_end": end, "amount": amount, "lines": lines, "credit_applied": applied,
                 "adjustment": owed - amount - applied, "effective": max(0, owed) - applied, "credit_carried": self.credit - applied + max(0, -owed),
                 "status": "pending", "retries": 0, "captured": 0, "refunded": 0, "disputed": 0, "credit_granted": 0, "credit_withdrawn": 0,
                 "charged_at": None, "elsewhere": False}
        self.cycles.append(cycle)
        return cycle

    def pay(self, cycle):
        cycle.update(status="charged", captured=cycle["effective"], charged_at=self.now)

    def stretch(self, left):
        """The time up to where `left` seconds remain was sold at the price in force."""
        self.sold += Fraction(self.price * (self.left - left), self.total)
        self.left = left

    def begin(self, start, end, cycle):
        """A period begins: its price is billed by this cycle, which took all that waited."""
        self.start, self.end, self.total = start, end, (end - start) // 1000
        self.price, self.left, self.waiting, self.credit = cycle["amount"], self.total, [], cycle["credit_carried"]
        self.first, self.lines_of_period, self.refunded_of_period, self.trial = len(self.cycles) - 1, 0, 0, False

    def charge(self, cycle):
        if cycle["effective"] == 0:
            return self.pay(cycle)
        self.schedule = self.tries
        self.margin = min([30 * 60_000] + [(b - a - 1) // 2 for a, b in zip(self.schedule, self.schedule[1:])])
        late = self.now - cycle["period_start"] > DAY
        self.open, self.due = cycle, self.now if late else cycle["period_start"]
        self.attempt(cycle)

    def attempt(self, cycle):
        self.timer = None
        if self.declines is None:
            return self.close(cycle)
        self.cause = self.declines
        self.fail(cycle)

    def close(self, cycle):
        """The open cycle is paid."""
        self.pay(cycle)
        self.open, self.timer, self.claims = None, None, []
        if self.status == "past_due":
            self.status = "active"

    def fail(self, cycle):
        cycle["retries"] += 1
        if self.status == "active":
            self.status = "past_due"
        self.decide()

    def decide(self):
        cycle, due = self.open, self.due
        planned = next((due + offset for offset in self.schedule if due + offset > self.now + self.margin), None)
        self.waits = self.cause in HARD or (self.ends and not self.keep) or planned is None
        if cycle["retries"] >= len(self.schedule) or (self.waits and self.now >= due + self.schedule[-1]):
            self.drop("failed")
            return self.halt(0) if self.pauses and not self.ends and self.status != "canceled" else self.stop()
        self.timer = due + self.schedule[-1] if self.waits else planned

    def drop(self, status):
        cycle, self.open, self.timer = self.open, None, None
        lines = sum(line["amount"] for line in cycle["lines"])
        cycle["status"], self.credit = status, self.credit + cycle["credit_applied"] + max(0, -lines)
        self.waived += cycle["amount"] + max(0, lines)
        claims, self.claims = self.claims, []
        for index, amount, returns in claims:
            one = self.cycles[index]
            gone = one["credit_granted"] + one["refunded"] + one["disputed"] - one["captured"]
            back = max(0, min(amount, gone, self.unspent()))
            self.take_back(index, 0, back)
            if returns:
                one["credit_withdrawn"] += back

    def stop(self):
        reversals = [line for line in self.waiting if line["kind"] == "credit_reversed"]
        owed = sum(line["amount"] for line in self.waiting if line["kind"] != "credit_reversed")
        self.waived, self.credit = self.waived + max(0, owed), self.credit + max(0, -owed)
        short = sum(line["amount"] for line in reversals)
        self.credit, short = self.credit - min(short, self.credit), short - min(short, self.credit)
        for line in reversed(reversals):
            cycle = self.cycles[line["cycle"]]
            part = min(short, line["amount"], cycle["credit_withdrawn"])
            cycle["credit_granted"], cycle["credit_withdrawn"] = cycle["credit_granted"] + part, cycle["credit_withdrawn"] - part
            self.reversed, short = self.reversed - part, short - part
        self.waived += short
        self.waiting, self.change, self.ends, self.status, self.timer = [], None, False, "canceled", None

    def halt(self, seconds):
        self.resumes = "trialing" if self.trial else "active"
        self.status, self.kept, self.halted = "paused", seconds, self.now

    def pay_late(self, cycle):
        """A cycle that failed for good is paid: what `drop` did is undone, as far as the credit is still there."""
        lines = sum(line["amount"] for line in cycle["lines"])
        wanted = cycle["credit_applied"] + max(0, -lines)
        spent = wanted - min(self.credit, wanted)
        self.pay(cycle)
        self.credit, self.waived = self.credit - (wanted - spent), self.waived - cycle["amount"] - max(0, lines)
        if self.status == "canceled":
            for one in reversed(self.cycles):
                part = min(spent, one["credit_withdrawn"])
                one["credit_granted"], one["credit_withdrawn"] = one["credit_granted"] + part, one["credit_withdrawn"] - part
                self.reversed, spent = self.reversed - part, spent - part
            self.waived += spent
        elif spent:
            self.waiting.append({"kind": "proration_charge", "amount": spent, "price": None, "seconds": 0, "period_seconds": 0})
        self.sold_again(cycle, cycle["amount"] - (spent if self.status == "canceled" else 0))
        left = (self.end - self.halted) // 1000 if self.status == "paused" and cycle is self.cycles[self.first] else 0
        if left > 0:
            self.status = "active"
            self.postpone()

    def postpone(self):
        """The period ends later by the time of the pause, and the anchor goes with it as far as the end stays on it."""
        paused, period = self.now - self.halted, self.plans[self.plan]["period"]
        self.end += paused
        self.n = number_of(self.anchor + paused, self.zone, period, self.end)
        self.anchor, self.n = (self.end, 0) if self.n is None else (self.anchor + paused, self.n)

    def sold_again(self, cycle, worth):
        """The time that later periods cover is not sold by this one."""
        price, total, after, given = cycle["amount"], (cycle["period_end"] - cycle["period_start"]) // 1000, cycle["period_start"], 0
        for one in self.cycles[self.cycles.index(cycle) + 1:]:
            start, end = max(after, one["period_start"]), min(cycle["period_end"], one["period_end"])
            if one["kind"] != "period" or one["status"] in ("voided", "refunded") or end <= start:
                continue
            seconds, after = (end - start) // 1000, end
            full = half_up(Fraction(price * seconds, total))
            amount = min(full, max(0, worth - given))
            given, self.rounded, self.forfeited = given + amount, self.rounded + 1, self.forfeited + full - amount
            self.sold -= Fraction(price * seconds, total)
            if amount and self.status != "canceled":
                self.waiting.append(
                    {"kind": "proration_credit", "amount": -amount, "price": price, "seconds": seconds, "period_seconds": total}
                )
        cycle["credit_granted"] += min(given, self.free(cycle))
        self.credit += given if self.status == "canceled" else 0

    # What happens by itself.
    def renew(self):
        if self.ends:
            owed = sum(line["amount"] for line in self.waiting)
            if owed <= 0:
                return self.stop()
            cycle, self.waiting = self.cycle("final", self.end, self.end, 0, self.waiting), []
            self.credit = cycle["credit_carried"]
            self.stop()
            return self.charge(cycle)
        if self.trial:
            self.anchor, self.n = self.end, 0
        if self.change is not None:
            old, new = self.plans[self.plan]["period"], self.plans[self.change]["period"]
            if (old == "weekly") != (new == "weekly"):
                self.n = number_of(self.anchor, self.zone, new, self.end)
                if self.n is None:
                    self.anchor, self.n = self.end, 0
            self.plan, self.change = self.change, None
        self.stretch(0)
        self.enter(self.end)

    def enter(self, start):
        plan, self.status = self.plans[self.plan], "active"
        self.n += STEPS[plan["period"]]
        end = moment(self.anchor, self.zone, plan["period"], self.n)
        cycle = self.cycle("period", start, end, plan["amount"], self.waiting)
        self.begin(start, end, cycle)
        self.charge(cycle)

    # What is asked for.
    def create(self, plan, **_):
        self.plan, days = plan, self.plans[plan].get("trial_days", 0)
        self.anchor, self.n = self.now, 0
        if days == 0:
            return self.enter(self.now)
        self.status, self.trial, self.start, self.end = "trialing", True, self.now, trial_end(self.now, self.zone, days)
        self.price, self.left, self.total = 0, 0, 1

    def card(self, declines=None, new=True, **_):
        self.declines = declines
        if new and self.open is not None:
            self.attempt(self.open)

    def dunning(self, tries_ms, **_):
        self.tries = tries_ms

    def asked(self, index):
        """The cycle, and whether it is open; one that is neither open nor failed is not paid."""
        cycle = self.cycles[index] if -len(self.cycles) <= index < len(self.cycles) else None
        if cycle is None or (cycle is not self.open and cycle["status"] != "failed"):
            raise Refused
        return cycle, cycle is self.open

    def charge_now(self, cycle, **_):
        cycle, is_open = self.asked(cycle)
        if self.declines is not None:
            if is_open:
                self.cause = self.declines
                if self.cause in HARD:
                    self.decide()
            raise Refused
        (self.close if is_open else self.pay_late)(cycle)

    def record(self, cycle, success, elsewhere=False, **_):
        cycle, is_open = self.asked(cycle)
        if success:
            cycle["elsewhere"] = elsewhere
            return (self.close if is_open else self.pay_late)(cycle)
        if not is_open:
            raise Refused
        self.fail(cycle)

    def change_plan(self, plan, behavior="next_cycle", **_):
        old, new = self.plans[self.plan], self.plans[plan]
        if self.status == "canceled" or (plan == self.plan and self.change is None):
            raise Refused
        if plan == self.plan:
            self.change = None
            return
        if self.trial and self.status == "trialing":
            self.plan, self.change = plan, None
            return
        if behavior == "at_period_end":
            self.change = plan
            return
        if self.status != "active" or not (old.get("allow_proration", True) and new.get("allow_proration", True)):
            raise Refused
        moves = old["period"] != new["period"]
        if behavior == "none" and not moves:
            self.plan, self.change = plan, None
            return
        r = self.rest()
        credit, forfeited = self.credit_line("proration_credit", r)
        charge = self.line("proration_charge", new["amount"], r)
        if moves:
            lines, amount, end = self.waiting + [credit], new["amount"], boundary(self.now, self.zone, new["period"], 1)
        else:
            lines, amount, end = self.waiting + [credit, charge], 0, self.end
        before, own = self.plan, len(self.cycles)
        if moves or behavior == "now":
            self.plan = plan
            cycle = self.cycle("period" if moves else "change", self.now, end, amount, lines)
            if cycle["effective"] and self.declines is not None:
                cycle.update(status="voided", retries=1)
                self.plan = before
                return
            self.pay(cycle)
        self.plan, self.change, self.forfeited, self.rounded = plan, None, self.forfeited + forfeited, self.rounded + 2
        self.cycles, mine = self.cycles[:own], self.cycles[own:]
        self.grant(-credit["amount"])
        self.cycles += mine
        self.stretch(r)
        if moves:
            self.left, self.anchor, self.n = 0, self.now, STEPS[new["period"]]
            return self.begin(self.now, end, cycle)
        self.price = new["amount"]
        self.wait(credit, charge)
        if behavior == "now":
            self.waiting, self.credit = [], cycle["credit_carried"]

    def change_anchor(self, anchor, **_):
        plan = self.plans[self.plan]
        if self.status != "active":
            raise Refused
        most = moment(self.anchor, self.zone, plan["period"], self.n + STEPS[plan["period"]])
        if not self.now < anchor <= most or not plan.get("allow_proration", True):
            raise Refused
        seconds = (anchor - self.end) // 1000 if anchor >= self.end else -((self.end - anchor) // 1000)
        line, forfeited = (self.line("anchor_change", self.price, seconds), 0) if seconds >= 0 else self.credit_line("anchor_change", -seconds)
        if seconds < 0:
            self.grant(-line["amount"])
        if anchor != self.end:
            self.wait(line)
            self.anchor, self.n = anchor, 0
        self.forfeited, self.rounded, self.left = self.forfeited + forfeited, self.rounded + 1, self.left + seconds
        self.end = anchor

    def waiting_credit(self):
        return -sum(line["amount"] if line["kind"] == "credit_reversed" else min(0, line["amount"]) for line in self.waiting)

    def unspent(self):
        return self.credit + self.waiting_credit()

    def held(self):
        """Credit that the open cycle would give back, less what disputes claim of it."""
        if self.open is None:
            return 0
        lines = sum(line["amount"] for line in self.open["lines"])
        return max(0, self.open["credit_applied"] + max(0, -lines) - sum(claim[1] for claim in self.claims))

    def unreturned(self, cycle):
        return cycle["captured"] - cycle["refunded"] - cycle["disputed"]

    def goes_back(self, index, amount, most=None):
        """Whether so much of the cycle's money can go back at all; and how much of it is credit."""
        cycle = self.cycles[index] if index < len(self.cycles) else None
        if cycle is None or cycle["elsewhere"] or not 1 <= amount <= (self.unreturned(cycle) if most is None else most) or any(one[1] == index for one in self.disputes):
            raise Refused
        return cycle, max(0, amount - self.free(cycle))

    def take_back(self, index, amount, credit):
        if credit:
            waits = min(credit, self.waiting_credit())
            self.credit -= credit - waits
            if waits:
                self.waiting.append({"kind": "credit_reversed", "amount": waits, "price": None, "seconds": 0, "period_seconds": 0, "cycle": index})
            self.cycles[index]["credit_granted"], self.reversed = self.cycles[index]["credit_granted"] - credit, self.reversed + credit
        if index >= self.first:
            self.refunded_of_period += amount - credit

    def refund(self, cycle, amount=None, reverse_credit=False, **_):
        if amount is None and cycle < len(self.cycles):
            amount = self.cycles[cycle]["captured"] - self.cycles[cycle]["refunded"] - self.cycles[cycle]["disputed"]
        index, (cycle, beyond) = cycle, self.goes_back(cycle, amount)
        if beyond and (not reverse_credit or beyond > min(self.unspent(), cycle["credit_granted"])):
            raise Refused
        self.take_back(index, amount, beyond)
        cycle["refunded"] += amount
        if cycle["refunded"] == cycle["captured"]:
            cycle["status"] = "refunded"
            self.return_credit(index, cycle)

    def return_credit(self, index, cycle):
        """The charge is refunded whole: the credit that it used is there again."""
        took = [line["amount"] for line in cycle["lines"] if line["amount"] < 0 or line["kind"] == "credit_reversed"]
        spent = sum(one["credit_granted"] for one in self.cycles) - self.unspent() - self.held()
        left = max(0, min(cycle["credit_applied"] - sum(took), spent))
        for number, one in reversed(list(enumerate(self.cycles[:index]))):
            part = min(left, one["credit_granted"])
            lost = min(part, max(0, one["credit_granted"] + one["refunded"] + one["disputed"] - one["captured"]))
            one["credit_granted"], one["credit_withdrawn"], left = one["credit_granted"] - lost, one["credit_withdrawn"] + lost, left - part
            self.credit, self.reversed = self.credit + part - lost, self.reversed - part + lost
            self.refunded_of_period += (part if index >= self.first else 0) - (lost if number >= self.first else 0)

    def dispute(self, cycle, amount, outcome, **_):
        index, reported = cycle, self.reported.get(cycle, 0)
        cycle, _ = self.goes_back(index, amount, self.cycles[index]["captured"] - reported if index < len(self.cycles) else 0)
        self.reported[index], whole, amount = reported + amount, amount, min(amount, self.unreturned(cycle))
        days = {"won": 5, "expired": 20}.get(outcome)
        if days is not None:
            self.disputes = sorted(self.disputes + [(self.now + days * DAY, index, amount, outcome == "won", whole)])
        if amount == 0:
            return
        beyond = max(0, amount - self.free(cycle))
        back = min(beyond, self.unspent(), cycle["credit_granted"])
        wanted = min(beyond, cycle["credit_granted"]) - back
        self.take_back(index, amount, back)
        cycle["disputed"], cycle["credit_withdrawn"] = cycle["disputed"] + amount, back
        if self.open is not None:
            held = self.held()
            self.claims = [(one, of, returns and one != index) for one, of, returns in self.claims]
            if min(wanted, held) > 0:
                self.claims.append((index, min(wanted, held), True))

    def on_dispute(self):
        (_, index, amount, won, whole), self.disputes = self.disputes[0], self.disputes[1:]
        if not won:
            return
        self.reported[index] -= whole
        if amount == 0:
            return
        cycle = self.cycles[index]
        self.claims = [claim for claim in self.claims if claim[0] != index or not claim[2]]
        back, cycle["credit_withdrawn"] = cycle["credit_withdrawn"], 0
        cycle["disputed"], cycle["credit_granted"] = cycle["disputed"] - amount, cycle["credit_granted"] + back
        self.credit, self.reversed = self.credit + back, self.reversed - back
        if index >= self.first:
            self.refunded_of_period -= amount - back

    def pause(self, **_):
        if self.status not in ("trialing", "active", "past_due"):
            raise Refused
        seconds = self.rest()
        if self.open is not None:
            seconds, owed = 0, max(0, sum(line["amount"] for line in self.open["lines"]))
            self.drop("voided")
            if owed:
                self.waived -= owed
                self.waiting.insert(0, {"kind": "proration_charge", "amount": owed, "price": None, "seconds": 0, "period_seconds": 0})
        self.halt(seconds)

    def resume(self, new_period=False, **_):
        if self.status != "paused" or (self.ends and (new_period or self.kept == 0)):
            raise Refused
        self.status = self.resumes
        if self.kept > 0 and not new_period:
            return self.postpone()
        if new_period and not self.trial and self.kept > 0:
            credit, forfeited = self.credit_line("proration_credit", self.kept)
            self.grant(-credit["amount"])
            self.wait(credit)
            self.stretch(self.kept)
            self.left, self.forfeited, self.rounded = 0, self.forfeited + forfeited, self.rounded + 1
        self.anchor, self.n, self.end = self.now, 0, self.now

    def cancel(self, at_period_end=False, keep_collecting=False, **_):
        if self.status == "canceled":
            raise Refused
        if at_period_end:
            stopped = self.ends and not self.keep
            self.ends, self.keep = True, keep_collecting
            return self.decide() if self.open is not None and (stopped or not keep_collecting) else None
        if self.open is not None:
            self.drop("voided")
        self.stop()

    def uncancel(self, **_):
        if not self.ends or self.status == "canceled":
            raise Refused
        self.ends = self.keep = False
        if self.open is not None and self.waits:
            self.decide()

    def answer(self, question):
        refused = []
        for index, operation in enumerate(question["operations"]):
            if self.status == "none":
                self.now = operation["at"]
            self.run(operation["at"])
            try:
                getattr(self, operation["do"])(**{key: value for key, value in operation.items() if key not in ("at", "do")})
            except Refused:
                refused.append(index)
            self.run(operation["at"])
        self.run(question["until"])
        captured, refunded, disputed = (sum(c[of] for c in self.cycles) for of in ("captured", "refunded", "disputed"))
        owed, net = sum(line["amount"] for line in self.waiting), captured - refunded - disputed - self.credit
        owed += self.open["effective"] if self.open is not None else 0
        self.stretch(0)
        closed = self.sold + self.forfeited - self.waived - refunded - disputed + self.reversed - owed
        assert abs(closed - net) <= Fraction(self.rounded, 2), f"money and time disagree: {net} and {float(closed)} in {json.dumps(question)}"
        return {"status": self.status, "plan": self.plan, "period_end": self.end, "cycles": self.cycles, "waiting": self.waiting,
                "credit_balance": self.credit, "refused": refused, "captured": captured, "refunded": refunded, "disputed": disputed, "waived": self.waived, "forfeited": self.forfeited,
                "sold": [self.sold.numerator, self.sold.denominator]}


def answer(question):
    kind = question["ask"]
    if kind == "boundaries":
        own = (question["anchor"], question["time_zone"], question["period"])
        return {"at": [boundary(*own, k) for k in question["k"]], "next": next_boundary(*own, question["after"])}
    if kind == "trial":
        return {"end": trial_end(question["start"], question["time_zone"], question["days"])}
    if kind == "prorate":
        return prorate(question["old_amount"], question["new_amount"], question["period_start"], question["period_end"], question["at"])
    return History(question).answer(question)


if __name__ == "__main__":
    for text in sys.stdin:
        print(json.dumps(answer(json.loads(text)), separators=(",", ":")))
