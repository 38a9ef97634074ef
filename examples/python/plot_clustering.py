"""
Fuzzy clusters of the iris data
===============================

Fits fuzzy c-means and Gustafson-Kessel, and shows the rows that belong to no cluster clearly.
"""

# %%
# Fit three clusters. Each row has a membership in each cluster, and the memberships of a row sum to 1.
import matplotlib.pyplot as plt
from fuzzion import FuzzyCMeans, GustafsonKessel, plot_history, plot_memberships
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

X, species = load_iris(return_X_y=True, as_frame=True)
model = FuzzyCMeans(n_clusters=3, random_state=0).fit(X)
model.memberships(X)[:3].round(3)

# %%
# Light points are between clusters.
plot_memberships(model, X, columns=("petal length (cm)", "petal width (cm)"))
plt.show()

# %%
# Clusters with covariances of their own agree better with the species, because these groups are elongated.
for estimator in (FuzzyCMeans, GustafsonKessel):
    labels = estimator(n_clusters=3, random_state=0).fit_predict(X)
    print(estimator.__name__, round(adjusted_rand_score(species, labels), 2))

# %%
# Validity indices compare numbers of clusters; a small index of Xie and Beni is good.
for n_clusters in range(2, 6):
    fit = FuzzyCMeans(n_clusters, random_state=0).fit(X)
    print(n_clusters, round(fit.validity_["xie_beni"], 3))

# %%
# The objective decreases in every iteration.
plot_history(model)
plt.show()
