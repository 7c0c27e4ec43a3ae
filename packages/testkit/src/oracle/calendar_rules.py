"""The calendar and the fractions of billing, once more in another language. Written from the rules in words, not from the TypeScript.

Weeks and months are those of the zone's calendar, on the wall: boundary k is the anchor plus k periods, at the anchor's time of day; of
months, on the anchor's day or the month's last. A skipped wall time is later by the gap, a repeated one is the first. Boundary 0 is the
anchor. A trial lasts so many days of that calendar, and ends at the time of day at which it began.
A period sells its whole seconds T for its price. The rest at an instant are r whole seconds, and part(price) = half_up(price * r / T),
rounded once, a half going up.
"""
import calendar
import pathlib
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from math import floor

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MS, DAY = timedelta(milliseconds=1), 86_400_000
# Of weeks or of months.
STEPS = {"weekly": 1, "monthly": 1, "quarterly": 3, "annual": 12}
zones = {}


def zone_of(name):
    """From the given files only: another release of the database must not answer."""
    if name not in zones:
        with open(pathlib.Path(sys.argv[1], name), "rb") as file:
            zones[name] = zoneinfo.ZoneInfo.from_file(file, key=name)
    return zones[name]


def wall_of(instant, zone):
    return (EPOCH + instant * MS).astimezone(zone_of(zone)).replace(tzinfo=None)


def instant_of(wall, zone):
    # Without a fold, a skipped time is read by the offset before it, and a repeated one as the first: what the rules want.
    return (wall.replace(tzinfo=zone_of(zone), fold=0) - EPOCH) // MS


def trial_end(start, zone, days):
    return start if days == 0 else instant_of(wall_of(start, zone) + timedelta(days=days), zone)


def moment(anchor, zone, period, n):
    """The anchor plus n weeks, or n months: what the period consists of."""
    if n == 0:
        return anchor
    wall = wall_of(anchor, zone)
    if period == "weekly":
        return instant_of(wall + timedelta(days=7 * n), zone)
    year, month = divmod(12 * wall.year + wall.month - 1 + n, 12)
    day = min(wall.day, calendar.monthrange(year, month + 1)[1])
    return instant_of(wall.replace(year=year, month=month + 1, day=day), zone)


def number_of(anchor, zone, period, instant):
    """How many weeks or months the instant is behind the anchor; None where it is no whole number."""
    n = 0
    while moment(anchor, zone, period, n) < instant:
        n += 1
    return n if moment(anchor, zone, period, n) == instant else None


def boundary(anchor, zone, period, k):
    return moment(anchor, zone, period, k * STEPS[period])


def half_up(ratio):
    return floor(ratio + Fraction(1, 2))


def next_boundary(anchor, zone, period, after):
    k = 0
    while boundary(anchor, zone, period, k) <= after:
        k += 1
    return k


def prorate(old, new, start, end, at):
    r, whole = max(0, (end - max(at, start)) // 1000), (end - start) // 1000
    credit, charge = half_up(Fraction(old * r, whole)), half_up(Fraction(new * r, whole))
    return {"credit": credit, "charge": charge, "adjustment": charge - credit, "numerator": r, "denominator": whole}
