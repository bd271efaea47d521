"""Rows for the configuration family: settings of applications, tools and environments."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "app_config": "config code_file",
    "environment_config": "config",
    "server_config": "config",
    "tooling_config": "config code_file",
    "repository_config": "config",
    "localization": "config structured_record document",
}

_ENVIRONMENTS = "production staging development dev prod stage qa uat local sandbox preprod"

_PLAIN = (
    "no=schema_def,api_path,workload,compose_service,ci_job,dependency,locked,tool_section,translation,server_directive,"
    "infra_resource,infra_variable,security_rule,pipeline_step,hyperparameter,data_check,dbt_source,finding_record,env_section,playbook"
)
"""Settings that nothing narrower explains."""

_SERVERS = (
    "nginx apache httpd haproxy envoy traefik caddy varnish squid tomcat jetty postgres postgresql pgbouncer pgpool"
    " mysql mysqld mariadb mongod mongodb redis memcached rabbitmq kafka zookeeper elasticsearch logstash fluentd"
    " fluent sshd samba bind named unbound dnsmasq postfix dovecot uwsgi gunicorn supervisord systemd logrotate rsyslog"
    " chrony ntp consul etcd kong mosquitto minio prometheus loki promtail vector filebeat otel collector"
)

ROWS = (
    # app_config
    Row("app_config", "format", "yaml json toml ini properties xml", 2.0, _PLAIN),
    Row("app_config", "feature", "key", 1.0, f"kind=config {_PLAIN}"),
    Row("app_config", "feature", "feature_flag", 1.2),
    Row("app_config", "name", "database server log logging port host cache timeout redis debug feature smtp queue",
        0.3, "kind=config"),
    Row("app_config", "stem", "config settings application appsettings app conf defaults default constants",
        3.0, "kind=config"),
    Row("app_config", "stem", "config settings conf",
        5.5, "kind=code_file no=test_function,route atmost=function:6 has=env_read,type_only"),
    Row("app_config", "stem", "config settings conf", 2.5, "kind=code_file no=test_function,route"),
    Row("app_config", "feature", "env_read",
        3.0, "kind=code_file min=2"
            " no=route,train_call,test_function,http_call,db_call,queue_call,mail_call,http_server,"
        "component,cli_args,metric_call,web_import,scheduled,auth_call,file_io share=function:0.5"),
    Row("app_config", "import", "basesettings pydantic_settings dotenv environ decouple dynaconf viper", 1.5),
    Row("app_config", "name", "settings config secret_key allowed_hosts installed_apps middleware databases",
        1.0, "kind=code_file"),
    Row("app_config", "file", "app.config.js app.config.ts", 6.0),
    Row("app_config", "path", "config configuration setting conf application flag", 1.8),
    # environment_config
    Row("environment_config", "format", "env", 5.5),
    Row("environment_config", "feature", "env_section", 5.5),
    Row("environment_config", "stem", _ENVIRONMENTS,
        6.0, "format=yaml,json,toml,ini,properties,env,xml no=workload,ci_job,dependency,compose_service"),
    Row("environment_config", "path", _ENVIRONMENTS,
        2.8, "format=yaml,json,toml,ini,properties,env,xml no=workload,ci_job,dependency"),
    Row("environment_config", "feature", "env_named", 6.5, f"kind=config {_PLAIN}"
        f" format=yaml,json,toml,ini,properties,xml"),
    Row("environment_config", "folder", "environments envs env", 3.0, "format=yaml,json,toml,ini,properties,env"),
    # server_config
    Row("server_config", "format", "nginx apache systemd", 6.0),
    Row("server_config", "feature", "server_directive", 6.0),
    Row("server_config", "file",
        "nginx.conf httpd.conf my.cnf my.ini postgresql.conf pg_hba.conf redis.conf haproxy.cfg",
        5.5),
    Row("server_config", "file",
        "sshd_config traefik.yml traefik.toml php.ini supervisord.conf mongod.conf prometheus.yml",
        5.0),
    Row("server_config", "file", "*.service *.socket *.timer *.mount *.vhost caddyfile rsyslog.conf logrotate.conf",
        5.0),
    Row("server_config", "stem", _SERVERS, 5.0, "kind=config no=dependency,ci_job,workload"),
    Row("server_config", "path", _SERVERS, 2.8),
    Row("server_config", "path", "server proxy php uwsgi gunicorn supervisor logrotate rsyslog mosquitto", 1.2),
    # tooling_config
    Row("tooling_config", "feature", "tool_section", 6.0, "no=dependency"),
    Row("tooling_config", "feature", "tool_section", 1.5, "has=dependency"),
    Row("tooling_config", "file", "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts", 3.0),
    Row("tooling_config", "format", "editorconfig", 6.0),
    Row("tooling_config", "file", "tsconfig.json .eslintrc .prettierrc .editorconfig jest.config.js ruff.toml mypy.ini",
        6.0),
    Row("tooling_config", "file", ".pre-commit-config.yaml setup.cfg pytest.ini .flake8 .pylintrc .coveragerc .babelrc",
        6.0),
    Row("tooling_config", "file",
        "eslint.config.js eslint.config.mjs prettier.config.js tailwind.config.js tailwind.config.ts",
        6.0),
    Row("tooling_config", "file", "postcss.config.js jest.config.ts vitest.config.ts karma.conf.js cypress.config.ts",
        6.0),
    Row("tooling_config", "file",
        "playwright.config.ts .eslintrc.json .eslintrc.js .eslintrc.yml .prettierrc.json jsconfig.json",
        6.0),
    Row("tooling_config", "file",
        ".rubocop.yml .golangci.yml .stylelintrc .clang-format .clang-tidy rustfmt.toml clippy.toml",
        6.0),
    Row("tooling_config", "file",
        "phpunit.xml checkstyle.xml .yamllint .markdownlint.json sonar-project.properties .nvmrc",
        6.0),
    Row("tooling_config", "file",
        ".python-version .tool-versions .browserslistrc .npmrc .yarnrc commitlint.config.js biome.json",
        5.5),
    Row("tooling_config", "file",
        "alembic.ini codecov.yml .codecov.yml .luacheckrc .vimrc launch.json tasks.json mkdocs.yml",
        5.0),
    Row("tooling_config", "file", ".bashrc .zshrc .profile .gitconfig deno.json .releaserc .releaserc.json tslint.json",
        5.0),
    Row("tooling_config", "folder", ".vscode .idea .devcontainer .husky", 5.0),
    Row("tooling_config", "path", "eslint prettier jest babel lint mypy pytest webpack editor", 1.5),
    # repository_config
    Row("repository_config", "format", "gitignore", 8.0),
    Row("repository_config", "file", ".gitignore .gitattributes codeowners .gitmodules .mailmap .dockerignore", 6.0),
    Row("repository_config", "file",
        "dependabot.yml renovate.json .renovaterc funding.yml stale.yml labeler.yml config.yml",
        4.5, "format=gitignore,yaml,json,ini,text"),
    Row("repository_config", "folder", ".github", 2.5, "format=yaml no=ci_job"),
    Row("repository_config", "folder", ".github/issue_template .gitlab/issue_templates .gitea", 5.0, "format=yaml"),
    Row("repository_config", "file", ".lfsconfig .gitreview .gitlint .git-blame-ignore-revs .gitkeep"
        " .bazelignore", 6.0),
    # localization
    Row("localization", "feature", "translation", 7.0),
    Row("localization", "format", "gettext", 6.0),
    Row("localization", "folder", "locales locale i18n lang translations l10n lc_messages _locales",
        5.0, "format=json,yaml,properties,xml,text,ini,toml"),
    Row("localization", "file", "*.po *.pot *.xlf *.xliff *.resx *.strings", 6.0),
    Row("localization", "path", "locale i18n lang translation message l10n", 1.8),
)
