"""
Edges and noise
===============

Runs fuzzy operators on every pixel of an image.
"""

# %%
# A photograph with salt-and-pepper noise.
import fuzzion
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

photo = load_sample_image("china.jpg").mean(axis=2).astype(np.uint8)
rng = np.random.default_rng(0)
noisy = photo.copy()
noisy[rng.random(photo.shape) < 0.03] = 255
noisy[rng.random(photo.shape) < 0.03] = 0

# %%
# The built-in system ``fire-denoise`` replaces pixels that differ from all their neighbors.
clean = fuzzion.window("fire-denoise", noisy)
for name, image in (("noisy", noisy), ("clean", clean)):
    print(name, round(float(np.abs(image.astype(int) - photo).mean()), 2))

# %%
# Edges of the cleaned image; ``thin=True`` gives lines of one pixel.
edges = fuzzion.edges(clean, threshold=48, thin=True)
figure, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
for axis, title, image in zip(axes, ("noisy", "clean", "edges"), (noisy, clean, edges), strict=True):
    axis.imshow(image, cmap="gray")
    axis.set(title=title, xticks=[], yticks=[])
plt.show()
