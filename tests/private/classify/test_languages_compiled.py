"""Outlines of Go, Java, Kotlin, Scala, Rust, C, C++ and C#."""

from __future__ import annotations

from plantwin.private.classify.languages import outline_code
from plantwin.private.facts import Outline


def targets(outline: Outline, how: str) -> list[str]:
    return [each.target for each in outline.references if each.how == how]


def provided(outline: Outline) -> list[tuple[str, str]]:
    return [tuple(each) for each in outline.provides]


def test_go_behind_the_head() -> None:
    filler = b"".join(b"var value%d = %d\n" % (number, number) for number in range(400))
    source = b"package a\n" + filler + b"type T struct {\n}\nfunc (t *T) Run() {\n}\nfunc Free(x int) int {\n}\n"
    outline = outline_code("go", source, "a.go")
    assert outline.names == ["Run", "Free", "T"]


JAVA = b"""package com.acme.shop.web;

import java.util.List;
import static org.junit.Assert.assertEquals;
import org.springframework.web.bind.annotation.*;
import com.acme.shop.service.UserService;
// import fake.Thing;
/** import fake.Doc; */
@RestController
@RequestMapping("/users")
public class UserController extends Base implements Shape {
  private final UserService service;

  public UserController(UserService s) {
    this.service = s;
  }

  @GetMapping("/{id}")
  public User get(@PathVariable Long id) {
    try { return service.find(id); } catch (Exception e) { log.error("x", e); }
  }

  public static void main(String[] args) {
    SpringApplication.run(App.class);
  }
  String q = "import fake.Str;";
}
interface Repo extends JpaRepository<User, Long> {}
enum Kind { A, B }
@Entity class User { @Id Long id; }
"""


def test_java_behind_the_head() -> None:
    """Line rules find what the tree finds."""
    filler = b"// filler line\n" * 400
    outline = outline_code("java", filler + JAVA, "UserController.java")
    assert len(targets(outline, "jvm")) == 4
    assert provided(outline) == [("jvm", "com.acme.shop.web")]
    assert {"get", "main", "UserController", "User", "Repo", "Kind"} <= set(outline.names)


def test_c_behind_the_head() -> None:
    source = b"int value;\n" * 400 + (
        b'#include "late.h"\nstruct thing {\n};\n'
        b"static int run(const char *a,\n    int (*f)(int))\n{\n  return f(1);\n}\n"
    )
    outline = outline_code("c", source, "a.c")
    assert targets(outline, "c") == ["late.h"]
    assert set(outline.names) == {"thing", "run"}
