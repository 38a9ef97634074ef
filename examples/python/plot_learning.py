"""
Rules learned from data
=======================

Learns a readable fuzzy system from a table, and a network that adds rules as needed.
"""

# %%
# Three rules for the progression of diabetes, with linear consequents.
import matplotlib.pyplot as plt
import numpy as np
from fuzzion import SonfinClassifier, TskRegressor, plot_history, plot_sets
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
inputs = X[["bmi", "bp", "s5"]]
train, test, train_y, test_y = train_test_split(inputs, y, random_state=0)
model = TskRegressor(n_rules=3, max_iter=30, validation_fraction=0.2, random_state=0).fit(train, train_y)
print("R² of the test rows:", round(model.score(test, test_y), 2))

# %%
# The result is an ordinary system: it can be plotted, explained, saved and exported.
for text in model.system_.rules:
    print(text)
plot_sets(model.system_, "bmi")
plt.show()

# %%
# Two spirals: the network adds a rule wherever no rule covers a row.
t = np.sqrt(np.random.default_rng(0).random(400)) * 3 * np.pi
arm = np.arange(400) % 2
spirals = np.c_[t * np.cos(t + np.pi * arm), t * np.sin(t + np.pi * arm)]
network = SonfinClassifier(n_rules=48, random_state=0).fit(spirals, arm)
print("rules:", network.n_rules_, "accuracy:", round(network.score(spirals, arm), 3))

# %%
# The regions of the classes.
grid_x, grid_y = np.meshgrid(np.linspace(-10, 10, 121), np.linspace(-10, 10, 121))
probability = network.predict_proba(np.c_[grid_x.ravel(), grid_y.ravel()])[:, 1].reshape(grid_x.shape)
plt.contourf(grid_x, grid_y, probability, levels=11, cmap="RdBu")
plt.scatter(*spirals.T, c=arm, cmap="RdBu", edgecolors="white", linewidths=0.6, s=22)
plt.gca().set_aspect("equal")
plt.show()

# %%
# The error of each pass over the rows.
plot_history(network)
plt.show()
