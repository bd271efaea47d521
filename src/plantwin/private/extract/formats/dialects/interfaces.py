"""Descriptions and recordings of interfaces: OpenAPI, AsyncAPI, Postman, HAR."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, text_of, trees
from plantwin.private.extract.formats.words import words

_METHODS = words("get put post delete options head patch trace publish subscribe send receive")
_MAX = 500


def openapi(draft: Draft, tree: Tree) -> bool:
    """OpenAPI, Swagger or AsyncAPI: operations and the schemas they speak of."""
    version = text_of(tree.get("openapi") or tree.get("swagger") or tree.get("asyncapi"))
    if not version[:1].isdigit():
        return False
    # The header alone makes it a contract, even before its first path.
    found = 0
    for group in ("paths", "channels", "webhooks", "operations"):
        paths = tree.get(group)
        for path, item in list(paths.items())[:_MAX] if is_tree(paths) else ():
            draft.name(path)
            if not is_tree(item):
                continue
            draft.refer_path(_file(item.get("$ref")), "specifies")
            operations = [item[method] for method in item.keys() & _METHODS]
            found += len(operations) or 1
            for operation in operations:
                if is_tree(operation):
                    draft.name(text_of(operation.get("operationId")))
    draft.add("api_path", found or 1)
    components = tree.get("components")
    schemas = components.get("schemas") if is_tree(components) else tree.get("definitions")
    for name, schema in list(schemas.items())[:_MAX] if is_tree(schemas) else ():
        draft.add("schema_def")
        draft.name(name)
        draft.refer_path(_file(schema.get("$ref")) if is_tree(schema) else "", "specifies")
    return True


def _file(reference: object) -> str:
    """The file part of a `$ref`."""
    return reference.partition("#")[0] if type(reference) is str else ""


def postman(draft: Draft, tree: Tree) -> bool:
    """A collection of requests."""
    info = tree["info"]
    if not is_tree(info) or not ("_postman_id" in info or "postman" in text_of(info.get("schema"))):
        return False
    stack = trees(tree["item"])[::-1]
    left = _MAX
    tested = 0
    while stack and left:
        left -= 1
        item = stack.pop()
        draft.name(text_of(item.get("name")))
        draft.add("api_path", "request" in item)
        tested += "request" in item and any(event.get("listen") == "test" for event in trees(item.get("event"))[:20])
        stack.extend(trees(item.get("item"))[:200][::-1])
    if tested * 2 > draft.features.get("api_path", 0):
        # Most requests are checked: it is run as a suite, rather than read as a description.
        draft.add("test_function", tested)
        draft.add("assertion", tested)
    return True


def postman_environment(draft: Draft, tree: Tree) -> bool:
    """The values of one environment, for requests that name them."""
    values = trees(tree["values"])
    if not values or not all("key" in each and "value" in each for each in values[:50]):
        return False
    if "_postman_variable_scope" not in tree and not any("enabled" in each for each in values[:50]):
        return False
    draft.add("env_section", len(values))
    for each in values[:_MAX]:
        draft.name(text_of(each.get("key")))
    return True


def har(draft: Draft, tree: Tree) -> bool:
    """A browser's recording: one record per request."""
    log = tree["log"]
    if not is_tree(log) or type(log.get("entries")) is not list:
        return False
    entries = trees(log["entries"])
    draft.add("log_access", len(entries))
    draft.add("log_line", len(entries))
    draft.add("row", len(entries))
    draft.add("log_latency", sum("time" in entry for entry in entries))
    return True


def resources(draft: Draft, tree: Tree) -> bool:
    """RAML: resources are keys that are paths, with methods below them."""
    paths = [key for key, body in tree.items() if key.startswith("/") and is_tree(body)]
    if not any(body.keys() & _METHODS for path in paths if is_tree(body := tree[path])):
        return False
    for path in paths[:_MAX]:
        draft.add("api_path")
        draft.name(path)
    return True


def pact(draft: Draft, tree: Tree) -> bool:
    """What a consumer expects of a provider; requests kept by a client."""
    found = trees(tree.get("interactions")) or [each for each in trees(tree.get("resources")) if "url" in each]
    draft.add("api_path", len(found))
    for each in found[:_MAX]:
        draft.name(text_of(each.get("description") or each.get("name")))
    return bool(found)


def stub(draft: Draft, tree: Tree) -> bool:
    """Requests with the answers that a test is to get."""
    found = trees(tree.get("http_interactions") or tree.get("interactions")) or [tree]
    if not all(is_tree(each.get("request")) and is_tree(each.get("response")) for each in found[:20]):
        return False
    draft.add("recorded", len(found))
    return True
