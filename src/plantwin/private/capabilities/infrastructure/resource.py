"""One declared resource of a cloud, in one spelling for Terraform and CloudFormation."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.hcl_tree import Block
from plantwin.private.capabilities.placed.json_tree import scan
from plantwin.private.capabilities.placed.node import EXPRESSION, LIST, MAP, NULL, Node

DEPTH = 30
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TYPES = {
    "AWS::RDS::DBInstance": "aws_db_instance", "AWS::RDS::DBCluster": "aws_rds_cluster", "AWS::S3::Bucket": "aws_s3_bucket",
    "AWS::S3::BucketPolicy": "aws_s3_bucket_policy", "AWS::EC2::SecurityGroup": "aws_security_group",
    "AWS::EC2::SecurityGroupIngress": "aws_vpc_security_group_ingress_rule", "AWS::EC2::Instance": "aws_instance",
    "AWS::EC2::Volume": "aws_ebs_volume", "AWS::EFS::FileSystem": "aws_efs_file_system", "AWS::IAM::Policy": "aws_iam_policy",
    "AWS::IAM::ManagedPolicy": "aws_iam_policy", "AWS::IAM::Role": "aws_iam_role", "AWS::IAM::User": "aws_iam_user",
    "AWS::KMS::Key": "aws_kms_key", "AWS::CloudTrail::Trail": "aws_cloudtrail", "AWS::Redshift::Cluster": "aws_redshift_cluster",
    "AWS::ElastiCache::ReplicationGroup": "aws_elasticache_replication_group", "AWS::DynamoDB::Table": "aws_dynamodb_table",
    "AWS::ElasticLoadBalancingV2::Listener": "aws_lb_listener", "AWS::ECR::Repository": "aws_ecr_repository",
    "AWS::EKS::Cluster": "aws_eks_cluster", "AWS::CloudFront::Distribution": "aws_cloudfront_distribution",
    "AWS::SQS::Queue": "aws_sqs_queue", "AWS::SNS::Topic": "aws_sns_topic", "AWS::EC2::VPC": "aws_vpc",
    "AWS::EC2::FlowLog": "aws_flow_log", "AWS::Lambda::Function": "aws_lambda_function",
}  # fmt: skip
_RENAMED = {
    "d_b_instance_identifier": "identifier", "multi_a_z": "multi_az", "enable_i_a_m": "enable_iam", "k_m_s_key_id": "kms_key_id",
    "cidr_ip": "cidr_ipv4", "cidr_ipv6": "cidr_ipv6", "master_user_password": "master_password",
    "security_group_ingress": "ingress", "access_control": "acl", "public_access_block_configuration": "public_access_block",
    "policy_document": "policy",
}  # fmt: skip


@dataclass(slots=True, repr=False)
class Resource:
    """One resource."""

    type: str
    name: str
    line: int
    node: Node
    document: Document
    data: bool = False
    """Whether it is only looked up."""
    formation: bool = False
    """Whether it is of CloudFormation."""

    def __repr__(self) -> str:
        return "<Resource private>"

    @property
    def place(self) -> str:
        """How a message names it."""
        return f"`{self.type}.{self.name}`"


def of_blocks(top: Block, document: Document) -> Iterator[Resource]:
    """The resources of a Terraform file."""
    for each in top.blocks:
        if each.type in ("resource", "data") and len(each.labels) == 2:
            yield Resource(each.labels[0], each.labels[1], each.line, _node(each), document, data=each.type == "data")
        elif each.type in ("module", "provider", "terraform"):
            yield Resource(each.type, ".".join(each.labels), each.line, _node(each), document)


def _node(block: Block, depth: int = 0) -> Node:
    made = Node(MAP, block.line)
    for key, value in block.attributes.items():
        made.map[key] = value
        made.lines[key] = value.line
    for each in block.blocks if depth < DEPTH else []:
        name, inner = each.type, each
        if name == "dynamic" and each.labels:
            name = each.labels[0]
            inner = next((below for below in each.blocks if below.type == "content"), each)
        holder = made.map.setdefault(name, Node(LIST, each.line))
        made.lines.setdefault(name, each.line)
        if holder.kind == LIST:
            holder.items.append(_node(inner, depth + 1))
    return made


def is_formation(document: Document) -> bool:
    """Whether it is a template of CloudFormation."""
    resources = document.root.at("Resources")
    return resources is not None and any(
        each.value("Type").startswith(("AWS::", "Custom::")) for each in resources.map.values()
    )


def of_formation(document: Document) -> Iterator[Resource]:
    """The resources of a CloudFormation template, in the spelling of Terraform."""
    resources = document.root.at("Resources")
    for name, each in resources.map.items() if resources is not None else ():
        kind = each.value("Type")
        known = _TYPES.get(kind)
        properties = each.at("Properties")
        node = _snaked(properties, 0) if properties is not None else Node(MAP, each.line)
        if "DeletionPolicy" in each.map:
            node.map["deletion_policy"] = each.map["DeletionPolicy"]
        if resources is not None:
            yield Resource(known or kind, name, resources.line_of(name), node, document, formation=True)


def _snaked(node: Node, depth: int) -> Node:
    if depth > DEPTH:
        return node
    if node.kind == LIST:
        return Node(LIST, node.line, items=[_snaked(each, depth + 1) for each in node.items])
    if node.kind != MAP:
        return node
    if node.tag or any(key == "Ref" or key.startswith("Fn::") for key in node.map):
        return Node(EXPRESSION, node.line, "expression")
    made = Node(MAP, node.line)
    for key, value in node.map.items():
        if key in ("PolicyDocument", "AssumeRolePolicyDocument"):
            made.map["policy" if key == "PolicyDocument" else "assume_role_policy"] = value
            made.lines["policy"] = node.line_of(key)
            continue
        plain = _CAMEL.sub("_", key.replace("DB", "Db").replace("KMS", "Kms").replace("AZ", "Az")).lower()
        plain = _RENAMED.get(plain, plain)
        made.map[plain] = _snaked(value, depth + 1)
        made.lines[plain] = node.line_of(key)
    return made


def policy_of(node: Node | None) -> Node | None:
    """A permission policy, written out or as text in JSON."""
    if node is None or node.kind in (MAP, NULL):
        return node if node is not None and node.kind == MAP else None
    text = node.text.strip()
    if node.kind == LIST or not text.startswith("{") or len(text) > 200_000:
        return None
    text = re.sub(r"\$\{[^{}\"]{0,300}\}", "expression", text)
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    root = scan(text)
    if root is not None:
        _shift(root, node.line)
    return root


def _shift(root: Node, by: int) -> None:
    stack = [root]
    while stack:
        each = stack.pop()
        each.line += by
        each.lines = {key: line + by for key, line in each.lines.items()}
        stack += [*each.map.values(), *each.items]
