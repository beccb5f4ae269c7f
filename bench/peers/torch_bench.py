"""PyTorch on three jobs; prints one JSON object with median microseconds. Run: python torch_bench.py --threads 1"""
import json

import measure

args = measure.arguments(__doc__)

import numpy as np
import torch

formula = measure.formula()
torch.set_num_threads(args.threads)
times, checks = {}, {}

x4 = torch.tensor([1.0, 2, 3, 4], requires_grad=True)
grad = lambda: torch.autograd.grad((x4 * x4).sum(), x4)[0]
checks["grad4"] = grad().tolist()
times["grad4"] = measure.median(grad, args.seconds, 100)

p = [torch.tensor(w, requires_grad=True) for w in formula.parameters(np.float32)]
x, y = (torch.tensor(v) for v in formula.batch(0, np.float32))
y = y.long()


def loss():
    w1, b1, w2, b2 = p
    return torch.nn.functional.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, y)


def train():
    value = loss()
    g = torch.autograd.grad(value, p)
    with torch.no_grad():
        torch._foreach_add_(p, g, alpha=-formula.RATE)
    return value


checks["loss_step_1"] = train().item()
checks["loss_after_step_1"] = loss().item()  # on the same batch
times["mlp_step"] = measure.median(train, args.seconds, 10)

a = torch.from_numpy(measure.chain_input())
chain = lambda: torch.exp(-a * a) * torch.sin(a) + torch.tanh(a / 2)
checks |= measure.chain_checks(chain().numpy())
times["chain"] = measure.median(chain, args.seconds)

print(json.dumps({"peer": "torch", "threads": args.threads, "versions": {"torch": torch.__version__, "numpy": np.__version__},
                  "microseconds": times, "checks": checks}))
