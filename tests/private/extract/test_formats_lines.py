"""Formats that are read by lines: settings, builds, packages, servers, contracts, keys."""

from __future__ import annotations

import pytest
from format_outlines import counts, outline, provides, references


def test_env():
    found = outline(
        "env",
        "# local\nexport DB_HOST=db.internal.example.com\nDB_PASSWORD=\nAPI_KEY='your-api-key'\nDEBUG=true # why\n"
        "URL=https://${DB_HOST}/x\nnot a pair\n",
    )
    assert found.parsed
    assert found.names == ["DB_HOST", "DB_PASSWORD", "API_KEY", "DEBUG", "URL"]
    assert found.settings[0] == ("DB_HOST", "db.internal.example.com")
    assert ("DEBUG", "true") in found.settings
    assert counts(found, "key", "placeholder") == {"key": 5, "placeholder": 2}
    assert ("env_key", "DB_HOST") in provides(found)
    assert references(found, "env_key") == [("DB_HOST", "configures")]


def test_properties():
    found = outline("properties", "# c\nspring.datasource.url = jdbc:x\nserver.ssl.enabled: false\nlong = a\\\n b\n")
    assert found.settings == [("spring.datasource.url", "jdbc:x"), ("server.ssl.enabled", "false"), ("long", "a  b")]
    messages = outline("properties", "cart.title=Your cart\ncart.empty=Nothing here\ncart.pay=Pay {0} now\n")
    assert messages.features["translation"] == 3


def test_ini_and_its_relatives():
    tools = outline("ini", "[flake8]\nmax-line-length = 100\n[tool:pytest]\ntestpaths = tests\n")
    assert tools.features["tool_section"] == 2
    setup = outline(
        "ini",
        "[metadata]\nname = shop\n[options]\ninstall_requires =\n    flask>=2\n    attrs==23.1\npackages = find:\n",
    )
    assert setup.pins == [("flask", ">=2"), ("attrs", "==23.1")]
    assert provides(setup) == {("package", "shop")}
    server = outline("ini", "[mysqld]\nbind-address = 0.0.0.0\nskip-networking\nmax_connections = 200\n")
    assert counts(server, "server_directive", "public_exposure", "threshold") == {
        "server_directive": 1,
        "public_exposure": 1,
        "threshold": 1,
    }
    environments = outline("ini", "[staging]\nhost=a\n[production]\nhost=b\n")
    assert environments.features["env_section"] == 2
    assert environments.settings == [("staging.host", "a"), ("production.host", "b")]
    assert outline("ini", "this is\nnot ! an ini\n(file) at all\n").parsed is False


def test_systemd():
    found = outline(
        "systemd",
        "[Unit]\nAfter=network.target db.service\n[Service]\nExecStart=/opt/shop/bin/run.sh\nMemoryMax=1G\n[Install]\n",
    )
    assert counts(found, "server_directive", "workload", "command", "resource_limit") == {
        "server_directive": 3,
        "workload": 1,
        "command": 1,
        "resource_limit": 1,
    }
    assert references(found, "systemd") == [("network.target", "runs"), ("db.service", "runs")]
    assert references(found, "shell") == [("run.sh", "runs")]
    timer = outline("systemd", "[Timer]\nOnCalendar=daily\n")
    assert counts(timer, "schedule", "scheduled") == {"schedule": 1, "scheduled": 1}


def test_dockerfile():
    found = outline(
        "dockerfile",
        """FROM python:3.12-slim AS build
ARG TOKEN
ENV APP_ENV=production PORT=8080
COPY --chown=app requirements.txt src/ /app/
COPY ["a file.txt", "/b"]
RUN pip install \\
    # inner comment
    -r requirements.txt && ./scripts/setup.sh
FROM build
COPY --from=build /app /app
USER root
EXPOSE 8080
HEALTHCHECK CMD curl -f http://localhost/
ENTRYPOINT ["gunicorn", "shop.wsgi:app"]
CMD python manage.py
""",
    )
    assert found.parsed
    assert counts(found, "build_step", "image_ref", "pinned", "health_check", "open_permission", "key") == {
        "build_step": 13,
        "image_ref": 1,
        "pinned": 1,
        "health_check": 1,
        "open_permission": 1,
        "key": 3,
    }
    assert references(found, "path") == [
        ("requirements.txt", "builds"),
        ("src/", "builds"),
        ("a file.txt", "builds"),
        ("./scripts/setup.sh", "runs"),
        ("manage.py", "runs"),
    ]
    assert references(found, "python") == [("shop.wsgi", "runs")]
    assert references(found, "container") == [("python", "runs")]
    assert outline("dockerfile", "just some words\n").parsed is False


def test_makefile_and_builds():
    make = outline(
        "makefile",
        "PY ?= python3\n.PHONY: test\ntest: build data.csv\n\t@./scripts/test.sh\n\trm -rf out\n"
        "app.o: app.c\n\tcc app.c\n",
    )
    assert counts(make, "task", "build_step", "key", "command", "destructive") == {
        "task": 1,
        "build_step": 1,
        "key": 1,
        "command": 3,
        "destructive": 1,
    }
    assert references(make, "path") == [("data.csv", "builds"), ("app.c", "builds"), ("./scripts/test.sh", "runs")]
    cmake = outline(
        "cmake", "project(shop)\nfind_package(Boost 1.74)\nadd_executable(app main.cpp)\nadd_subdirectory(lib)\n"
    )
    assert cmake.features["build_step"] == 4
    assert references(cmake, "path") == [("main.cpp", "builds"), ("lib", "builds")]
    gradle = outline(
        "gradle",
        "plugins {\n  id 'java'\n}\ndependencies {\n  implementation 'com.google.guava:guava:31.1-jre'\n"
        "  testImplementation(\"org.junit:junit\")\n  implementation project(':core')\n}\ntask deploy {\n}\n",
    )
    assert gradle.pins == [("com.google.guava:guava", "31.1-jre"), ("org.junit:junit", "*")]
    assert references(gradle, "root_path") == [("core", "imports")]
    assert gradle.features["task"] == 1
    jenkins = outline(
        "jenkinsfile", "pipeline {\n stages {\n  stage('Test') {\n   steps { sh './ci/test.sh' }\n  }\n }\n}\n"
    )
    assert jenkins.features["ci_job"] == 1
    assert references(jenkins, "shell") == [("./ci/test.sh", "runs")]
    process = outline("procfile", "web: gunicorn shop.wsgi:app\nworker: python worker.py\n")
    assert process.features["workload"] == 2
    assert references(process, "path") == [("worker.py", "runs")]


def test_package_lists():
    pip = outline(
        "requirements",
        "-r base.txt\n-e ./lib\nflask==2.3.0  # web\nrequests[socks]>=2 ; python_version > '3'\nnumpy\n--pre\n",
    )
    assert pip.pins == [("flask", "==2.3.0"), ("requests", ">=2"), ("numpy", "")]
    assert counts(pip, "pinned", "unpinned", "locked") == {"pinned": 1, "unpinned": 2, "locked": 0}
    assert references(pip, "path") == [("base.txt", "configures"), ("./lib", "imports")]
    locked = outline("requirements", "flask==2.3.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n")
    assert locked.features["locked"] >= 1
    go = outline(
        "gomod",
        "module example.com/shop\n\ngo 1.21\n\nrequire (\n\tgolang.org/x/net v0.17.0\n)\n"
        "replace example.com/a => ../a\n",
    )
    assert provides(go) == {("go_module", "example.com/shop")}
    assert go.pins == [("golang.org/x/net", "v0.17.0")]
    assert references(go, "path") == [("../a", "imports")]
    gems = outline(
        "gemfile", "source 'https://rubygems.org'\ngem 'rails', '~> 7.0'\ngem \"core\", path: 'engines/core'\n"
    )
    assert gems.pins == [("rails", "~> 7.0"), ("core", "*")]
    assert references(gems, "path") == [("engines/core", "imports")]


def test_servers():
    nginx = outline(
        "nginx",
        """# proxy
upstream api { server 10.0.0.1:80; }
server {
    listen 80;
    server_name shop.example.com;
    ssl_protocols TLSv1 TLSv1.2;
    client_max_body_size 10m;
    include snippets/tls.conf;
    access_log off;
    location / {
        proxy_pass http://api;
    }
}
""",
    )
    assert nginx.parsed
    assert counts(nginx, "public_exposure", "weak_crypto", "disabled_protection", "threshold") == dict.fromkeys(
        ("public_exposure", "weak_crypto", "disabled_protection", "threshold"), 1
    )
    assert nginx.features["server_directive"] == 10
    assert references(nginx, "path") == [("snippets/tls.conf", "configures")]
    assert ("server.server_name", "shop.example.com") in nginx.settings
    apache = outline(
        "apache",
        "Listen 443\n<VirtualHost *:443>\n  ServerName shop.example.com\n  Require all granted\n</VirtualHost>\n",
    )
    assert counts(apache, "open_permission", "public_exposure") == {"open_permission": 1, "public_exposure": 1}


def test_crontab_and_patterns_and_diff():
    cron = outline("crontab", "MAILTO=ops\n0 3 * * * root /opt/shop/backup.sh\n@daily scripts/clean.py\n")
    assert counts(cron, "schedule", "scheduled", "command", "key") == {
        "schedule": 2,
        "scheduled": 2,
        "command": 2,
        "key": 1,
    }
    assert references(cron, "shell") == [("backup.sh", "runs")]
    assert references(cron, "root_path") == [("scripts/clean.py", "runs")]
    ignore = outline("gitignore", "# c\n*.pyc\n/build/\n\n!keep\n")
    assert ignore.features == {"key": 3}
    owners = outline("gitignore", "/src/auth @team\n* @all\n")
    assert references(owners, "root_path") == [("src/auth", "configures")]
    patch = outline("diff", "--- a/src/x.py\n+++ b/src/x.py\n@@ -1,2 +1,2 @@\n-password = 1\n+import jwt\n")
    assert patch.features == {"code_block": 1}
    assert references(patch, "root_path") == [("src/x.py", "writes")]


def test_contracts():
    proto = outline(
        "proto",
        'syntax = "proto3";\npackage shop.v1;\nimport "shop/v1/money.proto";\nimport "google/protobuf/empty.proto";\n'
        "// TODO: more\nservice Orders {\n  rpc Create(Order) returns (Order);\n}\nmessage Order {\n  string id = 1;\n"
        "  repeated Item items = 2;\n}\n",
    )
    assert counts(proto, "api_path", "schema_def", "column", "todo") == {
        "api_path": 1,
        "schema_def": 1,
        "column": 2,
        "todo": 1,
    }
    assert {"Orders", "Create", "Order", "id", "items"} <= set(proto.names)
    assert references(proto, "path") == [("shop/v1/money.proto", "imports")]
    graphql = outline(
        "graphql",
        '"""A type Fake in a comment"""\ntype Query {\n  orders(first: Int): [Order!]!\n}\n\ntype Order {\n'
        "  id: ID!\n  total: Float\n}\n"
        "enum Status { OPEN }\n",
    )
    assert counts(graphql, "api_path", "schema_def", "column") == {"api_path": 1, "schema_def": 2, "column": 2}
    assert "Fake" not in graphql.names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", ["private key"]),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ["certificate"]),
        ("ssh-ed25519 AAAAC3Nza someone@example.com\n", ["public key"]),
    ],
)
def test_pem(text: str, names: list[str]):
    found = outline("pem", text)
    assert found.parsed
    assert found.names == names
    assert found.settings == []


def test_message_catalog():
    found = outline(
        "gettext", 'msgid ""\nmsgstr "Language: de"\n\nmsgid "Cart"\nmsgstr "Korb"\n\nmsgid "Pay"\nmsgstr ""\n\n'
    )
    assert counts(found, "translation", "placeholder") == {"translation": 2, "placeholder": 1}
