# PlanTwin with its sandbox. Build: docker build -t plantwin .
FROM python:3.12-slim-bookworm AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
COPY plantwin_evals ./plantwin_evals
RUN python -m venv /opt/plantwin && /opt/plantwin/bin/pip install --no-cache-dir ".[console,mcp,gateway,postgres,statement]"

FROM python:3.12-slim-bookworm
# Without a version: the security updates of the base's distribution are wanted.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home plantwin \
    && install -d -m 0700 -o plantwin -g plantwin /state
COPY --from=build /opt/plantwin /opt/plantwin
ENV PATH=/opt/plantwin/bin:$PATH PLANTWIN_STATE=/state PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /work
VOLUME ["/state"]
ENTRYPOINT ["plantwin"]
CMD ["--help"]
