"""A doubly linked list of keys, the newest at the back."""


class Node:
    __slots__ = ("key", "prev", "next")

    def __init__(self, key):
        self.key = key
        self.prev = None
        self.next = None


class KeyList:
    """Keeps distinct keys in order, with constant time moves."""

    def __init__(self, keys=()):
        self.front = None
        self.back = None
        self._nodes = {}
        for key in keys:
            self.push(key)

    def __len__(self):
        return len(self._nodes)

    def __contains__(self, key):
        return key in self._nodes

    def __iter__(self):
        """Keys from the oldest to the newest."""
        node = self.front
        for _ in range(len(self._nodes)):
            yield node.key
            node = node.next

    def push(self, key):
        """Append a key at the back; a known key moves there."""
        if key in self._nodes:
            self.remove(key)
        node = Node(key)
        node.prev = self.back
        if self.back is None:
            self.front = node
        else:
            self.back.next = node
        self.back = node
        self._nodes[key] = node

    def remove(self, key):
        node = self._nodes.pop(key)
        if node.prev is None:
            self.front = node.next
        else:
            node.prev.next = node.next
        if node.next is None:
            self.back = node.prev
        else:
            node.next.prev = node.prev

    def pop_oldest(self):
        if self.front is None:
            raise KeyError("empty list")
        key = self.front.key
        self.remove(key)
        return key

    def newest(self, count=1):
        """The last keys, the newest first."""
        result = []
        node = self.back
        while node is not None and len(result) < count:
            result.append(node.key)
            node = node.prev
        return result
