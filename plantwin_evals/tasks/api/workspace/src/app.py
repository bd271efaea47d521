"""Puts the routes together."""

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from src.routes import rates, shipments, webhooks

app = FastAPI(title="Tillerman partner interface", version="2.0.0-rc1", debug=True)
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True, allow_methods=["*"])
app.include_router(shipments.router, prefix="/v2")
app.include_router(rates.router, prefix="/v2")
app.include_router(webhooks.router, prefix="/v2")
