"""Currency rates: a way to change money round that ends with more is a negative cycle.

Rates multiply and lengths add, so the length of an exchange is −log(rate): the shortest path is the best
chain of exchanges, and a cycle of negative length gains. The rates are made here.
"""

import math

import numpy as np

import apsp

# %% A market: everything has a value, and an exchange costs 0.2 %.
names = ["EUR", "USD", "JPY", "GBP", "CHF", "SEK", "CAD", "AUD"]
value = dict(zip(names, [1.0, 0.92, 0.0061, 1.17, 1.05, 0.087, 0.67, 0.6]))
rates = {(a, b): value[a] / value[b] * 0.998 for a in names for b in names if a != b}


def market(rates):
    return apsp.Graph.from_edges([a for a, _ in rates], [b for _, b in rates],
                                 [-math.log(rate) for rate in rates.values()])


# %% Without a mistake there is nothing to gain, and the best exchange is the direct one.
fair = apsp.solve(market(rates), value_type="f64")
assert fair.path("SEK", "JPY") == ["SEK", "JPY"]
np.testing.assert_allclose(math.exp(-fair.distance("SEK", "JPY")), rates["SEK", "JPY"])
print(f"100 SEK are {100 * math.exp(-fair.distance('SEK', 'JPY')):.2f} JPY")

# %% One rate is 1 % too good. The solver names the cycle instead of an answer.
wrong = rates | {("GBP", "CAD"): rates["GBP", "CAD"] * 1.01}
try:
    apsp.solve(market(wrong), value_type="f64")
    raise SystemExit("a negative cycle was not found")
except apsp.NegativeCycleError as error:
    cycle = list(error.cycle)
if cycle[0] != cycle[-1]:
    cycle.append(cycle[0])
gain = math.prod(wrong[step] for step in zip(cycle, cycle[1:]))
print(" → ".join(cycle), f"makes {1000 * gain:.2f} of 1000")
assert gain > 1 and ("GBP", "CAD") in zip(cycle, cycle[1:])

# %% A tax of 1 % on every exchange, and the market is in order again.
taxed = {pair: rate * 0.99 for pair, rate in wrong.items()}
apsp.solve(market(taxed), value_type="f64")

# %% Where some pairs are not traded, chains take over.
traded = {pair: rate for pair, rate in rates.items() if "EUR" in pair}
chain = apsp.solve(market(traded), value_type="f64").path("CHF", "AUD")
print("CHF to AUD without a market of their own:", " → ".join(chain))
assert chain == ["CHF", "EUR", "AUD"]
