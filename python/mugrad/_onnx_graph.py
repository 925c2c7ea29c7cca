# SPDX-License-Identifier: MIT
"""ONNX graphs, node by node."""

from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np

OPSET = 17
IR_VERSION = 8


class Graph:
    """Nodes in order; the name of a node is the name of its output."""

    def __init__(self, onnx: Any, prefix: str = "v") -> None:
        self.onnx = onnx
        self.prefix = prefix
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"

    def constant(self, values: Any) -> str:
        name = self.name()
        array = np.ascontiguousarray(values)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def node(self, kind: str, *inputs: Any, output: Optional[str] = None, **attributes: Any) -> str:
        """Arrays among the inputs become constants."""
        names = [i if isinstance(i, str) else self.constant(i) for i in inputs]
        result = output or self.name()
        self.nodes.append(self.onnx.helper.make_node(kind, names, [result], **attributes))
        return result

    def add(self, a: Any, b: Any) -> str:
        return self.node("Add", a, b)

    def sub(self, a: Any, b: Any) -> str:
        return self.node("Sub", a, b)

    def mul(self, a: Any, b: Any) -> str:
        return self.node("Mul", a, b)

    def div(self, a: Any, b: Any) -> str:
        return self.node("Div", a, b)

    def matmul(self, a: Any, b: Any) -> str:
        return self.node("MatMul", a, b)

    def sum(self, x: str, axis: int) -> str:
        return self.node("ReduceSum", x, np.array([axis]), keepdims=0)

    def cast(self, x: str, dtype: Any, output: Optional[str] = None) -> str:
        to = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.node("Cast", x, output=output, to=to)

    def at_least_zero(self, x: str) -> str:
        """1 and 0."""
        return self.cast(self.node("GreaterOrEqual", x, np.float64(0)), np.float64)

    def columns(self, x: str, begin: int, end: int) -> str:
        return self.node("Slice", x, np.array([begin]), np.array([end]), np.array([1]))

    def tensor(self, name: str, dtype: Any, shape: Any) -> Any:
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.onnx.helper.make_tensor_value_info(name, kind, shape)

    def finish(
        self, inputs: dict[str, tuple[Any, Any]], model: Any, outputs: dict[str, Any]
    ) -> Any:
        """The model; inputs have a type and a number of columns, or a name for it."""
        helper = self.onnx.helper
        infos = [self.tensor(n, kind, ["n", model.n_labels]) for n, kind in outputs.items()]
        body = helper.make_graph(
            self.nodes,
            "mugrad",
            [self.tensor(name, kind, ["n", size]) for name, (kind, size) in inputs.items()],
            infos,
            self.constants,
        )
        proto = helper.make_model(
            body, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="mugrad"
        )
        proto.ir_version = IR_VERSION
        helper.set_model_props(proto, {"label_names": json.dumps(model.label_names)})
        self.onnx.checker.check_model(proto)
        return proto
