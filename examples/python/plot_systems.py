"""
A fan controlled by fuzzy rules
===============================

Writes a fuzzy system in Python, evaluates a table, and explains a result.
"""

# %%
# Sets describe the words of the rules.
import matplotlib.pyplot as plt
import pandas as pd
from fuzzion import Input, Output, System, else_rule, plot_rules, plot_sets, plot_surface, rule, sets

temperature = Input("temperature", 10, 40, cool=sets.ramp(22, 18), warm=sets.triangle(18, 24, 30), hot=sets.ramp(26, 32))
humidity = Input("humidity", 0, 100, dry=sets.ramp(50, 30), damp=sets.ramp(50, 80))
fan = Output("fan", 0, 100, off=sets.triangle(-30, 0, 30), slow=sets.triangle(20, 45, 70), fast=sets.triangle(60, 100, 140))
plot_sets(temperature)
plt.show()

# %%
# Rules combine propositions with ``&`` (and), ``|`` (or) and ``~`` (not).
system = System(
    [temperature, humidity],
    [fan],
    [
        rule(temperature["hot"] | (temperature["warm"] & humidity["damp"]), fan["fast"]),
        rule(temperature["warm"] & ~humidity["damp"], fan["slow"]),
        rule(temperature["cool"], fan["off"]),
        else_rule(fan["slow"]),
    ],
    name="fan",
)
plot_surface(system)
plt.show()

# %%
# Tables are matched by column names; the result has the kind of the argument.
day = pd.DataFrame({"hour": [6, 12, 18], "humidity": [70, 45, 55], "temperature": [16.5, 29.0, 24.0]})
system.infer(day)

# %%
# Why does the fan run at this speed?
plot_rules(system, {"temperature": 27, "humidity": 65})
plt.show()
print(system.explain({"temperature": 27, "humidity": 65}))
