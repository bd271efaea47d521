"""Which resolver reads which kind of reference: one row each.

    how           target                      read by
    python        a.b   a:b   ..a:b           resolvers/python.py
    javascript    ./a   @/a   @acme/ui        resolvers/javascript.py
    go            example.com/shop/auth       resolvers/golang.py
    jvm           com.acme.Token   com.acme.* resolvers/jvm.py
    csharp, php   Acme.Auth   App\\Auth        resolvers/namespaces.py
    ruby …        acme/token   ../token       resolvers/ruby.py
    rust          crate::a::b   mod:a         resolvers/rust.py
    c, c_system   net/socket.h                resolvers/include.py
    path …        ../config/app.yml           resolvers/paths.py
    table, dbt …  orders   Secret/db          resolvers/names.py

A resolver is built once over the tables, on the first reference that needs it, and then maps
(target, position) to positions without changing anything. What leads nowhere is dropped.
"""

from __future__ import annotations

from collections.abc import Callable

from plantwin.private.facts import Reference
from plantwin.private.relate.resolvers.found import Found, Resolve
from plantwin.private.relate.resolvers.golang import Go
from plantwin.private.relate.resolvers.include import Include, SystemInclude
from plantwin.private.relate.resolvers.javascript import JavaScript
from plantwin.private.relate.resolvers.jvm import Jvm
from plantwin.private.relate.resolvers.names import (
    Images,
    Models,
    Packages,
    Provided,
    Sources,
    TableNames,
    Units,
    Variables,
)
from plantwin.private.relate.resolvers.namespaces import CSharp, Php
from plantwin.private.relate.resolvers.paths import Modules, Paths, RootPaths, Scripts
from plantwin.private.relate.resolvers.python import Python
from plantwin.private.relate.resolvers.ruby import Ruby, RubyRelative
from plantwin.private.relate.resolvers.rust import Rust
from plantwin.private.relate.tables import Tables

RESOLVERS: dict[str, Callable[[Tables], Resolve]] = {
    "python": Python,
    "javascript": JavaScript,
    "go": Go,
    "jvm": Jvm,
    "csharp": CSharp,
    "php": Php,
    "php_path": Paths,
    "ruby": Ruby,
    "ruby_relative": RubyRelative,
    "rust": Rust,
    "c": Include,
    "c_system": SystemInclude,
    "shell": Scripts,
    "path": Paths,
    "html": Paths,
    "css": Paths,
    "root_path": RootPaths,
    "terraform": Modules,
    "table": lambda tables: TableNames(tables, "table"),
    "dbt": lambda tables: Models(tables, "dbt"),
    "dbt_source": lambda tables: Sources(tables, "dbt_source"),
    "container": lambda tables: Images(tables, "container"),
    "package": lambda tables: Packages(tables, "package"),
    "systemd": lambda tables: Units(tables, "systemd"),
    "env_key": lambda tables: Variables(tables, "env_key"),
}

PER_FILE = frozenset({"rust"})
"""Ways of referring whose meaning depends on the file's own name, not on its folder alone."""


class Resolution:
    """All resolvers over one set of tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._built: dict[str, Resolve] = {}

    def __call__(self, reference: Reference, at: int) -> Found:
        how = reference[0]
        resolve = self._built.get(how)
        if resolve is None:
            build = RESOLVERS.get(how)
            resolve = self._built[how] = build(self._tables) if build else Provided(self._tables, how)
        return resolve(reference[1], at)
