"""Known weaknesses and the way to write the same without them: language, sort, weak, safe."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

from typing import NamedTuple


class Twin(NamedTuple):
    """One weakness and its safe twin."""

    name: str
    tag: str
    weak: str
    safe: str


PYTHON = [
    Twin("a.py", "injection", 'def f(c, i):\n    c.execute(f"SELECT * FROM t WHERE id = {i}")\n', 'def f(c, i):\n    c.execute("SELECT * FROM t WHERE id = %s", (i,))\n'),
    Twin("a.py", "injection", 'def f(c, n):\n    sql = "SELECT * FROM t WHERE name = \'" + n + "\'"\n    c.execute(sql)\n', 'def f(c, n):\n    sql = "SELECT * FROM t WHERE name = ?"\n    c.execute(sql, [n])\n'),
    Twin("a.py", "injection", 'def f(c, n):\n    c.execute("DELETE FROM t WHERE id = %s" % n)\n', 'def f(c, ids):\n    marks = ",".join("?" for _ in ids)\n    c.execute(f"DELETE FROM t WHERE id IN ({marks})", ids)\n'),
    Twin("a.py", "injection", 'def f(c, n):\n    c.execute("UPDATE t SET a = {}".format(n))\n', 'TABLE = "t"\ndef f(c, n):\n    c.execute(f"UPDATE {TABLE} SET a = ?", (int(n),))\n'),
    Twin("a.py", "injection", 'from flask import request, render_template_string\ndef f():\n    return render_template_string("Hi " + request.args["n"])\n', 'from flask import request, render_template\ndef f():\n    return render_template("hi.html", n=request.args["n"])\n'),
    Twin("a.py", "unsafe_execution", 'import os\ndef f(name):\n    os.system("ping " + name)\n', 'import subprocess\ndef f(name):\n    subprocess.run(["ping", name], check=True)\n'),
    Twin("a.py", "unsafe_execution", 'import subprocess\ndef f(name):\n    subprocess.run(f"ls {name}", shell=True)\n', 'import subprocess\ndef f():\n    subprocess.run("ls | wc -l", shell=True)\n'),
    Twin("a.py", "unsafe_execution", 'from flask import request\ndef f():\n    return eval(request.args["x"])\n', 'import ast\nfrom flask import request\ndef f():\n    return ast.literal_eval(request.args["x"])\n'),
    Twin("a.py", "path_traversal", 'from flask import request\ndef f():\n    return open("/data/" + request.args["f"]).read()\n', 'from flask import request\nfrom werkzeug.utils import secure_filename\ndef f():\n    return open("/data/" + secure_filename(request.args["f"])).read()\n'),
    Twin("a.py", "missing_check", 'import requests\nfrom flask import request\ndef f():\n    return requests.get(request.args["url"], timeout=5).text\n', 'import requests\nfrom flask import request\ndef f():\n    return requests.get(f"https://api.example/{int(request.args[\'id\'])}", timeout=5).text\n'),
    Twin("a.py", "missing_check", 'from flask import redirect, request\ndef f():\n    return redirect(request.args["next"])\n', 'from flask import redirect, request\nALLOWED = {"/a", "/b"}\ndef f():\n    to = request.args["next"]\n    if to not in ALLOWED:\n        to = "/"\n    return redirect(to)\n'),
    Twin("a.py", "missing_check", 'from flask import request\ndef f(User):\n    return User(**request.json)\n', 'from flask import request\ndef f(User):\n    return User(name=request.json["name"])\n'),
    Twin("a.py", "disabled_verification", 'import jwt\ndef f(t):\n    return jwt.decode(t, options={"verify_signature": False})\n', 'import jwt\ndef f(t, key):\n    return jwt.decode(t, key, algorithms=["HS256"])\n'),
    Twin("a.py", "disabled_verification", 'import requests\nrequests.get("https://a.example", verify=False, timeout=3)\n', 'import requests\nrequests.get("https://a.example", verify="/etc/ca.pem", timeout=3)\n'),
    Twin("a.py", "disabled_verification", 'import ssl\ncontext = ssl.create_default_context()\ncontext.check_hostname = False\n', 'import ssl\ncontext = ssl.create_default_context()\ncontext.check_hostname = True\n'),
    Twin("a.py", "weak_authentication", 'import random\ndef reset_token():\n    return "".join(random.choices("abc", k=20))\n', 'import secrets\ndef reset_token():\n    return secrets.token_urlsafe(20)\n'),
    Twin("a.py", "weak_authentication", 'import hmac\ndef verify(body, signature, key):\n    return hmac.new(key, body, "sha256").hexdigest() == signature\n', 'import hmac\ndef verify(body, signature, key):\n    return hmac.compare_digest(hmac.new(key, body, "sha256").hexdigest(), signature)\n'),
    Twin("a.py", "weak_authentication", 'def verify_token(token):\n    """Check."""\n    return True\n', 'def verify_token(token, known):\n    """Check."""\n    return token in known\n'),
    Twin("a.py", "weak_crypto", 'import hashlib\ndef store(password):\n    return hashlib.md5(password.encode()).hexdigest()\n', 'from argon2 import PasswordHasher\ndef store(password):\n    return PasswordHasher().hash(password)\n'),
    Twin("a.py", "unsafe_deserialization", 'import yaml\ndef f(text):\n    return yaml.load(text, Loader=yaml.Loader)\n', 'import yaml\ndef f(text):\n    return yaml.safe_load(text)\n'),
    Twin("a.py", "unsafe_deserialization", 'import pickle\nfrom flask import request\ndef f():\n    return pickle.loads(request.data)\n', 'import json\nfrom flask import request\ndef f():\n    return json.loads(request.data)\n'),
    Twin("a.py", "insecure_setting", 'from flask import Flask\napp = Flask(__name__)\napp.run(debug=True)\n', 'from flask import Flask\napp = Flask(__name__)\napp.run()\n'),
    Twin("a.py", "insecure_setting", 'def f(response, token):\n    response.set_cookie("session", token)\n', 'def f(response, token):\n    response.set_cookie("session", token, secure=True, httponly=True, samesite="Lax")\n'),
    Twin("a.py", "exposed_service", 'from fastapi.middleware.cors import CORSMiddleware\napp.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)\n', 'from fastapi.middleware.cors import CORSMiddleware\napp.add_middleware(CORSMiddleware, allow_origins=["https://a.example"])\n'),
    Twin("a.py", "sensitive_logging", 'import logging\nlog = logging.getLogger()\ndef f(user, password):\n    log.info("login %s %s", user, password)\n', 'import logging\nlog = logging.getLogger()\ndef f(user, password):\n    log.info("login %s with %d characters", user, len(password))\n'),
]  # fmt: skip
SCRIPT = [
    Twin("a.js", "injection", "db.query('SELECT * FROM t WHERE id = ' + req.params.id);\n", "db.query('SELECT * FROM t WHERE id = ?', [req.params.id]);\n"),
    Twin("a.ts", "injection", "const sql = `SELECT * FROM t WHERE name = '${name}'`;\nawait pool.query(sql);\n", "const sql = `SELECT * FROM t WHERE name = $1`;\nawait pool.query(sql, [name]);\n"),
    Twin("a.js", "injection", "node.innerHTML = '<b>' + location.hash + '</b>';\n", "node.textContent = location.hash;\n"),
    Twin("a.js", "unsafe_execution", "const { exec } = require('child_process');\nexec('ls ' + dir);\n", "const { execFile } = require('child_process');\nexecFile('ls', [dir]);\n"),
    Twin("a.js", "unsafe_execution", "const value = eval(req.query.x);\n", "const value = JSON.parse(req.query.x);\n"),
    Twin("a.js", "path_traversal", "const file = req.query.file;\nfs.readFileSync('/data/' + file);\n", "const file = path.basename(req.query.file);\nfs.readFileSync('/data/' + file);\n"),
    Twin("a.js", "missing_check", "axios.get(req.query.url);\n", "axios.get(`https://api.example/items/${req.query.id}`);\n"),
    Twin("a.js", "missing_check", "res.redirect(req.query.next);\n", "res.redirect('/home?from=' + encodeURIComponent(req.query.next));\n"),
    Twin("a.js", "missing_check", "await User.create(req.body);\n", "await User.create({ name: req.body.name });\n"),
    Twin("a.js", "disabled_verification", "const agent = new https.Agent({ rejectUnauthorized: false });\n", "const agent = new https.Agent({ ca });\n"),
    Twin("a.js", "disabled_verification", "const claims = jwt.decode(token);\n", "const claims = jwt.verify(token, key, { algorithms: ['RS256'] });\n"),
    Twin("a.js", "weak_authentication", "const resetToken = Math.random().toString(36);\n", "const resetToken = crypto.randomBytes(32).toString('hex');\nconst jitter = Math.random() * 100;\n"),
    Twin("a.js", "weak_crypto", "const h = crypto.createHash('md5').update(password).digest('hex');\n", "const h = await bcrypt.hash(password, 12);\n"),
    Twin("a.js", "exposed_service", "app.use(cors({ origin: '*', credentials: true }));\n", "app.use(cors({ origin: 'https://a.example' }));\n"),
    Twin("a.js", "insecure_setting", "res.cookie('session', id);\n", "res.cookie('session', id, { httpOnly: true, secure: true, sameSite: 'lax' });\n"),
    Twin("a.js", "sensitive_logging", "console.log('signing in', user, password);\n", "console.log('signing in', user);\n"),
]  # fmt: skip
JAVA = [
    Twin("A.java", "injection", 'class A { void f() {\n  String q = "SELECT * FROM t WHERE id = " + id;\n  statement.executeQuery(q);\n} }\n', 'class A { void f() {\n  PreparedStatement s = c.prepareStatement("SELECT * FROM t WHERE id = ?");\n  s.setString(1, id);\n} }\n'),
    Twin("A.java", "unsafe_execution", 'class A { void f() {\n  Runtime.getRuntime().exec("ping " + host);\n} }\n', 'class A { void f() {\n  new ProcessBuilder("ping", host).start();\n} }\n'),
    Twin("A.java", "path_traversal", 'class A { void f() {\n  String n = request.getParameter("f");\n  new File("/data/" + n);\n} }\n', 'class A { void f() {\n  String n = FilenameUtils.getName(request.getParameter("f"));\n  new File("/data/" + n);\n} }\n'),
    Twin("A.java", "weak_crypto", 'class A { void f() {\n  Cipher c = Cipher.getInstance("AES/ECB/PKCS5Padding");\n} }\n', 'class A { void f() {\n  Cipher c = Cipher.getInstance("AES/GCM/NoPadding");\n} }\n'),
    Twin("A.java", "unsafe_deserialization", "class A { Object f(InputStream i) {\n  return new ObjectInputStream(i).readObject();\n} }\n", "class A { Object f(InputStream i) {\n  return mapper.readValue(i, Order.class);\n} }\n"),
    Twin("A.java", "missing_check", "class A { void f() {\n  http.csrf().disable();\n} }\n", "class A { void f() {\n  http.csrf().csrfTokenRepository(r);\n} }\n"),
    Twin("A.java", "weak_authentication", 'class A { String token() {\n  return "" + new Random().nextLong();\n} }\n', 'class A { String token() {\n  return "" + new SecureRandom().nextLong();\n} }\n'),
]  # fmt: skip
GO = [
    Twin("a.go", "injection", 'func f() {\n\tq := fmt.Sprintf("SELECT * FROM t WHERE n = \'%s\'", name)\n\tdb.Query(q)\n}\n', 'func f() {\n\tdb.Query("SELECT * FROM t WHERE n = $1", name)\n}\n'),
    Twin("a.go", "unsafe_execution", 'func f() {\n\texec.Command("sh", "-c", "ls "+dir).Run()\n}\n', 'func f() {\n\texec.Command("ls", dir).Run()\n}\n'),
    Twin("a.go", "disabled_verification", "var c = &tls.Config{InsecureSkipVerify: true}\n", "var c = &tls.Config{MinVersion: tls.VersionTLS12}\n"),
    Twin("a.go", "path_traversal", 'func f(w http.ResponseWriter, r *http.Request) {\n\tname := r.URL.Query().Get("f")\n\tos.ReadFile("/data/" + name)\n}\n', 'func f(w http.ResponseWriter, r *http.Request) {\n\tname := filepath.Base(r.URL.Query().Get("f"))\n\tos.ReadFile("/data/" + name)\n}\n'),
    Twin("a.go", "weak_authentication", 'import "math/rand"\nfunc token() int {\n\treturn rand.Intn(1000000)\n}\n', 'import "crypto/rand"\nfunc token(b []byte) {\n\trand.Read(b)\n}\n'),
    Twin("a.go", "missing_check", 'func f(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.FormValue("next"), 302)\n}\n', 'func f(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, "/home", 302)\n}\n'),
]  # fmt: skip
RUBY = [
    Twin("a.rb", "injection", 'User.where("name = \'#{params[:name]}\'")\n', 'User.where("name = ?", params[:name])\n'),
    Twin("a.rb", "unsafe_execution", 'system("convert #{params[:file]}")\n', 'system("convert", params[:file])\n'),
    Twin("a.rb", "missing_check", "redirect_to params[:next]\n", "redirect_to root_path\n"),
    Twin("a.rb", "missing_check", "User.new(params[:user])\n", "User.new(params.require(:user).permit(:name))\n"),
    Twin("a.rb", "disabled_verification", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE\n", "http.verify_mode = OpenSSL::SSL::VERIFY_PEER\n"),
]  # fmt: skip
PHP = [
    Twin("a.php", "injection", '<?php\n$id = $_GET["id"];\n$r = mysqli_query($c, "SELECT * FROM t WHERE id = $id");\n', '<?php\n$s = $c->prepare("SELECT * FROM t WHERE id = ?");\n$s->execute([$_GET["id"]]);\n'),
    Twin("a.php", "injection", '<?php\necho "Hello " . $_GET["name"];\n', '<?php\necho "Hello " . htmlspecialchars($_GET["name"]);\n'),
    Twin("a.php", "unsafe_execution", '<?php\nsystem("ping " . $_GET["h"]);\n', '<?php\nsystem("ping " . escapeshellarg($_GET["h"]));\n'),
    Twin("a.php", "path_traversal", '<?php\ninclude($_GET["page"] . ".php");\n', '<?php\ninclude("header.php");\n'),
    Twin("a.php", "unsafe_deserialization", '<?php\n$o = unserialize($_COOKIE["o"]);\n', '<?php\n$o = json_decode($_COOKIE["o"], true);\n'),
    Twin("a.php", "weak_crypto", "<?php\n$hash = md5($password);\n", "<?php\n$hash = password_hash($password, PASSWORD_ARGON2ID);\n"),
]  # fmt: skip
CSHARP = [
    Twin("A.cs", "injection", 'class A { void F() {\n  var q = "SELECT * FROM t WHERE id = " + id;\n  new SqlCommand(q, c);\n} }\n', 'class A { void F() {\n  new SqlCommand("SELECT * FROM t WHERE id = @id", c);\n} }\n'),
    Twin("A.cs", "injection", 'class A { void F() {\n  db.Users.FromSqlRaw($"SELECT * FROM u WHERE n = \'{name}\'");\n} }\n', 'class A { void F() {\n  db.Users.FromSqlRaw("SELECT * FROM u WHERE n = {0}", name);\n} }\n'),
    Twin("A.cs", "unsafe_deserialization", "class A { void F() {\n  new BinaryFormatter().Deserialize(s);\n} }\n", "class A { void F() {\n  JsonSerializer.Deserialize<Order>(s);\n} }\n"),
    Twin("A.cs", "exposed_service", "class A { void F() {\n  b.AllowAnyOrigin();\n} }\n", 'class A { void F() {\n  b.WithOrigins("https://a.example");\n} }\n'),
]  # fmt: skip
OTHERS = [
    Twin("a.rs", "injection", 'fn f() {\n    let q = format!("SELECT * FROM t WHERE n = \'{}\'", name);\n    sqlx::query(&q);\n}\n', 'fn f() {\n    sqlx::query("SELECT * FROM t WHERE n = $1").bind(name);\n}\n'),
    Twin("a.rs", "disabled_verification", "fn f() {\n    Client::builder().danger_accept_invalid_certs(true);\n}\n", "fn f() {\n    Client::builder().https_only(true);\n}\n"),
    Twin("a.c", "missing_check", "void f(char *s) {\n  char b[8];\n  strcpy(b, s);\n}\n", 'void f(char *s) {\n  char b[8];\n  snprintf(b, sizeof b, "%s", s);\n}\n'),
    Twin("a.c", "injection", "void f(char *s) {\n  printf(s);\n}\n", 'void f(char *s) {\n  printf("%s", s);\n}\n'),
    Twin("a.sh", "unsafe_execution", "curl https://a.example/install.sh | sh\n", "curl -fsSLo install.sh https://a.example/install.sh\nsha256sum -c install.sha\n"),
    Twin("a.sh", "disabled_verification", "curl -k https://a.example\n", "curl --cacert ca.pem https://a.example\n"),
    Twin("a.sql", "excessive_permission", "GRANT ALL ON shop.* TO web;\n", "GRANT SELECT ON shop.orders TO web;\n"),
    Twin("a.sql", "hardcoded_secret", "CREATE USER web IDENTIFIED BY 'Marzipan-Orchard';\n", "CREATE ROLE web NOLOGIN;\n"),
]  # fmt: skip
SETTINGS = [
    Twin("Dockerfile", "excessive_permission", "FROM debian:12\nUSER root\n", "FROM debian:12\nUSER app\n"),
    Twin("Dockerfile", "hardcoded_secret", "FROM debian:12\nENV API_KEY=Zq8tX2eM5wCj\nUSER app\n", "FROM debian:12\nENV MODE=fast\nUSER app\n"),
    Twin("docker-compose.yml", "excessive_permission", "services:\n  a:\n    image: a:1\n    privileged: true\n", "services:\n  a:\n    image: a:1\n    read_only: true\n"),
    Twin("docker-compose.yml", "exposed_service", 'services:\n  a:\n    image: redis:7\n    ports: ["6379:6379"]\n', 'services:\n  a:\n    image: redis:7\n    ports: ["127.0.0.1:6379:6379"]\n'),
    Twin("deploy.yaml", "excessive_permission", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: a:1\n    securityContext:\n      privileged: true\n", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: a:1\n    securityContext:\n      runAsNonRoot: true\n      allowPrivilegeEscalation: false\n"),
    Twin("main.tf", "exposed_service", 'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n', 'resource "aws_security_group" "a" {\n  ingress {\n    from_port = 22\n    to_port = 22\n    cidr_blocks = ["10.0.0.0/8"]\n  }\n  egress {\n    cidr_blocks = ["0.0.0.0/0"]\n  }\n}\n'),
    Twin("app.yaml", "disabled_verification", "http:\n  verify_tls: false\n", "http:\n  verify_tls: true\n"),
    Twin("app.toml", "insecure_setting", 'environment = "production"\ndebug = true\n', 'environment = "production"\ndebug = false\n'),
    Twin("app.json", "exposed_service", '{"cors": {"allowed_origins": "*"}}\n', '{"cors": {"allowed_origins": "https://a.example"}}\n'),
    Twin(".github/workflows/a.yml", "injection", 'jobs:\n  a:\n    runs-on: x\n    steps:\n    - run: echo "${{ github.event.issue.title }}"\n', 'jobs:\n  a:\n    runs-on: x\n    steps:\n    - run: echo "$TITLE"\n      env:\n        TITLE: ${{ github.event.issue.title }}\n'),
    Twin("policy.json", "excessive_permission", '{"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "arn:a"}]}\n', '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:a"}]}\n'),
    Twin("nginx.conf", "weak_crypto", "server {\n  ssl_protocols TLSv1 TLSv1.2;\n}\n", "server {\n  ssl_protocols TLSv1.2 TLSv1.3;\n}\n"),
]  # fmt: skip
TWINS = [*PYTHON, *SCRIPT, *JAVA, *GO, *RUBY, *PHP, *CSHARP, *OTHERS, *SETTINGS]
