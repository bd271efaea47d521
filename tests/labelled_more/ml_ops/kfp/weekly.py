from kfp import compiler, dsl, kubernetes

IMG = "registry.example.com/ml/leafspot:2.1"


@dsl.container_component
def prepare(day: str, out: dsl.Output[dsl.Dataset]):
    return dsl.ContainerSpec(image=IMG, command=["leafspot", "prepare"], args=["--day", day, "--out", out.path])


@dsl.container_component
def fit(data: dsl.Input[dsl.Dataset], lr: float, model: dsl.Output[dsl.Model]):
    return dsl.ContainerSpec(image=IMG, command=["leafspot", "fit"], args=[data.path, "--lr", lr, "--out", model.path])


@dsl.component(base_image="python:3.11", packages_to_install=["requests==2.32.3"])
def promote(model: dsl.Input[dsl.Model], url: str):
    import requests

    requests.post(url, json={"uri": model.uri}, timeout=30).raise_for_status()


@dsl.pipeline(name="leafspot-weekly")
def weekly(day: str, lr: float = 3e-4):
    d = prepare(day=day).set_cpu_limit("4")
    f = fit(data=d.outputs["out"], lr=lr).set_accelerator_type("nvidia.com/gpu").set_accelerator_limit(1).set_retry(2)
    kubernetes.use_secret_as_env(f, "lake", {"key": "LAKE_KEY"})
    promote(model=f.outputs["model"], url="https://registry.example.com/promote").after(f)


if __name__ == "__main__":
    compiler.Compiler().compile(weekly, "weekly.yaml")
