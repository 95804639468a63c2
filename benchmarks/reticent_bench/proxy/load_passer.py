"""A proxy of the same shape that does nothing, as the guard's baseline: FastAPI, uvicorn and httpx pass all bytes.

python -m reticent_bench.proxy.load_passer UPSTREAM PORT
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator

import httpx
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse


def create_app(upstream: str) -> FastAPI:
    """Passes chat completions on."""
    app = FastAPI(openapi_url=None)
    client = httpx.AsyncClient(
        base_url=upstream, timeout=120, limits=httpx.Limits(max_connections=512), trust_env=False
    )

    @app.get("/healthz")
    async def alive() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/v1/chat/completions", response_model=None)
    async def chat(request: Request) -> StreamingResponse:
        headers = {"content-type": "application/json", "x-request-id": request.headers["x-request-id"]}
        asked = client.build_request("POST", "/v1/chat/completions", content=await request.body(), headers=headers)
        response = await client.send(asked, stream=True)

        async def body() -> AsyncIterator[bytes]:
            try:
                async for piece in response.aiter_raw():
                    yield piece
            finally:
                await response.aclose()

        return StreamingResponse(body(), media_type="text/event-stream")

    return app


if __name__ == "__main__":
    uvicorn.run(
        create_app(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), http="h11", ws="none", log_level="warning",
        access_log=False,
    )  # fmt: skip
