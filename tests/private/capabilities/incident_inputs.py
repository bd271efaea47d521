"""Logs and stack traces as programs of many languages write them, with made-up names."""

from __future__ import annotations

from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.job import Input, Job, Link, Neighbour, Result, Surroundings
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Findings, Severity, StepStatus

PYTHON = """2024-03-01 10:00:00,120 ERROR store.api request failed
Traceback (most recent call last):
  File "/srv/store/store/api.py", line 41, in buy
    return basket.total(order)
  File "/srv/store/store/basket.py", line 12, in total
    return sum(line.price for line in order.lines)
  File "/usr/lib/python3.11/decimal.py", line 3, in add
KeyError: 'price'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/store/store/server.py", line 9, in handle
    buy(request)
store.errors.CheckoutError: no price
2024-03-01 10:00:01,120 INFO store.api next request
"""
JAVA = """2024-03-01 10:00:00,120 ERROR [http-nio-8080-exec-1] com.acorn.store.CartController - failed
java.lang.IllegalStateException: cart is broken
\tat com.acorn.store.CartController.add(CartController.java:55)
\tat org.springframework.web.Servlet.service(Servlet.java:900)
Caused by: java.sql.SQLTimeoutException: statement timed out
\tat org.postgresql.Driver.execute(Driver.java:10)
\tat com.acorn.store.CartRepository.save(CartRepository.java:31)
\t... 12 more
"""
NODE = """2024-03-01T10:00:00.120Z error: unhandled
TypeError: Cannot read properties of undefined (reading 'id')
    at render (/srv/web/src/cart.js:22:15)
    at async Server.<anonymous> (/srv/web/node_modules/express/lib/router.js:9:3)
    at node:internal/process/task_queues:95:5
"""
GO = """2024/03/01 10:00:00 http: panic serving 192.0.2.4:5000
panic: runtime error: index out of range [3] with length 3

goroutine 18 [running]:
main.(*Cart).Line(...)
\t/go/src/acorn/store/cart.go:77 +0x1d
net/http.HandlerFunc.ServeHTTP(0xc0000)
\t/usr/local/go/src/net/http/server.go:2136 +0x29
"""
RUBY = """E, [2024-03-01T10:00:00.120456 #77] ERROR -- : request failed
NoMethodError (undefined method `price' for nil:NilClass):
app/models/cart.rb:14:in `total'
app/controllers/carts_controller.rb:9:in `show'
/usr/local/bundle/gems/actionpack-7.0/lib/router.rb:3:in `call'
"""
CSHARP = """2024-03-01 10:00:00.120 [ERR] Acorn.Store request failed
System.NullReferenceException: Object reference not set to an instance of an object.
   at Acorn.Store.Cart.Total(Order order) in C:\\src\\Store\\Cart.cs:line 88
   at Microsoft.AspNetCore.Mvc.Invoke(Object context)
"""
PHP = """[01-Mar-2024 10:00:00 UTC] PHP Fatal error:  Uncaught RuntimeException: no price in /var/www/store/Cart.php:19
Stack trace:
#0 /var/www/store/index.php(7): Cart->total()
#1 {main}
  thrown in /var/www/store/Cart.php on line 19
"""
RUST = """2024-03-01T10:00:00.120Z ERROR store: going down
thread 'main' panicked at src/cart.rs:31:9:
called `Option::unwrap()` on a `None` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:645:5
   1: store::cart::total
             at ./src/cart.rs:31:9
"""


def checked(capability: str, *inputs: Input, rules: str, surroundings: Surroundings | None = None) -> Result:
    """Run a capability; its outcome has closed words alone, and those that it declares."""
    result = function(capability)(
        Job(capability=capability, inputs=inputs, options={"rules": rules}, surroundings=surroundings or Surroundings())
    )
    told = result.outcome
    tags = told.get("tags", [])
    assert isinstance(tags, list)
    assert set(tags) <= {tag.value for tag in catalog()[capability].tags}
    assert len(tags) == len(set(tags)) <= MAX_OUTCOME_TAGS
    assert told["status"] in {StepStatus.DONE, StepStatus.PARTIAL, StepStatus.FAILED}
    assert told.get("severity", "none") in set(Severity)
    assert told.get("count", "none") in set(Findings)
    assert all(each.tag in {tag.value for tag in catalog()[capability].tags} for each in result.findings)
    assert all(each.severity in set(Severity) for each in result.findings)
    return result


def around(
    objects: dict[str, str], links: list[tuple[str, str, str, str]], inputs: tuple[str, ...] = ()
) -> Surroundings:
    """Surroundings from names with classes, and links by name."""
    names = list(objects)
    kinds = {"test_suite": "code_file", "environment_config": "config", "credentials_file": "secret_container"}
    return Surroundings(
        objects=tuple(
            Neighbour(name=name, kind=kinds.get(each, "code_file"), semantic_class=each, freshness="stale")
            for name, each in objects.items()
        ),
        links=tuple(Link(names.index(one), edge, reason, names.index(two)) for one, edge, reason, two in links),
        inputs=tuple(names.index(name) if name in objects else -1 for name in inputs),
    )
