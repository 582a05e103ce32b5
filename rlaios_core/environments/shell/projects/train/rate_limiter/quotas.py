"""Daily quotas, retry delays and rules written as text."""

PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_rule(text):
    """'10/s' -> (10, 1), '100 / 5m' -> (100, 300)."""
    amount, slash, period = text.partition("/")
    if not slash:
        raise ValueError("no slash in rule: " + text)
    period = period.strip().lower()
    unit = period[-1:]
    if unit not in PERIODS:
        raise ValueError("unknown period in rule: " + text)
    length = int(period[:-1] or 1)
    limit = int(amount)
    if limit < 1 or length < 1:
        raise ValueError("rule allows nothing: " + text)
    return limit, length * PERIODS[unit]


def strictest(rules):
    """The (limit, seconds) rule with the lowest rate; the longer one on ties."""
    return min(rules, key=lambda rule: (rule[0] / rule[1], -rule[1]))


def backoff(attempt, base=1, factor=2, ceiling=60):
    """Delay before retry number `attempt`, which counts from 1."""
    if attempt < 1:
        raise ValueError("attempts count from 1")
    return min(base * factor ** (attempt - 1), ceiling)


def backoff_schedule(retries, base=1, ceiling=60):
    """Moments of all retries, measured from the first failure."""
    moments = []
    elapsed = 0
    for attempt in range(1, retries + 1):
        elapsed += backoff(attempt, base, ceiling=ceiling)
        moments.append(elapsed)
    return moments


class Quota:
    """Units that clients may use per day, with some carried over."""

    def __init__(self, daily, carry=0):
        self.daily = daily
        self.carry = carry
        self.days = {}

    def used(self, client, day):
        return self.days.get(client, {}).get(day, 0)

    def allowance(self, client, day):
        """Daily units and up to `carry` units left from the day before."""
        left = max(self.daily - self.used(client, day - 1), 0)
        return self.daily + min(left, self.carry)

    def spend(self, client, day, units=1):
        if units > self.allowance(client, day) - self.used(client, day):
            return False
        usage = self.days.setdefault(client, {})
        usage[day] = usage.get(day, 0) + units
        return True

    def top_clients(self, day, count=3):
        """Clients by falling use on a day; those without use are left out."""
        active = [client for client in self.days if self.used(client, day) > 0]
        active.sort(key=lambda client: (-self.used(client, day), client))
        return active[:count]

    def near_limit(self, day, share=0.8):
        return sorted(
            client for client in self.days
            if self.used(client, day) >= share * self.allowance(client, day))
