"""Routes of Go, by what each router does with prefixes, groups and methods."""

from __future__ import annotations

import pytest

from plantwin.private.capabilities.check_api_contract.routes_go import read

NET = """
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{id}", one)
	mux.Handle("POST /items", auth(http.HandlerFunc(add)))
	mux.HandleFunc("DELETE example.com/items/{id}", gone)
	mux.HandleFunc("/files/{path...}", files)
	mux.HandleFunc("GET /exact/{$}", exact)
	api := http.NewServeMux()
	api.HandleFunc("GET /ping", ping)
	mux.Handle("/api/v1/", http.StripPrefix("/api/v1", api))
}"""
CHI = """
	r := chi.NewRouter()
	r.Route("/items", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Route("/{id:[0-9]+}", func(r chi.Router) {
			r.Use(context)
			r.MethodFunc(http.MethodPatch, "/", change)
		})
	})
	r.Group(func(r chi.Router) {
		r.Get("/me", me)
	})
	r.Mount("/admin", admin())
}
func admin() http.Handler {
	r := chi.NewRouter()
	r.Get("/users", users)
	return r
}"""
GORILLA = """
	r := mux.NewRouter().PathPrefix("/api").Subrouter()
	r.HandleFunc("/a/{id:[0-9]+}", h).Methods("GET", "PUT")
	s := r.PathPrefix("/b").Subrouter()
	s.Path("/c").Methods(http.MethodPost).HandlerFunc(h)
	s.HandleFunc("/e", h).
		Methods("PATCH")
	r.PathPrefix("/static/").Handler(files)
}"""
GIN = """
	r := gin.Default()
	v1 := r.Group(base)
	v1.GET("/users/:id", h)
	v1.Group("/q").Use(guard).GET("z", h)
	r.Match([]string{"GET", "POST"}, "/m", h)
	below(v1.Group("/below"))
	other.RegisterRoutes(v1)
}
const base = "/v1"
func below(g *gin.RouterGroup) {
	g.DELETE("/x/*path", h)
}
func RegisterRoutes(e *gin.Engine) {
	e.GET("/whole", h)
}"""
ECHO = """
	e := echo.New()
	g := e.Group("/user", guard)
	g.GET("s", h)
	e.Add(http.MethodPut, "/w", h)
}
func other(unknown *echo.Group) {
	unknown.GET("/nothing-tells-the-prefix", h)
}"""
FIBER = """
	app := fiber.New()
	app.Group("/api").Get("/u/:id?", h)
	app.Add("DELETE", "/d/:id<int>", h)
	app.Route("/test", func(api fiber.Router) {
		api.All("/foo", h)
	})
	micro := fiber.New()
	micro.Get("/doe", h)
	app.Mount("/john", micro)
	client.Get("/no-route", nil)
}"""
FIELD = """
	s := &Server{router: mux.NewRouter()}
}
func (s *Server) routes() {
	s.router.HandleFunc("/items", h).Methods("GET")
}"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            NET,
            {
                "GET /items/{id}",
                "POST /items",
                "DELETE /items/{id}",
                "ANY /files/{path}",
                "GET /exact",
                "GET /api/v1/ping",
            },
        ),
        (CHI, {"GET /items", "PATCH /items/{id}", "GET /me", "GET /admin/users"}),
        (GORILLA, {"GET /api/a/{id}", "PUT /api/a/{id}", "POST /api/b/c", "PATCH /api/b/e"}),
        (GIN, {"GET /v1/users/{id}", "GET /v1/q/z", "GET /m", "POST /m", "DELETE /v1/below/x/{path}", "GET /whole"}),
        (ECHO, {"GET /users", "PUT /w"}),
        (FIBER, {"GET /api/u/{id}", "DELETE /d/{id}", "ANY /test/foo", "GET /john/doe"}),
        (FIELD, {"GET /items"}),
        ("x := " + " + ".join(['"a"'] * 5000) + "\n\tr := gin.New()\n}", set()),
    ],
    ids=["net/http", "chi", "gorilla", "gin", "echo", "fiber", "field", "generated"],
)
def test_routes(code: str, expected: set[str]) -> None:
    source = f'package main\nimport "github.com/labstack/echo/v4"\nfunc main() {{\n{code}'
    if code is not ECHO:
        source = source.replace("labstack/echo", "some/router")
    assert {route.title for route in read(source)} == expected
