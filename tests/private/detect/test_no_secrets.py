"""What is no secret: text for people, names, addresses of public pages, hashes. Each row is a mistake once made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from plantwin.private.detect import Detector
from plantwin.private.formats.yaml import templated
from tables import cases

COMMIT = "8f93aec25d41b72493c6ddff14e916177c9efc50"
TOKEN = "q8ZtX2eM5wCjUgRyLf0O7aKb3S"


def sure(found: Detector, text: str, path: str) -> list[str]:
    """Types of secrets of at least medium confidence."""
    data = text.encode()
    return [each.type for each in found.scan(data, path=path) if each.group == "secret" and each.confidence != "low"]


NONE = {
    "a word for password in German": ("app/settings.json", '{"password": "Paßwort"}'),
    "a word for password in Polish": ("lang/pl/auth.php", "'password' => 'Hasło',"),
    "a sentence in Japanese": ("lang/ja.php", "'password' => 'パスワードは6文字以上である必要があります。',"),
    "a sentence in Chinese": ("form.yml", "reset_password: 至少需要8个字符\n"),
    "the first word of a YAML sentence": ("config/locales/sq.yml", "only_password: Vetëm fjalëkalim\n"),
    "escaped text of a catalog": (
        "locales/ja.json",
        '{"webhook_secret": "Webhook\\u306e\\u30b7\\u30fc\\u30af\\u30ec\\u30c3\\u30c8"}',
    ),
    "a message of a gettext catalog": ("de.po", 'msgid "password"\nmsgstr "Kennwort1 eingeben"\n'),
    "a token that the program makes": ("token.ts", "const apiToken = `api_${alphaid(16)}`;"),
    "a key with a prefix, made at random": ("key.rb", 'api_key = "live-#{SecureRandom.hex(32)}"'),
    "a feature flag": ("flags.ts", 'PasswordRegistration = "pm-27278-v2-password-registration",'),
    "a handler of a form": ("form.html", '<x (changePassword)="launchChangePassword($event)"></x>'),
    "a form's rule": ("Request.php", "'new_password' => ['secure_password', 'min:16'],"),
    "a variable of a template": ("mail.text.erb", "edit_url(user, reset_password_token: @token)"),
    "a command of sudoers": ("sudo", "%ops ALL=NOPASSWD: /usr/local/bin/restart\n"),
    "a photo's address": ("a.json", '{"raw": "https://images.unsplash.com/photo-1709061965707-9a89ffb23103?q=85"}'),
    "a gist's address": ("a.md", "[text](https://gist.github.com/someone/502d0914fa4a930f08ac) (2014)"),
    "a badge's address": ("a.md", "https://api.codeclimate.com/v1/badges/5551731994dd22fa1f4f/maintainability"),
    "a pinned action": ("ci.yml", f"      - uses: docker/login-action@{COMMIT}  # v3\n"),
    "a pinned revision": ("Cargo.toml", f'sdk = {{ git = "https://github.com/acme/sdk", rev = "{COMMIT}" }}'),
    "a list of revisions": (".git-blame-ignore-revs", f"# https://github.com/acme/web/pull/1347\n{COMMIT}\n"),
    "a reference of a lock file": ("composer.lock", f'"url": "https://github.com/x/y.git",\n "reference": "{COMMIT}"'),
    "a digest beside a provider": (
        "go.sum",
        "github.com/acme/go-bitbucket v1.0.5/go.mod h1:4ZMxzmr5hi/EoLdydtR7h4dd4DpqK8tbnVLbAkscRc8=\n",
    ),
    "an integrity of a lock file": (
        "pnpm-lock.yaml",
        "  number-flow@0.6.2:\n    resolution: {integrity: sha512-MCnImG4Q5vPwhSXnov56nOuyyKn6LC+Qd7II1UiKc+ACRt==}",
    ),
    "an editor's document id": ("a.xmp", 'DocumentID="adobe:docid:photoshop:c956ce35-0c37-f048-8345-01adb36833ee"'),
    "a class of a style sheet": ("logo.html", '<svg class="css-1oudp6l-ZapierLogo--red500"><title>zapier</title>'),
    "an emoji's code": ("a.json", '{"has_img_facebook":true,"obsoleted_by":"1F9D9-1F3FB-200D-2640-FE0F"}'),
    "a type of a declaration": ("a.ts", "generateCredential: I18nKeyOrLiteral;"),
    "a function's name": ("a.ts", "export { DANGEROUS_aesDecryptDuckDuckGoNoPaddingAes256CbcHmac };"),
    "a publishable key": ("a.json", '{"stripeKey": "pk_live_bpN0P37nMxrMQkcaHXtAybJk"}'),
    "a password from standard input": ("ci.yml", "run: docker login -u app --password-stdin registry.example\n"),
    "a shell's parameter": ("run.sh", 'DATABASE_PASSWORD="${_db_credentials#*:}"\n'),
    "a version beside a service": ("Dockerfile", "ARG KEYCLOAK_SECRET_VERSION=999.0.0-SNAPSHOT\n"),
    "an object identifier": ("A.java", 'USER_PASSWORD("userPassword", "urn:oid:2.5.4.35"),'),
    "a cipher's name": ("A.java", 'Cipher c = Secret.getCipher("AES/CFB8/NoPadding");'),
    "a pattern for passwords": ("A.java", 'if (!password.matches(".*[A-Z].*")) {'),
    "an index's name": ("m.php", "$accessTokens->addUniqueIndex(['token'], 'UNIQ_6FB0DB1E5F37A13B');"),
    "a translator's mark": ("resources/lang/aa-ER/general.php", "'changepassword' => 'crwdns1035:0crwdne1035:0',"),
    "a published port": ("run.sh", "docker run --link mysql:mysql -d -p 40000:80 app\n"),
    "a token of a manual": ("doc/api/oauth.rst", '"access_token": "i3ytqTSRWsKp16fqjekHXa4tdM4qNC",'),
    "a dependency of a workspace": ("package.json", '{"@acme/server-token": "workspace:^0.7.18"}'),
    "a variable of a Makefile": ("Makefile", "\tsh -c 'mariadb --password=$$MARIADB_PASSWORD db'\n"),
    "a number of seconds": ("configs.php", "'password_init_token_delay' => '86400',"),
    "an expression of a template": (
        "azuredeploy.json",
        '{"adminPassword": {"value": "[parameters(\'adminPassword\')]"}}',
    ),
    "a nested expression": ("t.json", '{"sshKey": "[base64(parameters(\'sshKey1\'))]"}'),
    "a private setting's name": ("t.json", '{"password": "PrivateSettingsRef:adminPassword1"}'),
    "a token with a part left out": ("app.json", '{"access_token": "EHHNlY7g4...4qODUJuvwBOGHLyBz2"}'),
    "a token of a page": ("a/page.md", f"---\ntitle: Sign in\n---\n\naccess_token={TOKEN}\n"),
    "a page about tokens": (
        "docs/a.md",
        "".join(f"token: ghp_{number}Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev\n" for number in range(9)),
    ),
    "an example in a comment": ("run.yml", f"# The key to send, for example tb_{TOKEN}9Lm2Qx\n"),
    "an attribute of a page": ("a.html", '<p>contentful <a data-contentfulid="783XrJ2bzByoqy1BXeYlWi-en-US">read</a>'),
    "a public key of a resource": (
        "w.json",
        '{"title": "neon", "publicResourceKey": "umpkkRYdZUrvQH8XASgvyQ4xOvKxgTlK"}',
    ),
    "the current folder": ("ci.yml", 'run: docker run -v "$(pwd):/repo2" -v $PWD:/scripts2 app\n'),
    "a version of an interface": ("a.ps1", '$uri = "https://x.test/builders?api-version=2023-05-01-preview"\n'),
    "a pseudo-version": ("go.mod", "github.com/acme/plugin-secrets-kv v0.26.3-0.20260626165612-a1b2c3d4e5f6\n"),
    "a package's coordinates": ("build.md", "compile 'com.auth0:auth0-spring-mvc:1.2.0'\n"),
    "a node's id": ("runs.json", '{"node_id":"CR_kwDOBx7nqt2AAAAIWyCstB","head_branch":"main"}'),
    "a claim of a token": ("a.md", '"client": "auth0", "aud": "oNTtb3RV6DKQLSD1EPctqvg4EPnyopFS",'),
    "sign-in without passwords": ("a.html", '<dfn data-key="passwordless">[Passwordless2](/connections)</dfn>'),
    "a parameter of SQL": ("a.md", "'SET Password=@NewPassword, PasswordSalt=@NewSalt'"),
    "where output goes": ("a.ps1", 'echo "sealer.password = $SSLKEYPASSWORD" >C:\\idp-3.2.0\\credentials.properties\n'),
    "a variable of a key store": ("keys.sh", "keytool -genkey -storepass $SERVER_KEYSTORE_PASSWORD -keyalg RSA\n"),
    "an encoded image": (
        "a.json",
        '{"image": "sxWW5s2xO1gDqA6pX7cFe/'
        + "33frywBCMYxZkozm2DC4hcWo9Vzgp8oP9VHqmwAsS1"
        + '+HFUV1ejtrZ2w4Qx7pLmN9bT3kQ"}',
    ),
    "an image's address at a provider": (
        "images/responses.json",
        '"url": "https://lastfm.freetls.fastly.net/i/u/64s/3b54885952161aaea4ce2965b2db1638.png"',
    ),
    "the path of a drawing": ("icons.js", '"adjust": [512, "f042", "M448 256c0-106-86-192-192-192V448c106 0 192-86z"]'),
    "a word in bold": ("CHANGES.md", "a correct **password was refused** while the lock held\n"),
    "a word that is printed into a file": (
        "build.bat",
        "if errorlevel 1 (echo FAIL>.failed) else (echo PASS>.done-e2e)\n",
    ),
    "a folder that a command prints": ("mk.sh", "docker run -v $(cd .. && pwd):/build generate:$GOOS\n"),
    "a pattern for a country": ("postcode.go", '\t"PW": `^96940$`,\n'),
    "an error's code": ("pg.go", 'const ERRCODE_INVALID_PASSWORD = "28P01"\n'),
    "a setting's own name": ("config", 'KEY_OAUTH2_B2C_ENABLED="oauth2-b2c-enabled"\n'),
    "what a stream named like a password prints": ("Dump.java", 'pw.println("GestureState:");'),
    "a font's address": (
        "fonts.json",
        '"https://fonts.gstatic.test/s/plex/v11/tss_AoJJRAhL3BTrK3r2xxbFhvKfyBB6l7hHT30LxBKAoFGoBCQ.ttf"',
    ),
    "a name that a compiler makes up": (
        "profile.txt",
        "Landroidx/savedstate/Registry;->$r8$lambda$AUDDdpkzZrJMhBj0r-_9pI-j6hA(Landroidx/lifecycle",
    ),
    "a default of a template": ("page.md", "`csvsql --db {{mysql://benutzer:passwort7@host/datenbank}}`\n"),
    "a placeholder between braces": ("page.md", "`http-prompt localhost --auth {{username:password}}`\n"),
    "a secret's id in a lookup": (
        "site.yml",
        "x: {{ lookup('vault.secrets_manager', '2bc23e48-4932-40de-a047-5524b7ddc972') }}\n",
    ),
    "an example of a module's manual": (
        "modules/event.py",
        'EXAMPLES = r"""\n- event:\n    api_key: 9775a026f1ca7d1c6c5af9d94d9595a4\n"""\n',
    ),
    "an example of a docstring": (
        "client.py",
        f'def call(token):\n    """Call.\n\n    >>> call(api_token="{TOKEN}")\n    """\n',
    ),
    "a file's name beside a name of a file": (
        "x.sh",
        "gpg --output ./AuthKey_KDAUTTM76R.p8 AuthKey_KDAUTTM76R.p8.gpg\n",
    ),
    "modules of a source map": (
        "a.js.map",
        '"./src/ChangePasswordModal.tsx","webpack://@core/./src/forum/components/ChangeEmailModal2.tsx"',
    ),
    "a part of an API's description": ("api.json", '"password": "#/components/schemas/updateFlowWithPassword2"'),
    "a sum of a module": (
        "go.sum",
        "github.com/auth0/go-jwt/v2 v2.3.0 h1:4QREj6cS3d8dS05bEm443jhnqQF97FX9sMBeWqnNRzE=\n",
    ),
    "a key whose rest is left out": (
        "tls.go",
        'KEY="-----BEGIN ENCRYPTED PRIVATE KEY-----\\nMIIFDjBABgkqhkiG9w0BBQ0wMzAbBgkqhkiG9w0BBQwwDg..."',
    ),
    "a switch that begins as another does": ("page.md", "`psexec.py -path /srv/data7 shop/deploy:x@host`\n"),
    "a variable without a value": ("Makefile", "DOCKER_PASSWORD?=\nTL_USER?=\nTL_CONSOLE_URL?=\n"),
    "what a password begins with": ("auth.ts", "return password.startsWith('$2a$10');"),
    "the end of a name in minified code": ("app.js", '!=="RecoveryKeyError"===e.name?this.setState({code:7}):"x"'),
    "a statement inside of a tag": (
        "setup.php",
        '<input name="admin_password" value="<?php echo attr($vendors["weno2"]) ?>">',
    ),
    "fields of an object in a text": ("Phone.php", '$pwd = "{$this->SiteId}:{$this->Token}";'),
    "a value that the build fills in": (
        "jndi.properties.template",
        "jndi.connectionPassword=@jndi.connectionPassword@\n",
    ),
    "the characters of tokens": (
        "Tokens.groovy",
        "SECURE_TOKEN_ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'",
    ),
    "a masked part": ("config.php", "'ctsiOrgPwd' => 'DD71C92B-xxxx-xx',"),
    "a branch of a package": ("composer.json", f'"acme/selenium-api-token": "dev-cakephp5#{COMMIT}"'),
    "an image of a database": ("run.sh", 'paratest -d "mysql:5.7" -p "registry.acme.test/php-base-images:8.1"\n'),
    "a pattern of an editor": ("postinst", "sed -E 's/config\\.password=default\\.encryption\\.word7$/x/'\n"),
    "an organisation's id": ("ci.yml", "command: snyk config set org='acme-core-mtgfa3XPaKGbFtHj9aRXhg'\n"),
    "an escaped text of a catalog's tip": (
        "PostgresResources_ro.properties",
        "read_keys_tip = Constr\\u00E2ngeri de citire\n",
    ),
    "a variable on the line after a key's file": (
        "paratest",
        f"  SERVER_KEY_PRIVATE=config/unsecure_private.key \\\n  SERVER_KEY_FINGERPRINT={COMMIT.upper()} \\\n",
    ),
    "a commit of a change log": (
        "ChangeLog",
        f"    Merge branch of github.com:acme/keys with tokens\n\ncommit {COMMIT}\n",
    ),
    "a command's output that is compared": ("configure", 'if test "`cd $src && pwd`" != "`pwd`"; then\n'),
    "two variables that are compared": ("ltmain.sh", 'if test "$linkmode,$pass" = "lib,link"; then\n'),
    "a variable behind a flag": ("ci.yml", 'run: make FLAGS="-Wno-pass-failed" NO_C90_TEST=true\n'),
    "a variable of Smarty": ("list.tpl", "<input name=\"token\" value=\"{$token|escape:'html':'UTF-8'}\" />"),
    "a pointer of a program": ("ssl_tls.c", "    const unsigned char *psk = ssl->conf->psk;\n"),
    "the header of a token": ("sasl.c", '    char *token_value = "eyJhbGciOiJub25lIn0";\n'),
    "a label of a field": (
        "login.html",
        '<label for="login_password">QBT_TR(Password)QBT_TR[CONTEXT=Login7]</label>',
    ),
    "an argument that is to be passed": ("CHANGES.md", "- Pass `expand_args=False` when calling the main command.\n"),
    "a nonce of a handshake": (
        "HACKING.md",
        'curl -H"Sec-Websocket-Key: 3sc2c9IzwRUc3BlSIYwtSA==" https://acme.test\n',
    ),
    "a password of a test": ("e2e/login.ts", "const password = 'Sl1m3rson99-rotated!';"),
}


@pytest.mark.parametrize("row", NONE.values(), ids=NONE)
def test_is_no_secret(found: Detector, row: tuple[str, str]) -> None:
    path, text = row
    assert sure(found, text, path) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("locales/de.json", f'{{"api_token": "{TOKEN}"}}'),
        ("config/app.yml", f"api_token: {TOKEN}\n"),
        ("config/app.yml", "password: Gr4nite#Hill7\n"),
        ("settings.ini", "password = Größe#2024x\n"),
        (".env", "DATABASE_URL=postgres://shop:hunter22hunter@db.shop.internal/shop\n"),
        ("composer.lock", '{"github-oauth": "ghp_' + 'Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"}'),
    ],
)
def test_a_secret_among_text_is_still_found(found: Detector, path: str, text: str) -> None:
    assert sure(found, text, path)


@cases("path", "text", "expected")
def test_a_column_of_secrets_is_one_by_its_values(found: Detector, path: str, text: str, expected: list[str]) -> None:
    columns = found.columns(text.encode(), path)
    assert [column.confidence for column in columns if column.confidence != "low"] == expected


def test_a_file_called_after_the_secret_in_it(found: Detector) -> None:
    assert sure(found, "q5n2g-7trellis\n", "db/password.txt") == ["mounted_secret"]
    assert sure(found, "q5n2g-7trellis\n", "db/notes.txt") == []


@pytest.mark.parametrize("first", "frbuL")
def test_the_first_letter_of_an_unquoted_value_belongs_to_it(found: Detector, first: str) -> None:
    text = f"ENCRYPTION_KEY={first}mTyLE4cG518mfRcsQ3FK9XcV9ZhPqmS\n".encode()
    assert [text[each.start : each.start + 1].decode() for each in found.scan(text, path=".env")] == [first]


def test_threads_scan_at_once(found: Detector) -> None:
    text = b"".join(b"API_KEY=%d9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c\n" % number for number in range(2000))
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: len(found.scan(text, path=".env")), range(8)))
    assert len(set(results)) == 1 and results[0] > 0


def test_directives_of_terraform_make_a_template() -> None:
    assert templated("users:\n%{ for name in names ~}\n  - ${name}\n%{ endfor ~}\n")
    assert not templated("rate: 50%\nlevels: {low: 1}\n")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("i18n/fr.json", '{"firstName": "Prénom", "ownerName": "Propriétaire", "zip": "75001 Paris"}'),
        ("notes.md", "name: Bug Report\n"),
        ("app.yaml", 'bind-address: "0.0.0.0"\ndb-address: localhost:5432\n"extract-zip": "2.0.1"\n'),
        ("a.vue", '<path d="M5 3.297-1.23.653 1.653.242 2.874.118 3.176.77.84 1.235 1.911 1.235 3.221z"/>'),
        ("brands.svg", '<symbol id="phone-flip" viewBox="0 0 512 512">'),
        ("grammar.js", 'letter: "[\\\\u0041-\\\\u005A\\\\u0061-\\\\u007A]"'),
        ("file.go", '{UpdatedAt: now, BirthTime: at("2022-12-19 08:30")},'),
        ("README.md", "Taxes: 37.482861375 of the total\n"),
        ("AUTHORS.md", "- Carla Algaba <42377845+carla@users.noreply.git>\n"),
    ],
)
def test_labels_drawings_and_measures_are_nobodys_data(found: Detector, path: str, text: str) -> None:
    assert [one.type for one in found.scan(text.encode(), path=path) if one.confidence != "low"] == []


@pytest.mark.parametrize(
    ("path", "text", "type_"),
    [
        ("people.yaml", "first_name: Annika\n", "person_name"),
        ("notes.md", "Shipping-address: 14 Quarry Lane, Dunmore\n", "postal_address"),
        ("access.log", "10.4.7.21 0.003 GET /orders 200\n", "ipv4"),
        ("hosts", "2026-01-02 10.4.7.21 10.4.7.22 10.4.7.23\n", "ipv4"),
        ("a.md", "Date of birth: 1984-03-07\n", "date_of_birth"),
    ],
)
def test_what_they_resemble_is_still_found(found: Detector, path: str, text: str, type_: str) -> None:
    assert type_ in [one.type for one in found.scan(text.encode(), path=path) if one.confidence != "low"]
