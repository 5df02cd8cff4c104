"""A Ray cluster of two nodes on this machine: prints its address, and loses the second one when it reads a line."""

import os
import sys

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

from ray.cluster_utils import Cluster

MEMORY = 80 * 1024 * 1024
"""Bytes of the object store of a node: the least that Ray takes."""


def main() -> None:
    """Serve until the end of the input."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": MEMORY})
    node = cluster.add_node(num_cpus=2, object_store_memory=MEMORY)
    print(cluster.address, flush=True)
    if sys.stdin.readline():
        cluster.remove_node(node, allow_graceful=False)
        print("the node is gone", flush=True)
        sys.stdin.readline()
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
