"""Positions a second of a CNN's layout in onnxruntime, to stand beside `cargo bench --bench cnn`.

    pip install onnx onnxruntime numpy
    python3 benches/onnx_speed.py [LAYOUT]

Weights are random: they do not change the time. One thread, batches of 32.
"""

import statistics
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

BATCH = 32
TURNS = 7


class Graph:
    def __init__(self):
        self.nodes, self.weights = [], []

    def add(self, kind, inputs, **attributes):
        name = f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def weight(self, *shape):
        name = f"w{len(self.weights)}"
        values = np.random.default_rng(1).standard_normal(shape).astype(np.float32) * 0.05
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def convolution(self, x, inputs, outputs, side):
        weights = [self.weight(outputs, inputs, side, side), self.weight(outputs)]
        return self.add("Conv", [x, *weights], kernel_shape=[side, side], pads=[side // 2] * 4)

    def gate(self, x, channels):
        units = max(channels // 8, 8)
        hidden = self.convolution(self.add("GlobalAveragePool", [x]), channels, units, 1)
        factors = self.convolution(self.add("Relu", [hidden]), units, channels, 1)
        return self.add("Mul", [x, self.add("Sigmoid", [factors])])


def build(layout):
    graph, x, channels = Graph(), "planes", 16
    body, head = layout.split("-pool-")
    for field in body.split("-")[1:]:
        if field.endswith(("r", "se")):
            for _ in range(int(field.rstrip("rse"))):
                inner = graph.add("Relu", [graph.convolution(x, channels, channels, 3)])
                inner = graph.convolution(inner, channels, channels, 3)
                if field.endswith("se"):
                    inner = graph.gate(inner, channels)
                x = graph.add("Relu", [graph.add("Add", [inner, x])])
            continue
        side, outputs = (1, int(field[4:])) if field.startswith("1x1:") else (3, int(field))
        x = graph.add("Relu", [graph.convolution(x, channels, outputs, side)])
        channels = outputs
    x = graph.add("Flatten", [graph.add("GlobalAveragePool", [x])])
    widths = [int(field) for field in head.split("-")]
    for place, units in enumerate(widths):
        x = graph.add("Gemm", [x, graph.weight(channels, units), graph.weight(units)])
        x = x if place + 1 == len(widths) else graph.add("Relu", [x])
        channels = units
    planes = helper.make_tensor_value_info("planes", TensorProto.FLOAT, [None, 16, 8, 8])
    result = helper.make_tensor_value_info(x, TensorProto.FLOAT, [None, 1])
    whole = helper.make_graph(graph.nodes, "cnn", [planes], [result], graph.weights)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model.SerializeToString()


def main():
    layout = sys.argv[1] if len(sys.argv) > 1 else "16-64-5r-pool-64-1"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(build(layout), options, providers=["CPUExecutionProvider"])
    planes = np.random.default_rng(2).integers(0, 2, (BATCH, 16, 8, 8)).astype(np.float32)
    seconds = []
    for _ in range(TURNS + 1):
        start = time.perf_counter()
        session.run(None, {"planes": planes})
        seconds.append(time.perf_counter() - start)
    print(f"{layout}: {BATCH / statistics.median(seconds[1:]):.1f} positions a second in batches of {BATCH}")


main()
