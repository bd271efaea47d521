"""Outlines of Go, Java, Kotlin, Scala, Rust, C, C++ and C#."""

from __future__ import annotations

from plantwin.private.extract.languages import outline_code
from plantwin.private.facts import Outline


def targets(outline: Outline, how: str) -> list[str]:
    return [each.target for each in outline.references if each.how == how]


def provided(outline: Outline) -> list[tuple[str, str]]:
    return [tuple(each) for each in outline.provides]


def test_go() -> None:
    source = b"""// Package x. import "fake"
package main

import (
	"fmt"
	"net/http"
	jwt "github.com/golang-jwt/jwt/v5"
	"example.com/shop/internal/auth" // import "no"
	_ "github.com/lib/pq"
)
import "os"

const MaxItems = 3

type Store interface { Get(id int) error }
type Server struct { ID int `gorm:"primaryKey"` }
type ID int

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	if err != nil { log.Printf("x") }
	rows, err := db.Query("SELECT a FROM items WHERE b = $1")
	tok := jwt.NewWithClaims(a, b)
}

var s = `import "fake2"
func fake() {}`

func TestX(t *testing.T) { t.Run("a", nil); t.Fatal("x") }

func main() {
	http.HandleFunc("/x", handle)
	http.ListenAndServe(":80", nil)
	go func() {}()
	x := os.Getenv("X")
}
"""
    outline = outline_code("go", source, "cmd/main.go")
    assert outline.parsed
    assert targets(outline, "go") == [
        "fmt",
        "net/http",
        "github.com/golang-jwt/jwt/v5",
        "example.com/shop/internal/auth",
        "github.com/lib/pq",
        "os",
    ]
    assert targets(outline, "table") == ["items"]
    assert provided(outline) == [("go", "main")]
    assert set(outline.names) == {"handle", "TestX", "main", "Get", "MaxItems", "Store", "Server", "ID"}
    features = outline.features
    assert features["main_guard"] == 1
    assert features["http_server"] == 1
    assert features["route"] == 2
    assert features["auth_call"] == 2
    assert features["error_handler"] == 1
    assert features["abstract"] == 1
    assert features["orm_model"] == 1
    assert features["concurrency"] == 1


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


def test_java() -> None:
    outline = outline_code("java", JAVA, "src/main/java/com/acme/shop/web/UserController.java")
    assert outline.parsed
    assert targets(outline, "jvm") == [
        "java.util.List",
        "org.junit.Assert.assertEquals",
        "org.springframework.web.bind.annotation.*",
        "com.acme.shop.service.UserService",
    ]
    assert provided(outline) == [("jvm", "com.acme.shop.web")]
    assert set(outline.names) == {"get", "main", "UserController", "User", "Repo", "Kind"}
    features = outline.features
    assert features["route"] == 3
    assert features["orm_model"] == 2
    assert features["main_guard"] == 1
    assert features["http_server"] == 1
    assert features["log_call"] == 1
    assert features["error_handler"] == 1


def test_java_behind_the_head() -> None:
    """Line rules find what the tree finds."""
    filler = b"// filler line\n" * 400
    outline = outline_code("java", filler + JAVA, "UserController.java")
    assert len(targets(outline, "jvm")) == 4
    assert provided(outline) == [("jvm", "com.acme.shop.web")]
    assert {"get", "main", "UserController", "User", "Repo", "Kind"} <= set(outline.names)


def test_kotlin() -> None:
    source = b"""package com.acme.shop

import com.acme.core.Thing as T
import org.junit.jupiter.api.Test
import io.ktor.server.application.*

@Entity
data class User(val id: Int) : Base(), Shape

interface Repo {
    fun find(id: Int): User
}

object Single

class XTest {
    @Test
    fun `it works`() {
        assertEquals(1, 1)
    }
}

fun main() {
    println("import fake.Thing")
}
"""
    outline = outline_code("kotlin", source, "src/App.kt")
    assert outline.parsed
    assert targets(outline, "jvm") == [
        "com.acme.core.Thing",
        "org.junit.jupiter.api.Test",
        "io.ktor.server.application.*",
    ]
    assert provided(outline) == [("jvm", "com.acme.shop")]
    assert set(outline.names) == {"find", "it works", "main", "User", "Single", "XTest", "Repo"}
    assert outline.features["test_function"] == 2
    assert outline.features["main_guard"] == 1
    assert outline.features["abstract"] == 1
    assert outline.features["type_only"] == 1


def test_scala() -> None:
    source = b"""package com.acme.jobs
import org.apache.spark.sql.{SparkSession, DataFrame => DF}
import scala.concurrent._
import a.b.C, d.e.F
trait Shape { def area: Double }
case class P(x: Int) extends Shape
object Main extends App {
  def run(x: Int): Int = { val df = spark.read.parquet("data/in.parquet"); x }
}
"""
    outline = outline_code("scala", source, "Main.scala")
    assert outline.parsed
    assert targets(outline, "jvm") == [
        "org.apache.spark.sql.SparkSession",
        "org.apache.spark.sql.DataFrame",
        "scala.concurrent.*",
        "a.b.C",
        "d.e.F",
    ]
    assert ("path", "data/in.parquet", "reads") in outline.references
    assert set(outline.names) == {"area", "run", "Shape", "P", "Main"}
    assert outline.features["main_guard"] == 1


def test_rust() -> None:
    source = b"""//! use fake::doc;
use std::collections::HashMap;
use crate::auth::{self, tokens::{issue, verify as v}};
use super::db;
use axum::{routing::get, Router};
pub use self::inner::Thing;
mod handlers;
pub mod inner { }
/// use fake2::x;
#[derive(Debug, Queryable)]
pub struct User { id: i32 }
pub trait Store { fn fetch(&self) -> i32; }
pub enum Kind { A }
const MAX_LEN: usize = 3;
impl Store for User { fn fetch(&self) -> i32 { 'a'; "use fake3::y;"; 1 } }
#[tokio::main]
async fn main() -> Result<(), E> {
    println!("x");
    sqlx::query("SELECT 1 FROM t");
    std::env::var("X");
    Ok(())
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() { assert_eq!(1, 1); }
}
fn life<'a>(x: &'a str) -> &'a str { x }
"""
    outline = outline_code("rust", source, "src/main.rs")
    assert outline.parsed
    assert sorted(targets(outline, "rust")) == sorted(
        [
            "std::collections::HashMap",
            "crate::auth",
            "crate::auth::tokens::issue",
            "crate::auth::tokens::verify",
            "super::db",
            "axum::routing::get",
            "axum::Router",
            "self::inner::Thing",
            "super::*",
            "mod:handlers",
        ]
    )
    assert {"User", "Store", "Kind", "MAX_LEN", "main", "works", "life", "fetch"} <= set(outline.names)
    features = outline.features
    assert features["reexport"] == 1
    assert features["orm_model"] == 1
    assert features["test_function"] == 1
    assert features["assertion"] == 1
    assert features["print_call"] == 1
    assert features["main_guard"] == 1


def test_c() -> None:
    source = rb"""/* #include "fake.h" */
#include <stdio.h>
#include "auth/login.h"
#  include <openssl/md5.h>
#define MAX_USERS 10
#define SQ(x) ((x)*(x))
typedef struct user { int id; } user_t;
enum color { RED };
static int check(const char *p) { strcpy(a, p); return 0; }
char *name(void) { printf("#include \"fake2.h\""); return 0; }
int main(int argc, char **argv) { check(argv[1]); return 0; }
#if 0
#endif
"""
    outline = outline_code("c", source, "src/main.c")
    assert outline.parsed
    assert targets(outline, "c") == ["auth/login.h"]
    assert targets(outline, "c_system") == ["stdio.h", "openssl/md5.h"]
    assert set(outline.names) == {"check", "name", "main", "SQ", "MAX_USERS", "user", "user_t", "color"}
    features = outline.features
    assert features["weak_crypto"] == 1
    assert features["insecure_call"] == 1
    assert features["dead_code"] == 1
    assert features["main_guard"] == 1
    assert features["threshold"] == 1


def test_c_behind_the_head() -> None:
    source = b"int value;\n" * 400 + (
        b'#include "late.h"\nstruct thing {\n};\n'
        b"static int run(const char *a,\n    int (*f)(int))\n{\n  return f(1);\n}\n"
    )
    outline = outline_code("c", source, "a.c")
    assert targets(outline, "c") == ["late.h"]
    assert set(outline.names) == {"thing", "run"}


def test_cpp() -> None:
    source = b"""#include "store.hpp"
#include <thread>
namespace shop {
class Store : public Base, private Other {
 public:
  virtual void run() = 0;
  int get() const { return 1; }
};
int Store::size() { try { std::thread t(f); } catch (...) {} return 0; }
template <typename T> T add(T a) { return a; }
}
TEST(StoreTest, Works) { EXPECT_EQ(1, 1); }
"""
    outline = outline_code("cpp", source, "src/store.cpp")
    assert outline.parsed
    assert targets(outline, "c") == ["store.hpp"]
    assert targets(outline, "c_system") == ["thread"]
    assert set(outline.names) == {"get", "size", "add", "shop", "Store"}
    assert outline.features["test_function"] == 1
    assert outline.features["assertion"] == 1
    assert outline.features["concurrency"] == 2


def test_csharp() -> None:
    source = b"""using System;
using Microsoft.AspNetCore.Mvc;
using Svc = Acme.Shop.Services;
// using Fake.Ns;
namespace Acme.Shop.Web
{
    [ApiController]
    [Route("users")]
    public class UsersController : ControllerBase
    {
        public UsersController(IRepo r) { _repo = r; }
        [HttpGet("{id}")]
        [Authorize]
        public async Task<User> Get(int id)
        {
            try { return await _repo.FindAsync(id); } catch { _logger.LogError("using Fake.Two;"); throw; }
        }
        static void Main(string[] args) { Console.WriteLine("x"); }
    }
    public interface IRepo { Task<User> FindAsync(int id); }
    public record Point(int X, int Y);
    public enum Kind { A }
}
"""
    outline = outline_code("csharp", source, "Web/UsersController.cs")
    assert outline.parsed
    assert targets(outline, "csharp") == ["System", "Microsoft.AspNetCore.Mvc", "Acme.Shop.Services"]
    assert provided(outline) == [("csharp", "Acme.Shop.Web")]
    assert set(outline.names) == {"Get", "Main", "FindAsync", "UsersController", "Point", "IRepo", "Kind"}
    features = outline.features
    assert features["route"] == 4
    assert features["auth_call"] == 1
    assert features["log_call"] == 1
    assert features["main_guard"] == 1
