import base64
import io

import torch
from PIL import Image
from torchvision import transforms as T
from ts.torch_handler.base_handler import BaseHandler


class LeafHandler(BaseHandler):
    tf = T.Compose([T.Resize(256), T.CenterCrop(224), T.ToTensor(), T.Normalize((0.48, 0.50, 0.41), (0.21, 0.20, 0.22))])

    def preprocess(self, data):
        out = []
        for row in data:
            raw = row.get("data") or row.get("body")
            if isinstance(raw, str):
                raw = base64.b64decode(raw)
            out.append(self.tf(Image.open(io.BytesIO(raw)).convert("RGB")))
        return torch.stack(out).to(self.device)

    def inference(self, x):
        with torch.inference_mode():
            return self.model(x).softmax(-1)

    def postprocess(self, p):
        top = p.topk(3)
        return [
            [{"label": self.mapping[str(int(i))], "p": round(float(v), 4)} for v, i in zip(vs, ix)]
            for vs, ix in zip(top.values, top.indices)
        ]
