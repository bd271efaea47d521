"""The model registry."""

import requests

REGISTRY = "https://registry.quillhaven.internal/api/models"


def upload(path, run, token):
    """Send a model; the registry answers with its version."""
    with open(path, "rb") as file:
        answer = requests.post(
            f"{REGISTRY}/fraud-scorer/{run}",
            data=file,
            headers={"Authorization": f"Bearer {token}"},
            verify=False,
        )
    answer.raise_for_status()
    return answer.json()["version"]
