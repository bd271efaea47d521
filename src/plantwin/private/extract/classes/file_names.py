"""Which format a file name announces: exact names, name beginnings and extensions."""

from __future__ import annotations


def _table(rows: dict[str, str]) -> dict[str, str]:
    """Turn `format: names` rows into a lookup by name."""
    return {name: form for form, names in rows.items() for name in names.split()}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPAQUE = "opaque"

NAMES: dict[str, str] = _table(
    {
        "dockerfile": "dockerfile containerfile",
        "makefile": "makefile gnumakefile bsdmakefile kbuild justfile .justfile",
        "requirements": "requirements.txt requirements.in constraints.txt requirements-dev.txt dev-requirements.txt",
        "gomod": "go.mod go.sum go.work go.work.sum",
        "gemfile": "gemfile gems.rb podfile",
        "ruby": "rakefile vagrantfile guardfile capfile fastfile brewfile appraisals berksfile thorfile config.ru",
        "toml": "pipfile cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock gopkg.toml .buckconfig",
        "json": "composer.lock pipfile.lock package-lock.json .babelrc .jshintrc .jscsrc .bowerrc .swcrc .nycrc"
        " .watchmanconfig deno.lock flake.lock bun.lock .prettierrc .eslintrc .stylelintrc .arcconfig .tern-project"
        " .dockerconfigjson .htmlhintrc",
        "yaml": "kubeconfig .clang-format .clang-tidy .clangd .yamllint .gemrc .rubocop .condarc .travis .yarnrc.yml"
        " pubspec.lock glide.lock packages.lock .remarkrc .mocharc chart.lock requirements.lock .ansible-lint",
        "lock": "yarn.lock gemfile.lock podfile.lock gems.locked mix.lock paket.lock cabal.project.freeze",
        "editorconfig": ".editorconfig",
        "ini": ".lfsconfig .gitreview conanfile.txt .gitlint .gitconfig .gitmodules .flake8 .pylintrc pylintrc"
        " .coveragerc .pypirc .hgrc .my.cnf"
        " .bumpversion.cfg tox.ini setup.cfg alembic.ini .wgetrc .s3cfg .boto pip.conf .isort.cfg .style.yapf"
        " .pep8 .pydocstyle .conan config.desktop .npmrc .yarnrc",
        "env": ".env .envrc .flaskenv",
        "gitignore": ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .helmignore .gcloudignore"
        " .hgignore .plantwinignore .stylelintignore .slugignore .vercelignore .gitattributes codeowners .mailmap"
        " .git-blame-ignore-revs .ignore .rgignore .ebignore .cfignore .bzrignore .cvsignore .nowignore"
        " .containerignore .terraformignore",
        "credentials": ".netrc _netrc .pgpass pgpass.conf .htpasswd .htdigest .git-credentials shadow gshadow"
        " .vault_pass .vault-token .vault_password",
        "apache": "httpd.conf apache2.conf .htaccess",
        "nginx": "nginx.conf haproxy.cfg caddyfile named.conf sshd_config"
        " ssh_config redis.conf postgresql.conf pg_hba.conf mosquitto.conf fstab sudoers resolv.conf crypttab exports"
        " ntp.conf chrony.conf smb.conf limits.conf sysctl.conf dhcpd.conf squid.conf unbound.conf dnsmasq.conf"
        " varnish.vcl my.cnf.d rsyslog.conf logrotate.conf journald.conf sshd.conf nsswitch.conf",
        "crontab": "crontab",
        "netrules": "iptables ip6tables rules.v4 rules.v6 nftables.conf pf.conf",
        "recipe": "cpanfile cartfile opam",
        "shell": ".bashrc .bash_profile .profile .zshrc .zprofile .bash_aliases .bash_logout .zshenv .xinitrc"
        " .bash_login gradlew configure pkgbuild apkbuild procfile-run entrypoint",
        "jenkinsfile": "jenkinsfile",
        "procfile": "procfile",
        "cmake": "cmakelists.txt",
        "generic": "meson.build meson_options.txt sconstruct sconscript wscript build.bazel"
        " workspace.bazel workspace module.bazel tiltfile dangerfile earthfile snakefile",
        "properties": "gradle.properties gradle-wrapper.properties .java-version .python-version .node-version .nvmrc"
        " .ruby-version .tool-versions .terraform-version sonar-project.properties runtime.txt .browserslistrc"
        " .sdkmanrc",
        "text": "license licence copying notice authors contributors readme changelog changes news todo install"
        " history thanks maintainers copyright unlicense patents",
        "pem": "id_rsa id_dsa id_ecdsa id_ed25519 authorized_keys known_hosts ssh_host_rsa_key ssh_host_ed25519_key",
        OPAQUE: ".ds_store thumbs.db desktop.ini",
    }
)

PREFIXES: tuple[tuple[str, str], ...] = (
    ("dockerfile", "dockerfile"),
    ("containerfile", "dockerfile"),
    ("makefile", "makefile"),
    ("jenkinsfile", "jenkinsfile"),
    (".env", "env"),
    ("requirements", "requirements"),
    ("crontab", "crontab"),
    ("justfile", "makefile"),
    ("caddyfile", "nginx"),
    ("vagrantfile", "ruby"),
    ("syslog", "log"),
    ("dmesg", "log"),
    ("stdout", "log"),
    ("stderr", "log"),
    ("catalina", "log"),
    ("messages", "log"),
)
"""Names that begin so, followed by a separator, and carry no extension that says otherwise."""

EXTENSIONS: dict[str, str] = _table(
    {
        "python": "py pyi pyw pyx pxd wsgi",
        "javascript": "js mjs cjs es6",
        "jsx": "jsx",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "vue": "vue",
        "svelte": "svelte astro",
        "go": "go",
        "java": "java",
        "ruby": "rb rake gemspec ru podspec",
        "rust": "rs",
        "c": "c h",
        "cpp": "cc cpp cxx c++ hpp hh hxx h++ ipp inl tpp cu cuh ino",
        "csharp": "cs csx",
        "php": "php phtml php5 php7 inc",
        "kotlin": "kt kts",
        "scala": "scala sc sbt",
        "sql": "sql ddl dml pgsql plsql psql prc tsql hql cql cypher cyp aql n1ql soql sparql rq surql prql pks pkb",
        "shell": "sh bash zsh ksh fish bats command ebuild",
        "hcl": "tf tfvars hcl nomad",
        "html": "html htm xhtml jinja jinja2 j2html erb haml hbs handlebars mustache ejs njk twig liquid pug jsp jspx"
        " aspx cshtml razor ftl mjml tmpl gohtml heex eex slim jade tpl",
        "css": "css scss sass less styl pcss",
        "generic": "lua pl pm t swift ex exs erl hrl r jl dart ps1 psm1 psd1 hs ml mli clj cljs cljc edn lisp el"
        " scm rkt fs fsx fsi vb vbs pas f f90 f95 for m mm zig nim cr sol vhdl v sv asm s tcl awk coffee groovy"
        " bat cmd bzl bazel star applescript d elm purs raku ada adb ads cob cbl gd hx idl lean agda prolog pro"
        " mk4 nix vim nims rego cue dhall jsonnet libsonnet bicep sas do stan smk nf wdl cwl metal glsl hlsl vert"
        " frag wat kql spl odin vala re res pony abap apex trigger prisma dbml http feature cpy pli robot svh"
        " bas vba st bt stp pp flux dwl hurl bru gdb lldb vcl ahk au3 xq xquery xqy xsl xslt cgi psgi fcgi mojo"
        " kdl hy fnl sml"
        " cfm cfc pde qml bsl lds asy bru tla als p4 vhdl sp pwn wren janet nut gml scd",
        "gradle": "gradle",
        "cmake": "cmake",
        "systemd": "service socket timer mount target netdev slice automount container volume network",
        "gettext": "po pot strings",
        "latex": "tex ltx sty cls",
        "bibtex": "bib",
        "toml": "toml",
        "yaml": "yaml yml raml sls eyaml cff",
        "json": "json json5 jsonc geojson webmanifest har sarif avsc tfstate map topojson jsonld ipynb_checkpoint"
        " code-workspace sublime-project",
        "jsonl": "jsonl ndjson jsonlines",
        "notebook": "ipynb",
        "ini": "ini cfg cnf desktop",
        "properties": "properties",
        "env": "env",
        "xml": "xml xsd svg plist csproj vbproj fsproj sln.xml pom wsdl rss atom kml gpx storyboard xib resx"
        " nuspec config props targets xaml jrxml drawio xlf xliff tmx iml dtd xhtml5 musicxml wadl gml ui rng sch"
        " bpmn xmi xul",
        "csv": "csv psv",
        "tsv": "tsv tab",
        "makefile": "mk mak make",
        "markdown": "md apib markdown mdx mkd mdown rmd qmd",
        "rst": "rst rest",
        "asciidoc": "adoc asciidoc asc_doc",
        "text": "txt puml plantuml mmd mermaid text org wiki textile rtf eml mbox srt vtt 1 2 3 4 5 6 7 8 man pod"
        " texi texinfo out",
        "log": "log logs err trace syslog",
        "interchange": "vcf ics ofx qif qfx sta mt940 mt942 edi x12 hl7 ged nmea",
        "netrules": "zone nft",
        "recipe": "cabal opam rockspec",
        "pem": "pem crt cer key pub csr asc gpg ppk der p7b p8 crl",
        "dockerfile": "dockerfile containerfile",
        "proto": "proto thrift fbs capnp avdl",
        "graphql": "graphql gql graphqls",
        "gitignore": "gitignore dockerignore",
        "diff": "diff patch rej",
        "nginx": "nginx vhost",
        "crontab": "cron crontab",
        "security_rules": "yar yara rules snort suricata sigma",
        "sqlite": "sqlite sqlite3 db3 s3db",
        "model": "pt pth onnx safetensors pkl pickle h5 hdf5 joblib gguf ggml keras ckpt tflite pb mlmodel npz"
        " weights caffemodel pmml xgb cbm torchscript pdparams llamafile",
        "keystore": "p12 jks keystore pfx kdbx kdb bks truststore jceks agekey keychain ovpn_key",
        "office": "doc docx odt pages dot dotx ppt pptx odp key_presentation epub mobi djvu one",
        "pdf": "pdf ps eps",
        "columnar": "parquet avro feather orc arrow xlsx xls ods xlsb xlsm dta sav sas7bdat rds rdata npy mat mdb accdb"
        " dbf shp lance ipc",
        OPAQUE: "zip tar gz tgz bz2 tbz xz txz zst lz4 lzma 7z rar jar war ear whl egg deb rpm apk ipa aar cab iso dmg"
        " img vmdk qcow2 png jpg jpeg gif bmp tif tiff webp ico icns heic heif avif psd ai xcf raw cr2 nef exr"
        " mp3 wav flac ogg m4a aac wma opus mid midi aiff mp4 mkv avi mov wmv flv webm m4v mpg mpeg 3gp ttf otf woff"
        " woff2 eot fon pfb exe dll so dylib o obj a lib pyc pyo pyd class wasm ko elf com msi sys pdb dex swf nib"
        " mo gmo idx pack rev bundle_bin dat_bin lck swp swo crx xpi nupkg gem snap flatpak appimage torrent blend fbx"
        " glb stl 3ds max unitypackage cur ani hlp chm wim vhd vdi ova beam rlib rmeta hi tbd gch pch profraw"
        " icc pcap pcapng dmp mdmp core",
    }
)

WRAPPERS = _words(
    "example sample template tmpl tpl dist default defaults j2 jinja jinja2 erb mustache hbs in bak backup old orig"
    " save tmp new disabled off copy swp~ ejs gotmpl enc prev rpmsave rpmnew dpkg-old dpkg-dist skel stub inc_"
)
"""Endings that wrap another name: `config.yml.j2` is YAML, `.env.example` is dotenv."""

UNDECIDED = _words(
    "txt text conf config cfg dat data out raw list lst dump cache tmp bak db bin in lock log err pb key model spec m t"
    " pro s v do d 1 2 3 4 5 6 7 8 inc res out pages max one com obj map ts rules template ini path target a"
    " container sta vcf strings"
)
"""Endings that say little: the content decides, the ending only breaks a tie."""

INTERPRETERS: dict[str, str] = _table(
    {
        "python": "python pypy ipython uv",
        "javascript": "node nodejs deno bun",
        "typescript": "ts-node tsx",
        "ruby": "ruby jruby",
        "php": "php",
        "shell": "sh bash zsh ksh dash ash fish bats busybox",
        "makefile": "make",
        "generic": "perl lua luajit rscript awk gawk tclsh wish swift julia elixir groovy escript pwsh powershell"
        " runghc racket guile sbcl osascript expect",
        "scala": "scala amm",
        "kotlin": "kotlin kscript",
        "nginx": "nft",
    }
)
