"""Finding what two sequences have in common."""


def common_prefix(a, b):
    """Number of equal items at the start."""
    count = 0
    for x, y in zip(a, b):
        if x != y:
            break
        count += 1
    return count


def common_suffix(a, b, keep=0):
    """Number of equal items at the end, leaving the first `keep` items alone."""
    longest = min(len(a), len(b)) - keep
    for count in range(longest):
        if a[-1 - count] != b[-1 - count]:
            return count
    return max(longest, 0)


def lcs_table(a, b):
    """table[i][j] is the length of the longest common subsequence of a[i:] and b[j:]."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            if a[i] == b[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    return table


def matching_pairs(a, b):
    """Rising index pairs (i, j) with a[i] == b[j], as many as possible."""
    table = lcs_table(a, b)
    pairs = []
    j = 0
    for i in range(len(a)):
        # go on in b while nothing is lost by skipping b[j]
        while j < len(b) and a[i] != b[j] and table[i][j + 1] > table[i + 1][j]:
            j += 1
        if j < len(b) and a[i] == b[j]:
            pairs.append((i, j))
            j += 1
    return pairs


def matching_blocks(a, b):
    """Matching runs as (start in a, start in b, size)."""
    blocks = []
    for i, j in matching_pairs(a, b):
        if blocks:
            start_a, start_b, size = blocks[-1]
            if i == start_a + size and j == start_b + size:
                blocks[-1] = (start_a, start_b, size + 1)
                continue
        blocks.append((i, j, 1))
    return blocks


def similarity(a, b):
    """Share of matching items, from 0.0 to 1.0; two empty sequences are equal."""
    total = len(a) + len(b)
    if total == 0:
        return 1.0
    return 2 * len(matching_pairs(a, b)) / total


def closest(line, candidates, cutoff=0.6):
    """The candidate most similar to the line, or None if none is near enough."""
    best, best_score = None, 0.0
    for candidate in candidates:
        score = similarity(line, candidate)
        if score >= cutoff and score > best_score:
            best, best_score = candidate, score
    return best
