from contextlib import asynccontextmanager

import joblib
import numpy as np
from fastapi import FastAPI, HTTPException
from prometheus_client import Histogram, make_asgi_app
from pydantic import BaseModel, Field

LATENCY = Histogram("predict_seconds", "Time to answer one request")
state: dict = {}


@asynccontextmanager
async def lifespan(app: FastAPI):
    state["model"] = joblib.load("models/churn.joblib")
    yield
    state.clear()


app = FastAPI(title="churn", lifespan=lifespan)
app.mount("/metrics", make_asgi_app())


class Account(BaseModel):
    tenure_months: int = Field(ge=0)
    tickets_90d: int = Field(ge=0)
    spend_90d: float
    is_annual: bool


@app.post("/predict")
def predict(account: Account) -> dict:
    row = np.array([[account.tenure_months, account.tickets_90d, account.spend_90d, account.is_annual]])
    with LATENCY.time():
        score = float(state["model"].predict_proba(row)[0, 1])
    if np.isnan(score):
        raise HTTPException(422, "no score")
    return {"score": round(score, 4), "model": "churn-2024-04"}
