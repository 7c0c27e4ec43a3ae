"""The calendar and the fractions of billing, once more in another language. Written from the rules in words, not from the TypeScript.

A week is 7 x 24 h. Months are calendar months of the anchor's wall time in the zone: boundary k is the anchor plus k periods, on the
anchor's day or the month's last. A skipped wall time is later by the gap, a repeated one is the first. Boundary 0 is the anchor.
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
MS, DAY, MONTHS = timedelta(milliseconds=1), 86_400_000, {"monthly": 1, "quarterly": 3, "annual": 12}
zones = {}


def zone_of(name):
    """From the given files only: another release of the database must not answer."""
    if name not in zones:
        with open(pathlib.Path(sys.argv[1], name), "rb") as file:
            zones[name] = zoneinfo.ZoneInfo.from_file(file, key=name)
    return zones[name]


def boundary(anchor, zone, period, k):
    if period == "weekly":
        return anchor + k * 7 * DAY
    if k == 0:
        return anchor
    wall = (EPOCH + anchor * MS).astimezone(zone_of(zone)).replace(tzinfo=None)
    year, month = divmod(12 * wall.year + wall.month - 1 + k * MONTHS[period], 12)
    day = min(wall.day, calendar.monthrange(year, month + 1)[1])
    # Without a fold, a skipped time is read by the offset before it, and a repeated one as the first: what the rules want.
    return (wall.replace(year=year, month=month + 1, day=day, tzinfo=zone_of(zone), fold=0) - EPOCH) // MS


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
