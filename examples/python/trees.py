"""A phylogenetic tree from a Newick file: cophenetic distances of its tips, and a tree of 100,000 tips.

The cophenetic distance of two tips is the length of the path between them (cophenetic.phylo of R's ape).
"""

import numpy as np

import apsp

# %% Read Newick, such as (A:1,B:2)name:3; without comments and quoted names. Nodes are numbers in the order of the text.


def read_newick(text):
    """(parents, lengths of the branches to them, names) of all nodes; the root is its own parent."""
    parents, lengths, names, open_nodes, last = [0], [0.0], [""], [0], 0
    for part in text.strip().rstrip(";").replace("(", "\n(\n").replace(")", "\n)\n").replace(",", "\n,\n").split("\n"):
        if part in ("(", ","):
            if part == "(" and last != open_nodes[-1]:
                open_nodes.append(last)
            last = len(parents)
            parents.append(open_nodes[-1])
            lengths.append(0.0)
            names.append("")
        elif part == ")":
            last = open_nodes[-1]
            if len(open_nodes) > 1:
                open_nodes.pop()
        elif part:
            name, _, length = part.partition(":")
            names[last], lengths[last] = name.strip(), float(length or 0)
    return np.array(parents), np.array(lengths), names


parents, lengths, names = read_newick("((human:6.2,chimp:6.2)a:2.4,(gorilla:8.0,(orang:3.1,gibbon:4.4)b:5.0)c:1.5)root;")
tips = [v for v, name in enumerate(names) if name and v not in set(parents)]
assert [names[v] for v in tips] == ["human", "chimp", "gorilla", "orang", "gibbon"]

# %% A tree is a graph: every node but the root has an edge to its parent.


def tree_of(parents, lengths):
    nodes = np.arange(1, len(parents))
    return apsp.Graph.from_edges(nodes, parents[1:], lengths[1:], n=len(parents), directed=False)


result = apsp.solve(tree_of(parents, lengths), sources=tips, targets=tips, value_type="f64")
print("cophenetic distances of", ", ".join(names[v] for v in tips))
print(np.round(result.distances, 1))
assert np.allclose(result.distances[0], [0, 12.4, 18.1, 18.2, 19.5])

# %% The same by hand, for any two nodes: up to where their ways to the root meet.


def by_hand(parents, lengths, a, b):
    above, length = {}, 0.0
    while True:
        above[a] = length
        if a == parents[a]:
            break
        length, a = length + lengths[a], parents[a]
    length = 0.0
    while b not in above:
        length, b = length + lengths[b], parents[b]
    return above[b] + length


# %% 100,000 tips: a matrix of all pairs would take 80 GB, a factor takes megabytes.
random = np.random.default_rng(7)
TIPS = 100_000
large = np.concatenate(([0, 0, 0], np.zeros(2 * (TIPS - 2), dtype=np.int64)))
leaves = [1, 2]
for node in range(3, len(large), 2):  # some tip splits in two
    chosen = int(random.integers(len(leaves)))
    large[node:node + 2] = leaves[chosen]
    leaves[chosen] = node
    leaves.append(node + 1)
branches = random.exponential(1.0, len(large))
factor = apsp.solve(tree_of(large, branches), keep="factor", value_type="f64", statistics=False)
print(f"{len(leaves):,} tips, {factor}")
some = random.choice(leaves, (200, 2))
found = factor.distances_of(some)
assert len(leaves) == TIPS and np.allclose(found, [by_hand(large, branches, a, b) for a, b in some.tolist()])
print(f"mean cophenetic distance of {len(some)} pairs of tips: {found.mean():.2f}")
