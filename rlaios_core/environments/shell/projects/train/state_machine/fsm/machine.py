"""A machine that is driven by named events."""


class TransitionError(Exception):
    pass


class Machine:
    def __init__(self, initial, finals=()):
        self.initial = initial
        self.state = initial
        self.finals = set(finals)
        self.rules = {}
        self.history = [initial]
        self.hooks = {}

    def add(self, source, event, target, guard=None):
        """Add a rule; rules for the same event are tried in order."""
        self.rules.setdefault((source, event), []).append((target, guard))
        return self

    def on_enter(self, state, hook):
        self.hooks.setdefault(state, []).append(hook)

    def target_of(self, event, data=None):
        """State the event leads to now, or None."""
        for target, guard in self.rules.get((self.state, event), []):
            if guard is None or guard(data):
                return target
        return None

    def can(self, event, data=None):
        return self.target_of(event, data) is not None

    def fire(self, event, data=None):
        target = self.target_of(event, data)
        if target is None:
            raise TransitionError("no way by %s from %s" % (event, self.state))
        self.state = target
        self.history.append(target)
        for hook in self.hooks.get(target, []):
            hook(target, data)
        return target

    def fire_all(self, events):
        """Fire events until one is refused; return how many were taken."""
        taken = 0
        for event in events:
            if not self.can(event):
                break
            self.fire(event)
            taken += 1
        return taken

    def events(self):
        """Events with a rule in the present state, sorted."""
        return sorted(event for source, event in self.rules if source == self.state)

    def is_done(self):
        return self.state in self.finals

    def back(self, steps=1):
        """Return to an earlier state; at most to the initial one."""
        if steps < 0:
            raise ValueError("steps must not be negative")
        keep = max(len(self.history) - steps, 1)
        self.history = self.history[:keep]
        self.state = self.history[-1]
        return self.state

    def reset(self):
        self.state = self.initial
        self.history = [self.initial]

    def visits(self, state):
        return self.history.count(state)
