"""Settings of developers' tools, by the keys that they own."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees

_SETS: tuple[tuple[int, frozenset[str]], ...] = tuple(
    (least, frozenset(keys.split()))
    for least, keys in (
        # how many of these keys make it the tool's: TypeScript, ESLint, Prettier, Babel
        (1, "compilerOptions"),
        (2, "extends include exclude files references compilerOptions"),
        (2, "parser parserOptions plugins rules extends env overrides ignorePatterns globals settings root"),
        (
            2,
            "semi singleQuote tabWidth trailingComma printWidth useTabs bracketSpacing arrowParens endOfLine "
            "quoteProps",
        ),
        (1, "presets babelrcRoots"),
        (2, "testEnvironment transform moduleNameMapper testMatch setupFiles collectCoverage coverageThreshold preset"),
        # ruff, mypy, isort, flake8, black
        (2, "line-length target-version select ignore lint format extend-exclude per-file-ignores src fix"),
        (2, "python_version strict warn_unused_configs disallow_untyped_defs mypy_path plugins"),
        # golangci, rubocop, rustfmt, clang-format, clippy
        (2, "linters linters-settings issues run severity output formatters"),
        (2, "AllCops Metrics/MethodLength Style/Documentation Layout/LineLength inherit_from Style/StringLiterals"),
        (2, "max_width edition tab_spaces use_field_init_shorthand imports_granularity hard_tabs"),
        (2, "BasedOnStyle IndentWidth ColumnLimit AllowShortFunctionsOnASingleLine AccessModifierOffset Language"),
        # renovate, dependabot, codecov, coverage, commitlint, semantic-release
        (2, "extends packageRules schedule labels automerge prConcurrentLimit enabledManagers rangeStrategy"),
        (2, "version updates registries"),
        (1, "codecov coverage"),
        (2, "branches plugins tagFormat preset repositoryUrl"),
        # editors, documentation, nx, turbo, lerna, nodemon
        (
            2,
            "editor.formatOnSave editor.tabSize files.exclude editor.codeActionsOnSave files.associations "
            "python.formatting",
        ),
        (2, "recommendations unwantedRecommendations"),
        (2, "site_name nav theme markdown_extensions docs_dir repo_url edit_uri"),
        (2, "npmScope targetDefaults affected tasksRunnerOptions generators namedInputs defaultProject"),
        (2, "pipeline globalDependencies tasks globalEnv remoteCache ui"),
        (2, "watch ext exec ignore delay verbose"),
        (2, "sphinx build python formats conda mkdocs"),
        (2, "newProjectRoot projects cli schematics defaultProject"),
        (2, "$schema style rsc tsx tailwind aliases"),
        (2, "name features customizations forwardPorts postCreateCommand remoteUser dockerComposeFile"),
        (2, "default MD013 MD033 MD024 MD041 line-length"),
        (2, "words ignorePaths language ignoreWords dictionaries dictionaryDefinitions"),
        (2, "rules extends yaml-files ignore locale"),
        (2, "type-enum subject-case header-max-length rules extends"),
    )
)
_SCHEMAS = (
    "schemastore.org",
    "biomejs",
    "turbo.build",
    "renovatebot",
    "cspell",
    "eslint",
    "prettier",
    "nx/schemas",
    "vscode",
)


def known(draft: Draft, tree: Tree) -> bool:
    """A tool's settings file."""
    keys = tree.keys()
    declared = text_of(tree.get("$schema"))
    owned = max((len(keys & owns) for least, owns in _SETS if len(keys & owns) >= least), default=0)
    declares = any(word in declared for word in _SCHEMAS)
    if not declares and (not owned or owned * 4 < len(keys)):
        return False
    draft.add("tool_section", max(owned, 1))
    for target in strings(tree.get("extends")):
        if target.startswith("."):
            draft.refer_path(target, "configures")
    for each in trees(tree.get("references")):
        draft.refer_path(each.get("path"), "configures")
    options = tree.get("compilerOptions")
    paths = options.get("paths") if is_tree(options) else None
    for alias, targets in list(paths.items())[:50] if is_tree(paths) else ():
        for target in strings(targets)[:1]:
            draft.provide("path_alias", f"{alias}={target}")
    return True


def pre_commit(draft: Draft, tree: Tree) -> bool:
    """Hooks before a commit."""
    repos = [each for each in trees(tree["repos"]) if "hooks" in each and "repo" in each]
    for repo in repos[:100]:
        draft.add("tool_section")
        source = text_of(repo["repo"])
        if source not in ("local", "meta"):
            draft.pin(source.rstrip("/").removesuffix(".git").rpartition("/")[2], text_of(repo.get("rev")))
        for hook in trees(repo["hooks"])[:50]:
            draft.name(text_of(hook.get("id")))
            if source == "local":
                draft.refer_path(text_of(hook.get("entry")).split(" ")[-1], "runs", "root_path")
    return bool(repos)
