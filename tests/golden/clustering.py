"""Records initial centres of clusters, and the nearest centres."""

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def points(*shape, seed=0):
    """Points whose distances are exact in float32."""
    return np.random.RandomState(seed).randint(-20, 20, shape) / 4


def chain(distances, seed=7):
    return lambda tf, v1: tf.raw_ops.KMC2ChainInitialization(distances=fed(distances), seed=fed(seed, "int64"))


DISTANCES = np.random.RandomState(1).uniform(0, 9, [40])
for seed in [0, 1, -1, 2**40 + 3]:
    case(f"KMC2ChainInitialization/seed/{seed}", chain(DISTANCES, seed))
case("KMC2ChainInitialization/one", chain([3.0]))
case("KMC2ChainInitialization/zeros", chain(np.zeros([5])))
case("KMC2ChainInitialization/odd", chain([1.0, np.nan, np.inf, 2.0, 3.0]))
case("KMC2ChainInitialization/wrong_rank", chain([DISTANCES]), error="INVALID_ARGUMENT")
case("KMC2ChainInitialization/wrong_size", chain([]), error="INVALID_ARGUMENT")
case("KMC2ChainInitialization/wrong_seed", chain(DISTANCES, [1]), error="INVALID_ARGUMENT")


def begin(given, wanted=4, seed=5, retries=0):
    return lambda tf, v1: tf.raw_ops.KmeansPlusPlusInitialization(
        points=fed(given), num_to_sample=fed(wanted, "int64"), seed=fed(seed, "int64"),
        num_retries_per_sample=fed(retries, "int64"))


for seed in [0, 3, -1, 2**35]:
    for retries in [0, 2, -1]:
        case(f"KmeansPlusPlusInitialization/{seed}/{retries}", begin(points(30, 3), 6, seed, retries))
case("KmeansPlusPlusInitialization/all", begin(points(9, 2), 9))
case("KmeansPlusPlusInitialization/many_dims", begin(points(7, 19), 3))
case("KmeansPlusPlusInitialization/one", begin(points(1, 4), 1, retries=3))
case("KmeansPlusPlusInitialization/equal", begin(np.ones([5, 2]), 1))
for name, given in {"rank": {"given": points(5)}, "wanted": {"wanted": 0}, "many": {"wanted": 6}, "vector": {"wanted": [2]},
                    "seed": {"seed": [2]}, "retries": {"retries": [2]}, "points": {"given": points(0, 3)}}.items():
    case(f"KmeansPlusPlusInitialization/wrong_{name}", begin(**{"given": points(5, 2), **given}), error="INVALID_ARGUMENT")


def nearest(given, centers, k):
    return lambda tf, v1: list(tf.raw_ops.NearestNeighbors(points=fed(given), centers=fed(centers), k=fed(k, "int64")))


for k in [0, 1, 3, 7, 100]:
    case(f"NearestNeighbors/{k}", nearest(points(9, 5), points(7, 5, seed=3), k))
    case(f"NearestNeighbors/no_centers/{k}", nearest(points(3, 2), points(0, 2), k))
case("NearestNeighbors/many_dims", nearest(points(4, 37), points(6, 37, seed=3), 2))
case("NearestNeighbors/no_dims", nearest(np.zeros([4, 0]), np.zeros([3, 0]), 2))
case("NearestNeighbors/equal", nearest(points(3, 2), np.ones([5, 2]), 4))
case("NearestNeighbors/many_centers", nearest(points(3, 2), points(1500, 2, seed=3), 3))
for name, given in {"points": [points(4), points(3, 2), 1], "centers": [points(4, 2), points(3), 1],
                    "k": [points(4, 2), points(3, 2), [1]],
                    "dims": [points(4, 2), points(3, 3), 1], "none": [points(0, 2), points(3, 2), 1]}.items():
    case(f"NearestNeighbors/wrong_{name}", nearest(*given), error="INVALID_ARGUMENT")

write(__file__)
