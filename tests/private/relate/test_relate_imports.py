"""References of each ecosystem lead to the files that they mean, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from forest import Graph, imports


def resolved(tree: dict[str, Any], source: str, reason: str = "imports") -> set[str]:
    return Graph(tree).targets(source, reason)


def test_python_absolute_imports_in_a_src_layout() -> None:
    tree = {
        "src/shop/__init__.py": {},
        "src/shop/auth/__init__.py": {},
        "src/shop/auth/tokens.py": {},
        "src/shop/auth/hashing.py": {},
        "src/shop/app.py": {
            "uses": imports("python", "shop.auth:tokens", "shop.auth.hashing:digest", "shop.auth", "os")
        },
    }
    assert resolved(tree, "src/shop/app.py") == {
        "src/shop/auth/tokens.py",
        "src/shop/auth/hashing.py",
        "src/shop/auth/__init__.py",
    }


def test_python_relative_imports_stay_inside_the_root() -> None:
    tree = {
        "shop/__init__.py": {},
        "shop/config.py": {},
        "shop/auth/__init__.py": {},
        "shop/auth/models.py": {},
        "shop/auth/views.py": {"uses": imports("python", ".models:User", "..config", ".:models", "....x", "." * 900)},
    }
    assert resolved(tree, "shop/auth/views.py") == {"shop/auth/models.py", "shop/config.py"}


def test_python_namespace_packages_need_no_init() -> None:
    tree = {
        "lib/acme/billing/invoice.py": {},
        "lib/acme/billing/run.py": {"uses": imports("python", "acme.billing.invoice:Invoice")},
    }
    assert resolved(tree, "lib/acme/billing/run.py") == {"lib/acme/billing/invoice.py"}


def test_python_scripts_import_their_neighbours() -> None:
    tree = {"jobs/load.py": {"uses": imports("python", "helpers:read")}, "jobs/helpers.py": {}}
    assert resolved(tree, "jobs/load.py") == {"jobs/helpers.py"}


def test_python_standard_library_is_not_shadowed_by_a_distant_folder() -> None:
    tree = {
        "tools/json/__init__.py": {},
        "app/__init__.py": {},
        "app/types.py": {},
        "app/main.py": {"uses": imports("python", "json", "types:SimpleNamespace")},
        "lib/json/__init__.py": {},
        "lib/load.py": {"uses": imports("python", "json:loads")},
    }
    graph = Graph(tree)
    assert graph.targets("app/main.py", "imports") == set()
    assert graph.targets("lib/load.py", "imports") == {"lib/json/__init__.py"}


def test_python_same_package_name_in_many_services_means_the_nearest() -> None:
    tree: dict[str, Any] = {}
    for number in range(40):
        tree[f"services/s{number:02}/src/app/__init__.py"] = {}
        tree[f"services/s{number:02}/src/app/models.py"] = {}
        tree[f"services/s{number:02}/tests/check.py"] = {"uses": imports("python", "app.models:User")}
    graph = Graph(tree)
    for number in range(40):
        found = graph.targets(f"services/s{number:02}/tests/check.py", "imports")
        assert found == {f"services/s{number:02}/src/app/models.py"}


def test_javascript_files_index_files_and_typescript_written_as_js() -> None:
    tree = {
        "web/src/cart.ts": {},
        "web/src/ui/index.tsx": {},
        "web/src/styles.css": {},
        "web/src/types.d.ts": {},
        "web/src/app.tsx": {
            "uses": imports(
                "javascript", "./cart.js", "./ui", "./styles.css", "./types", "react", "./gone", "../../../x"
            )
        },
    }
    assert resolved(tree, "web/src/app.tsx") == {
        "web/src/cart.ts",
        "web/src/ui/index.tsx",
        "web/src/styles.css",
        "web/src/types.d.ts",
    }


def test_javascript_aliases_by_convention_and_by_declaration() -> None:
    tree = {
        "web/src/store/cart.ts": {},
        "web/tsconfig.json": {"gives": [("path_alias", "#kit/*=packages/kit/*"), ("path_alias", "conf=src/conf.ts")]},
        "web/packages/kit/button.tsx": {},
        "web/src/conf.ts": {},
        "web/src/pages/home.tsx": {"uses": imports("javascript", "@/store/cart", "#kit/button", "conf", "store/cart")},
    }
    assert resolved(tree, "web/src/pages/home.tsx") == {
        "web/src/store/cart.ts",
        "web/packages/kit/button.tsx",
        "web/src/conf.ts",
    }


def test_javascript_workspace_packages_by_name() -> None:
    tree = {
        "packages/ui/package.json": {"gives": [("package", "@acme/ui")]},
        "packages/ui/src/index.ts": {},
        "packages/ui/src/button.tsx": {},
        "apps/shop/main.ts": {"uses": imports("javascript", "@acme/ui", "@acme/ui/button", "@acme/other")},
    }
    assert resolved(tree, "apps/shop/main.ts") == {"packages/ui/src/index.ts", "packages/ui/src/button.tsx"}


def test_go_import_paths_by_module_prefix() -> None:
    tree = {
        "backend/go.mod": {"gives": [("go_module", "example.com/shop")]},
        "backend/auth/auth.go": {},
        "backend/auth/auth_test.go": {"role": "test"},
        "backend/store/rows.go": {"size": 10},
        "backend/store/query.go": {"size": 90},
        "backend/main.go": {
            "uses": imports("go", "example.com/shop/auth", "example.com/shop/store", "fmt", "example.com/x")
        },
    }
    assert resolved(tree, "backend/main.go") == {
        "backend/auth/auth.go",
        "backend/store/rows.go",
        "backend/store/query.go",
    }


def test_jvm_classes_nested_names_wildcards_and_functions() -> None:
    base = "src/main/java/com/acme"
    tree = {
        f"{base}/auth/Token.java": {"gives": [("jvm", "com.acme.auth")]},
        f"{base}/auth/Login.kt": {"gives": [("jvm", "com.acme.auth")]},
        f"{base}/util/strings.kt": {"gives": [("jvm", "com.acme.util")]},
        f"{base}/A.java": {"uses": imports("jvm", "com.acme.auth.Token", "com.acme.auth.Token.Kind", "java.util.List")},
        f"{base}/B.java": {"uses": imports("jvm", "com.acme.auth.*")},
        f"{base}/C.kt": {"uses": imports("jvm", "com.acme.util.shorten")},
    }
    graph = Graph(tree)
    assert graph.targets(f"{base}/A.java", "imports") == {f"{base}/auth/Token.java"}
    assert graph.targets(f"{base}/B.java", "imports") == {f"{base}/auth/Token.java", f"{base}/auth/Login.kt"}
    assert graph.targets(f"{base}/C.kt", "imports") == {f"{base}/util/strings.kt"}


def test_ruby_load_path_and_relative() -> None:
    tree = {
        "lib/acme/token.rb": {},
        "lib/acme/session.rb": {
            "uses": [*imports("ruby", "acme/token", "json"), *imports("ruby_relative", "../acme.rb")]
        },
        "lib/acme.rb": {},
    }
    assert resolved(tree, "lib/acme/session.rb") == {"lib/acme/token.rb", "lib/acme.rb"}


def test_rust_modules_super_and_workspace_crates() -> None:
    tree = {
        "core/Cargo.toml": {"gives": [("package", "shop-core")]},
        "core/src/lib.rs": {"uses": imports("rust", "mod:auth", "mod:money")},
        "core/src/money.rs": {},
        "core/src/auth/mod.rs": {"uses": imports("rust", "mod:token", "super::money::Cents")},
        "core/src/auth/token.rs": {"uses": imports("rust", "crate::money::Cents", "super::Login", "std::fmt")},
        "cli/Cargo.toml": {"gives": [("package", "shop-cli")]},
        "cli/src/main.rs": {"uses": imports("rust", "shop_core::auth::Login", "serde::Serialize")},
    }
    graph = Graph(tree)
    assert graph.targets("core/src/lib.rs", "imports") == {"core/src/auth/mod.rs", "core/src/money.rs"}
    assert graph.targets("core/src/auth/mod.rs", "imports") == {"core/src/auth/token.rs", "core/src/money.rs"}
    assert graph.targets("core/src/auth/token.rs", "imports") == {"core/src/money.rs", "core/src/auth/mod.rs"}
    assert graph.targets("cli/src/main.rs", "imports") == {"core/src/auth/mod.rs"}


def test_c_includes_beside_in_include_folders_and_by_suffix() -> None:
    tree = {
        "net/socket.h": {},
        "include/acme/log.h": {},
        "vendor/zip/zip.h": {},
        "net/socket.c": {
            "uses": [
                *imports("c", "socket.h", "acme/log.h", "zip/zip.h"),
                *imports("c_system", "stdio.h", "acme/log.h"),
            ]
        },
        "net/plain.c": {"uses": imports("c_system", "zip.h")},
    }
    graph = Graph(tree)
    assert graph.targets("net/socket.c", "imports") == {"net/socket.h", "include/acme/log.h", "vendor/zip/zip.h"}
    assert graph.targets("net/plain.c", "imports") == set()


def test_csharp_namespaces_prefer_files_named_like_them() -> None:
    tree = {
        "Auth/TokenService.cs": {"gives": [("csharp", "Acme.Auth")]},
        "Pay/PaymentService.cs": {"gives": [("csharp", "Acme.Payments")]},
        "Pay/Helper.cs": {"gives": [("csharp", "Acme.Payments")]},
        "Program.cs": {"uses": imports("csharp", "Acme.Auth", "Acme.Payments", "System.Linq")},
    }
    assert resolved(tree, "Program.cs") == {"Auth/TokenService.cs", "Pay/PaymentService.cs"}


def test_php_classes_by_namespace_and_by_path() -> None:
    tree = {
        "app/Services/Mailer.php": {"gives": [("php", "App\\Services")]},
        "src/Domain/Order.php": {},
        "inc/db.php": {},
        "public/index.php": {
            "uses": [
                *imports("php", "App\\Services\\Mailer", "Shop\\Domain\\Order", "Psr\\Log\\Thing"),
                *imports("php_path", "../inc/db.php"),
            ]
        },
    }
    assert resolved(tree, "public/index.php") == {"app/Services/Mailer.php", "src/Domain/Order.php", "inc/db.php"}


def test_terraform_modules_are_folders() -> None:
    tree = {
        "infra/main.tf": {
            "uses": imports("terraform", "./modules/db", "./modules/net", "hashicorp/vpc/aws", "../../x")
        },
        "infra/modules/db/main.tf": {},
        "infra/modules/db/vars.tf": {},
        "infra/modules/net/vpc.tf": {},
    }
    assert resolved(tree, "infra/main.tf") == {"infra/modules/db/main.tf", "infra/modules/net/vpc.tf"}


@pytest.mark.parametrize(
    ("how", "target", "meant"),
    [
        ("path", "../config/app.yml", "config/app.yml"),
        ("path", "config/app.yml", "config/app.yml"),
        ("path", "./x.sh", "scripts/x.sh"),
        ("shell", "$DIR/x.sh", "scripts/x.sh"),
        ("shell", "lib/util.sh", "lib/util.sh"),
        ("shell", "util.sh", "lib/util.sh"),
        ("root_path", "lib/util.sh", "lib/util.sh"),
        ("path", "/config/app.yml", "config/app.yml"),
        ("path", "config/app.yml#L10", "config/app.yml"),
        ("path", "docs/a%20b.md", "docs/a b.md"),
        ("html", "/style.css?v=2", "public/style.css"),
        ("path", "mail.html", "templates/mail.html"),
        ("path", "../web", "web/package.json"),
        ("path", "../../../etc/passwd", ""),
        ("path", "https://example.com/config/app.yml", ""),
        ("path", "config/*.yml", ""),
        ("path", "", ""),
        ("path", "..", ""),
    ],
)
def test_paths(how: str, target: str, meant: str) -> None:
    tree = {
        "config/app.yml": {"kind": "document"},
        "lib/util.sh": {},
        "scripts/x.sh": {},
        "docs/a b.md": {},
        "public/style.css": {},
        "templates/mail.html": {},
        "web/package.json": {},
        "web/zeta.js": {},
        "scripts/run.sh": {"uses": [(how, target, "runs")]},
    }
    assert resolved(tree, "scripts/run.sh", "runs") == ({meant} if meant else set())


def test_tables_lead_to_their_schema_and_to_database_tables() -> None:
    tree = {
        "db/schema.sql": {"gives": [("table", "Orders")], "best": "table_schema"},
        "db/migrations/1_orders.sql": {"gives": [("table", "orders")], "best": "database_migration"},
        "data/shop.db::customers": {"part": "customers", "format": "csv", "kind": "structured_record"},
        "app/report.py": {"uses": [("table", "public.orders", "reads"), ("table", "CUSTOMERS", "writes")]},
    }
    graph = Graph(tree)
    assert graph.targets("app/report.py", "reads") == {"db/schema.sql"}
    assert graph.targets("app/report.py", "writes") == {"data/shop.db::customers"}


def test_dbt_models_seeds_and_sources() -> None:
    tree = {
        "models/staging/stg_orders.sql": {"uses": [("dbt_source", "shop.orders", "reads")]},
        "models/staging/sources.yml": {"gives": [("dbt_source", "shop.orders")], "kind": "document"},
        "seeds/countries.csv": {},
        "models/marts/fct_orders.sql": {"uses": [("dbt", "stg_orders", "reads"), ("dbt", "countries", "reads")]},
        "models/marts/schema.yml": {"uses": [("dbt", "fct_orders", "documents")]},
    }
    graph = Graph(tree)
    assert graph.targets("models/staging/stg_orders.sql", "reads") == {"models/staging/sources.yml"}
    assert graph.targets("models/marts/fct_orders.sql", "reads") == {
        "models/staging/stg_orders.sql",
        "seeds/countries.csv",
    }
    assert graph.targets("models/marts/schema.yml", "documents") == {"models/marts/fct_orders.sql"}


def test_cluster_resources_images_units_variables_and_workspace_members() -> None:
    tree = {
        "k8s/prod/secret.yaml": {"gives": [("k8s", "Secret/db")]},
        "k8s/dev/secret.yaml": {"gives": [("k8s", "Secret/db")]},
        "k8s/dev/api.yaml": {"uses": [("k8s", "Secret/db", "configures"), ("container", "acme/api", "runs")]},
        "services/api/Dockerfile": {"format": "dockerfile"},
        ".env": {"format": "env", "settings": (("DB_URL", 1),)},
        ".env.example": {"format": "env", "settings": (("DB_URL", 2),), "role": "template"},
        "docker-compose.yml": {"uses": [("env_key", "DB_URL", "configures")]},
        "units/api.service": {},
        "units/web.service": {"uses": [("systemd", "api.service", "runs")]},
        "package.json": {"uses": [("package", "packages/*", "builds")]},
        "packages/a/package.json": {},
        "packages/b/package.json": {},
    }
    graph = Graph(tree)
    assert graph.targets("k8s/dev/api.yaml", "configures") == {"k8s/dev/secret.yaml"}
    assert graph.targets("k8s/dev/api.yaml", "runs") == {"services/api/Dockerfile"}
    assert graph.targets("docker-compose.yml", "configures") == {".env"}
    assert graph.targets("units/web.service", "runs") == {"units/api.service"}
    assert graph.targets("package.json", "builds") == {"packages/a/package.json", "packages/b/package.json"}


def test_a_name_that_an_unknown_way_of_referring_provides_is_found() -> None:
    tree = {
        "a.proto": {"gives": [("proto_package", "shop.v1")]},
        "b.proto": {"uses": imports("proto_package", "shop.v1")},
    }
    assert resolved(tree, "b.proto") == {"a.proto"}
