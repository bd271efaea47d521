"""Declared infrastructure with known risks, and safe twins."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, given
from named_rules import checked, found, rules

GROUP = 'resource "aws_security_group" "g" {{\n  ingress {{\n    from_port = {0}\n    to_port = {1}\n    protocol = "tcp"\n    cidr_blocks = ["{2}"]\n  }}\n  egress {{\n    from_port = 0\n    to_port = 0\n    protocol = "-1"\n    cidr_blocks = ["0.0.0.0/0"]\n  }}\n}}\n'
SAFE_DATABASE = 'resource "aws_db_instance" "d" {\n  storage_encrypted = true\n  publicly_accessible = false\n  backup_retention_period = 14\n  deletion_protection = true\n  engine = "postgres"\n  engine_version = "16.3"\n  password = var.password\n}\n'
SAFE_POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      securityContext: {runAsNonRoot: true}
      containers:
        - name: web
          image: registry.example.org/web:1.2.3
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}
          env:
            - {name: DB_PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}
            - {name: TOKEN_TTL, value: "3600"}
          resources: {limits: {memory: 128Mi}}
          readinessProbe: {httpGet: {path: /, port: 80}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec: {podSelector: {}}
"""
POD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      hostNetwork: true
      hostPID: true
      volumes:
        - {name: sock, hostPath: {path: /var/run/docker.sock}}
        - {name: logs, hostPath: {path: /srv/logs}}
      containers:
        - name: web
          image: web
          securityContext: {privileged: true, runAsUser: 0, capabilities: {add: [SYS_ADMIN]}}
          env:
            - {name: API_TOKEN, value: Quiet-Meadow-73-Lamp}
          ports: [{containerPort: 80, hostPort: 80}]
"""
COMPOSE = """\
services:
  web:
    image: example/web
    privileged: true
    network_mode: host
    volumes: ["/var/run/docker.sock:/var/run/docker.sock", "/etc:/host"]
    cap_add: [SYS_ADMIN]
  db:
    image: postgres:16
    ports: ["5432:5432"]
    environment:
      - POSTGRES_HOST_AUTH_METHOD=trust
"""


@pytest.mark.parametrize(
    ("text", "line", "rule", "severity"),
    [
        (GROUP.format(22, 22, "0.0.0.0/0"), 6, "CIS-AWS 5.2", "high"),
        (GROUP.format(0, 65535, "0.0.0.0/0"), 6, "CIS-AWS 5.2", "critical"),
        (GROUP.format(443, 443, "0.0.0.0/0"), 6, "open-web", "low"),
        ('resource "aws_security_group_rule" "r" {\n  type = "ingress"\n  from_port = 3389\n  to_port = 3389\n  protocol = "tcp"\n  ipv6_cidr_blocks = ["::/0"]\n}\n', 6, "CIS-AWS 5.2", "high"),
        ('resource "aws_db_instance" "d" {\n  password = "Plain-Walnut-9-Tree"\n}\n', 2, "secret in code", "high"),
        ('resource "aws_db_instance" "d" {\n}\n', 1, "CIS-AWS 2.3.1", "medium"),
        ('resource "aws_db_instance" "d" {\n  publicly_accessible = true\n}\n', 2, "CIS-AWS 2.3.3", "high"),
        ('resource "aws_s3_bucket" "b" {\n  acl = "public-read"\n}\n', 2, "CIS-AWS 2.1.4", "high"),
        ('resource "aws_s3_bucket_public_access_block" "b" {\n  block_public_acls = false\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n', 2, "CIS-AWS 2.1.4", "high"),
        ('resource "aws_iam_policy" "p" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = "Allow"\n      Action = "*"\n      Resource = "*"\n    }]\n  })\n}\n', 5, "CIS-AWS 1.16", "critical"),
        ('resource "aws_iam_policy" "p" {\n  policy = <<EOF\n{"Statement": [{"Effect": "Allow",\n  "Action": ["*"], "Resource": "${aws_x.y.arn}"}]}\nEOF\n}\n', 4, "CIS-AWS 1.16", "high"),
        ('data "aws_iam_policy_document" "p" {\n  statement {\n    actions = ["*"]\n    resources = ["*"]\n  }\n}\n', 3, "CIS-AWS 1.16", "critical"),
        ('resource "aws_s3_bucket_policy" "p" {\n  policy = jsonencode({\n    Statement = [{\n      Effect = "Allow"\n      Principal = "*"\n      Action = "s3:GetObject"\n    }]\n  })\n}\n', 5, "public principal", "high"),
        ('resource "aws_instance" "i" {\n  metadata_options {\n    http_tokens = "optional"\n  }\n}\n', 3, "CIS-AWS 5.6 IMDSv2", "medium"),
        ('resource "aws_lb_listener" "l" {\n  protocol = "HTTP"\n  default_action {\n    type = "forward"\n  }\n}\n', 2, "ELB.1", "medium"),
        ('resource "google_storage_bucket_iam_member" "m" {\n  role = "roles/storage.objectViewer"\n  member = "allUsers"\n}\n', 1, "CIS-GCP 5.1", "high"),
        ('resource "google_compute_firewall" "f" {\n  source_ranges = ["0.0.0.0/0"]\n  allow {\n    protocol = "tcp"\n    ports = ["22"]\n  }\n}\n', 2, "CIS-AWS 5.2", "high"),
        ('resource "azurerm_network_security_rule" "r" {\n  direction = "Inbound"\n  access = "Allow"\n  destination_port_range = "3389"\n  source_address_prefix = "*"\n}\n', 5, "CIS-AWS 5.2", "high"),
        ('module "m" {\n  source = "git::https://example.org/m.git"\n}\n', 2, "module version", "low"),
    ],
)  # fmt: skip
def test_terraform(run: Run, text: str, line: int, rule: str, severity: str) -> None:
    result = checked("audit_infrastructure", run("audit_infrastructure", given("main.tf", text)))
    assert (line, rule, severity) in {
        (each.line, each.message.rpartition("[")[2].rstrip("]"), each.severity) for each in result.findings
    }


@pytest.mark.parametrize(
    "text",
    [
        GROUP.format(22, 22, "10.0.0.0/8"),
        SAFE_DATABASE,
        'resource "aws_db_instance" "d" {\n  storage_encrypted = var.encrypted\n  backup_retention_period = var.days\n  deletion_protection = var.protect\n}\n',
        'resource "aws_s3_bucket" "b" {\n  bucket = "x"\n}\nresource "aws_s3_bucket_public_access_block" "b" {\n  bucket = aws_s3_bucket.b.id\n  block_public_acls = true\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n',
        'resource "aws_iam_policy" "p" {\n  policy = jsonencode({\n    Statement = [{ Effect = "Deny", Action = "*", Resource = "*" }, { Effect = "Allow", Action = ["s3:GetObject"], Resource = "arn:aws:s3:::b/*" }]\n  })\n}\n',
        'resource "aws_lb_listener" "l" {\n  protocol = "HTTP"\n  default_action {\n    type = "redirect"\n  }\n}\n',
        'data "aws_db_instance" "d" {\n  db_instance_identifier = "x"\n}\n',
    ],
)  # fmt: skip
def test_safe_terraform_is_left_alone(run: Run, text: str) -> None:
    result = checked("audit_infrastructure", run("audit_infrastructure", given("main.tf", text)))
    assert rules(result, least="medium") == set()


def test_files_of_a_module_are_seen_together(run: Run) -> None:
    bucket = given("bucket.tf", 'resource "aws_s3_bucket" "b" {\n  bucket = "x"\n}\n')
    block = given("block.tf", 'resource "aws_s3_bucket_public_access_block" "b" {\n  bucket = aws_s3_bucket.b.id\n  block_public_acls = true\n  block_public_policy = true\n  ignore_public_acls = true\n  restrict_public_buckets = true\n}\n')  # fmt: skip
    assert "CIS-AWS 2.1.4" in rules(run("audit_infrastructure", bucket))
    assert "CIS-AWS 2.1.4" not in rules(run("audit_infrastructure", bucket, block))


def test_cloudformation(run: Run) -> None:
    text = "Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      PubliclyAccessible: true\n      StorageEncrypted: !Ref Encrypt\n      MasterUserPassword: Plain-Walnut-9-Tree\n      BackupRetentionPeriod: 7\n  Open:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n        - {IpProtocol: tcp, FromPort: 5432, ToPort: 5432, CidrIp: 0.0.0.0/0}\n  Role:\n    Type: AWS::IAM::Role\n    Properties:\n      Policies:\n        - PolicyDocument:\n            Statement:\n              - Effect: Allow\n                Action: '*'\n                Resource: '*'\n"
    result = checked("audit_infrastructure", run("audit_infrastructure", given("stack.yaml", text)))
    assert found(result, least="high") == {
        (5, "CIS-AWS 2.3.3"),
        (7, "secret in code"),
        (13, "CIS-AWS 5.2"),
        (21, "CIS-AWS 1.16"),
    }
    assert "CIS-AWS 2.3.1" not in rules(result)


def test_kubernetes(run: Run) -> None:
    result = checked("audit_infrastructure", run("audit_infrastructure", given("web.yaml", POD)))
    assert found(result) >= {
        (7, "CIS-K8s 5.2.5"),
        (8, "CIS-K8s 5.2.3"),
        (10, "CIS-K8s 5.2.12"),
        (11, "CIS-K8s 5.2.12"),
        (14, "image tag"),
        (15, "CIS-K8s 5.2.2"),
        (15, "CIS-K8s 5.2.7"),
        (15, "CIS-K8s 5.2.9"),
        (17, "CIS-K8s 5.4.1"),
        (18, "CIS-K8s 5.2.13"),
        (13, "resource limits"),
        (13, "probes"),
        (2, "CIS-K8s 5.3.2"),
    }
    assert "Meadow" not in result.text
    assert result.outcome["severity"] == "critical"
    assert found(run("audit_infrastructure", given("web.yaml", SAFE_POD))) == set()


def test_rights_in_a_cluster(run: Run) -> None:
    text = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules:\n  - {apiGroups: ['*'], resources: ['*'], verbs: ['*']}\n  - {apiGroups: [''], resources: [secrets], verbs: [get, list]}\n  - {apiGroups: [''], resources: [pods], verbs: [get]}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: cluster-admin}\n"
    assert found(run("audit_infrastructure", given("r.yaml", text))) == {
        (5, "CIS-K8s 5.1.3"),
        (6, "CIS-K8s 5.1.2"),
        (12, "CIS-K8s 5.1.1"),
    }


def test_compose(run: Run) -> None:
    result = checked("audit_infrastructure", run("audit_infrastructure", given("compose.yaml", COMPOSE)))
    assert found(result, least="medium") == {
        (3, "image tag"),
        (4, "CIS-Docker 5.4"),
        (5, "CIS-Docker 5.9"),
        (6, "CIS-Docker 5.31"),
        (6, "CIS-Docker 5.5"),
        (7, "CIS-Docker 5.3"),
        (10, "CIS-Docker 5.13"),
        (12, "empty password"),
    }
    safe = "services:\n  db:\n    image: postgres:16\n    ports: ['127.0.0.1:5432:5432']\n    environment: {POSTGRES_PASSWORD: '${DB_PASSWORD}', POSTGRES_PASSWORD_FILE: /run/secrets/p}\n    mem_limit: 1g\n    healthcheck: {test: [CMD, pg_isready]}\n"
    assert found(run("audit_infrastructure", given("compose.yaml", safe))) == set()


def test_images(run: Run) -> None:
    text = "FROM python:latest\nADD https://example.org/a.tgz /a\nRUN curl -sSL https://example.org/i.sh | sudo bash\nENV API_TOKEN=Quiet-Meadow-73\nCOPY .env /app/\nRUN chmod -R 777 /app && echo 'app ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers\nRUN wget --no-check-certificate https://x\n"
    result = checked("audit_infrastructure", run("audit_infrastructure", given("Dockerfile", text)))
    assert found(result) == {
        (1, "image tag"),
        (1, "CIS-Docker 4.1"),
        (2, "CIS-Docker 4.9"),
        (3, "curl | sh"),
        (4, "CIS-Docker 4.10"),
        (5, "CIS-Docker 4.10"),
        (6, "chmod 777"),
        (6, "sudo NOPASSWD"),
        (7, "unverified download"),
    }
    safe = "FROM python:3.12-slim AS build\nRUN curl -fsSL https://example.org/a -o a && sha256sum -c a.sum\nFROM python:3.12-slim\nCOPY --from=build /a /a\nHEALTHCHECK CMD a\nEXPOSE 8000\nUSER app\n"
    assert found(run("audit_infrastructure", given("Dockerfile", safe))) == set()


def test_ansible(run: Run) -> None:
    text = "- hosts: web\n  tasks:\n    - name: a\n      ansible.builtin.get_url:\n        url: http://example.org/a\n        dest: /a\n        validate_certs: no\n    - shell: curl https://example.org/i.sh | sh\n    - copy: {dest: /etc/sudoers.d/a, content: 'a ALL=(ALL) NOPASSWD: ALL', mode: '0777'}\n    - apt: {name: nginx, state: latest}\n    - block:\n        - user: {name: a, password: 'Plain-Walnut-9'}\n"
    result = checked("audit_infrastructure", run("audit_infrastructure", given("site.yml", text)))
    assert found(result) >= {
        (4, "unverified download"),
        (7, "unverified download"),
        (8, "curl | sh"),
        (9, "sudo NOPASSWD"),
        (9, "chmod 777"),
        (10, "package version"),
        (12, "secret in code"),
        (12, "no_log"),
    }


def test_nginx(run: Run) -> None:
    text = "server {\n  listen 443 ssl;\n  ssl_protocols TLSv1 TLSv1.2;\n  server_tokens on;\n  location /files {\n    alias /srv/files/;\n    autoindex on;\n  }\n  location /p { proxy_pass http://$arg_host; }\n}\n"
    result = checked("audit_infrastructure", run("audit_infrastructure", given("nginx.conf", text)))
    assert found(result) == {
        (1, "CIS-nginx 4.1.8"),
        (3, "server setting"),
        (4, "CIS-nginx 2.5.1"),
        (5, "nginx alias"),
        (7, "server setting"),
        (9, "nginx proxy"),
    }
    safe = "server {\n  listen 80;\n  return 301 https://$host$request_uri;\n}\nserver {\n  listen 443 ssl;\n  ssl_protocols TLSv1.2 TLSv1.3;\n  add_header Strict-Transport-Security max-age=1;\n  location /files/ { alias /srv/files/; }\n}\n"
    assert found(run("audit_infrastructure", given("nginx.conf", safe))) == set()


def test_the_shop(run: Run) -> None:
    result = checked(
        "audit_infrastructure", run("audit_infrastructure", "infra/main.tf", "docker-compose.yml", "Dockerfile")
    )
    assert found(result, least="high") == {(17, "CIS-Docker secrets"), (20, "CIS-AWS 2.3.3"), (34, "CIS-AWS 5.2")}
    assert {(18, "CIS-AWS 2.3.1"), (13, "end of life"), (24, "CIS-AWS 2.1.4")} <= found(result, least="medium")
    assert result.outcome["status"] == "done"


def test_what_declares_nothing_fails_with_a_word(run: Run) -> None:
    result = checked("audit_infrastructure", run("audit_infrastructure", given("a.yaml", "a: 1\n")))
    assert result.outcome == {"status": "failed", "tags": ["unparsable"]}


def test_a_broken_file_is_audited_as_far_as_it_goes(run: Run) -> None:
    result = checked(
        "audit_infrastructure",
        run(
            "audit_infrastructure",
            given(
                "main.tf", SAFE_DATABASE + 'resource "aws_db_instance" "e" {\n  publicly_accessible = true\n  x = = 1\n'
            ),
        ),
    )
    assert result.outcome["status"] == "partial"
    assert "unparsable" in result.outcome["tags"]  # type: ignore[operator]
