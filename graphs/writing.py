"""How the scripts beside the graphs write graphs, and what TensorFlow answers, as JSON."""

import json

import numpy as np
from google.protobuf import json_format


def write_graph(path, graph_def):
    path.write_text(json_format.MessageToJson(graph_def, indent=1, sort_keys=True) + "\n")


def write_json(path, value):
    """A row for each key."""
    rows = ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
    path.write_text("{\n" + rows + "\n}\n")


def plain(a):
    """Lists and numbers for JSON; a float32 becomes its shortest decimal."""
    a = np.asarray(a)
    return json.loads(str(a)) if a.ndim == 0 else [plain(x) for x in a]
