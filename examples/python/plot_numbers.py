"""
Computing with uncertain numbers
================================

Evaluates a business plan whose numbers are known only approximately. The bounds of the results are guaranteed.
"""

# %%
# A triangular number has a most plausible value and a range.
import fuzzion
import matplotlib.pyplot as plt
import pandas as pd
from fuzzion import FuzzyNumber, plot_number

demand = FuzzyNumber.triangular(90, 100, 120)
price = FuzzyNumber.interval(2.5, 2.75)
cost = FuzzyNumber("tri(150, 170, 200)")
profit = demand * price - cost
plot_number(cost, demand * price, profit, labels=["cost", "revenue", "profit"])
plt.show()

# %%
# How possible and how certain is a profit of at least 60?
print(profit.support, profit.possibility(">=", 60), profit.necessity(">=", 60))

# %%
# A variable that occurs twice is one number, not two: ``method="vertex"`` takes this into account.
x = {"x": "tri(0, 0.5, 1)"}
print(fuzzion.evaluate("x * (1 - x)", x, n_cuts=2))
print(fuzzion.evaluate("x * (1 - x)", x, n_cuts=2, method="vertex"))

# %%
# Formulas over the columns of a table; uncertain constants apply to all rows.
plan = pd.DataFrame({"product": ["A", "B"], "demand": ["tri(90, 100, 120)", "tri(40, 50, 70)"], "price": [2.5, 4.0]})
profits = fuzzion.evaluate("demand * price - cost", plan, constants={"cost": "tri(150, 170, 200)"})
plot_number(profits, labels=list(plan["product"]))
plt.show()
