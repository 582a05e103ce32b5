"""Rules that decide which queues get a message."""

from dataclasses import dataclass, field
from typing import Iterable

from relay.message import Message, Priority, parse_priority, raise_priority, specificity, topic_matches


@dataclass(frozen=True)
class Rule:
    """Sends matching messages to a target queue.

    Rules with a larger `weight` come first; `stop` ends the search and
    `boost` changes the priority of the delivered message.
    """

    pattern: str
    target: str
    weight: int = 0
    lowest: Priority = Priority.LOW
    highest: Priority = Priority.URGENT
    require: dict = field(default_factory=dict)
    boost: int = 0
    stop: bool = False

    def accepts(self, message: Message) -> bool:
        if not self.lowest <= message.priority <= self.highest:
            return False
        if any(message.header(name) != value for name, value in self.require.items()):
            return False
        return topic_matches(self.pattern, message.topic)


def parse_rule(text: str) -> Rule:
    """Read `pattern -> target [option ...]`.

    Options are `stop`, `boost=1`, `weight=5`, `min=high`, `max=normal` and
    `name:value` for a required header.
    """
    left, _, right = text.partition("->")
    words = right.split()
    if not left.strip() or not words:
        raise ValueError(f"not a rule: {text}")
    options: dict = {"require": {}}
    for word in words[1:]:
        name, _, value = word.partition("=")
        if word == "stop":
            options["stop"] = True
        elif name in ("boost", "weight"):
            options[name] = int(value)
        elif name in ("min", "max"):
            options["lowest" if name == "min" else "highest"] = parse_priority(value)
        elif ":" in word:
            header, _, wanted = word.partition(":")
            options["require"][header] = wanted
        else:
            raise ValueError(f"unknown option: {word}")
    return Rule(left.strip(), words[0], **options)


def order_rules(rules: Iterable[Rule]) -> list:
    """Heavier rules first, then more specific patterns, then as given."""
    return sorted(rules, key=lambda rule: (rule.weight, specificity(rule.pattern)), reverse=True)


class Router:
    """An ordered set of rules with a fallback target."""

    def __init__(self, rules=(), *, fallback: str | None = None):
        self.rules = order_rules(rules)
        self.fallback = fallback

    def add(self, rule: Rule) -> None:
        self.rules = order_rules([*self.rules, rule])

    def remove_target(self, target: str) -> int:
        """Drop the rules for a target; returns how many there were."""
        kept = [rule for rule in self.rules if rule.target != target]
        dropped = len(self.rules) - len(kept)
        self.rules = kept
        return dropped

    def matching(self, message: Message) -> list:
        """Accepting rules in order, up to the first one that stops."""
        found = []
        for rule in self.rules:
            if not rule.accepts(message):
                continue
            found.append(rule)
            if rule.stop:
                break
        return found

    def route(self, message: Message) -> dict:
        """Target names with the message for each; the first rule of a target wins."""
        routes = {}
        for rule in self.matching(message):
            routes.setdefault(rule.target, raise_priority(message, rule.boost))
        if not routes and self.fallback is not None:
            routes[self.fallback] = message
        return routes

    def targets(self) -> list:
        """All targets that a message can reach, sorted."""
        names = {rule.target for rule in self.rules}
        if self.fallback is not None:
            names.add(self.fallback)
        return sorted(names)

    def shadowed(self) -> list:
        """Rules that never act because an equal pattern stops before them."""
        closed = set()
        hidden = []
        for rule in self.rules:
            if rule.pattern in closed:
                hidden.append(rule)
                continue
            any_priority = rule.lowest == Priority.LOW and rule.highest == Priority.URGENT
            if rule.stop and any_priority and not rule.require:
                closed.add(rule.pattern)
        return hidden
