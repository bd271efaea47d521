"""Fixed spellings in languages that have no reader of their own, by the ending of their files."""

from __future__ import annotations

from plantwin.private.extract.languages.meanings.words import words

_ELIXIR = {
    b", :controller": "route",
    b", :router": "route",
    b"action_fallback": "route",
    b"put_status(": "route",
    b"send_resp(": "route",
    b", :live_view": "component",
    b", :live_component": "component",
    b"~H": "component",
    b"use Ecto.Schema": "orm_model",
    b"use Ecto.Migration": "migration_op",
    b"create table(": "migration_op",
    b"alter table(": "migration_op",
    b"create index(": "migration_op",
    b"use Oban.Worker": "scheduled",
    b"use Mix.Task": "cli_args",
    b"use ExUnit.Case": "test_function",
    b"Repo.": "db_call",
    b"from(": "db_call",
    b"use Application": "http_server",
    b"Supervisor.start_link": "http_server",
}
_CLOJURE = {
    b"(deftest": "test_function",
    b"(is (": "assertion",
    b"(GET ": "route",
    b"(POST ": "route",
    b"(PUT ": "route",
    b"(DELETE ": "route",
    b"(defroutes": "route",
    b"ring/router": "route",
    b"(defprotocol": "abstract",
    b"jdbc/": "db_call",
    b"http/get": "http_call",
    b"http/post": "http_call",
    b"client/get": "http_call",
    b"client/post": "http_call",
    b"(-main": "main_guard",
}
_SWIFT = {
    b"SecureField(": "password_input",
    b"isSecureTextEntry": "password_input",
    b"var body: some View": "component",
    b"@Published": "hook",
    b"ObservableObject": "hook",
    b"@Observable": "hook",
    b"URLSession": "http_call",
    b"XCTAssert": "assertion",
    b"@Test": "test_function",
    b"@Model": "orm_model",
    b"req: Request": "route",
    b"KeychainAccess": "auth_call",
    b"ASWebAuthenticationSession": "auth_call",
}
_DART = {
    b"obscureText: true": "password_input",
    b"Widget build(": "component",
    b"ChangeNotifier": "hook",
    b"Cubit<": "hook",
    b"Bloc<": "hook",
    b"testWidgets(": "test_function",
    b"jsonDecode(": "file_io",
    b"http.Client": "http_call",
    b"Dio(": "http_call",
}
_PERL = {
    b"@ARGV": "bare_args",
    b"$ARGV[": "bare_args",
    b"GetOptions(": "cli_args",
    b"->prepare(": "db_call",
    b"->execute(": "db_call",
    b"Mojolicious::Lite": "route",
    b"MIME::Lite": "mail_call",
    b"CGI->new": "route",
    b"CGI::": "route",
}
_LUA = {
    b"love.graphics": "component",
    b"love.draw": "component",
    b"vim.keymap": "tool_section",
    b"vim.opt": "tool_section",
    b"ngx.say": "route",
    b"ngx.req": "route",
    b"redis.call(": "db_call",
    b"wrk.": "benchmark",
    b"http.request(": "http_call",
}
_R = {
    b"commandArgs(": "bare_args",
    b"shinyApp(": "component",
    b"fluidPage(": "component",
    b"renderPlot(": "component",
    b" %>% ": "dataframe_call",
    b" |> ": "dataframe_call",
    b"ggsave(": "report_call",
    b"rmarkdown::render": "report_call",
    b"lm(": "train_call",
    b"glm(": "train_call",
    b"randomForest(": "train_call",
    b"predict(": "predict_call",
    b"confusionMatrix(": "evaluate_call",
    b"ks.test(": "drift_call",
    b"psi(": "drift_call",
    b"test_that(": "test_function",
}
_JULIA = {
    b"ARGS[": "bare_args",
    b"@testset": "test_function",
    b"@test ": "assertion",
    b"@benchmark": "benchmark",
    b"@btime": "benchmark",
    b"Flux.train!": "train_call",
    b"fit!(": "train_call",
}
_HASKELL = {
    b"hspec": "test_function",
    b"instance FromJSON": "type_only",
    b"main :: IO": "main_guard",
    b"execParser": "cli_args",
    b"getArgs": "bare_args",
    b"Parsec": "computation",
    b"runServer": "http_server",
    b"run 8": "http_server",
    b"scotty": "route",
    b":<|>": "route",
}
_OCAML = {
    b"Alcotest": "test_function",
    b"Sys.argv": "bare_args",
    b"Arg.parse": "cli_args",
    b"Cmdliner": "cli_args",
    b"Dream.get": "route",
    b"Dream.post": "route",
    b"[<Fact>]": "test_function",
    b"[<EntryPoint>]": "main_guard",
}
_ZIG = {b'test "': "test_function", b"std.process.args": "bare_args", b"pub fn main": "main_guard"}
_POWERSHELL = {
    b"Describe ": "test_function",
    b"Should -": "assertion",
}
_HTTP = {b"\nGET ": "http_call", b"\nPOST ": "http_call", b"\nPUT ": "http_call", b"\n### ": "print_call"}
_SOLIDITY = {
    b"payable": "payment_call",
    b"msg.value": "payment_call",
    b"mapping(": "orm_model",
    b"require(": "rule_check",
}
_COBOL = {b"COMPUTE ": "rule_check", b"IF ": "rule_check", b"READ ": "file_io", b"WRITE ": "file_io"}
_GROOVY = {b"extends Specification": "test_function", b'def "': "test_function", b"@Grab": "bare_args"}
_XSLT = {b"<xsl:template": "function", b"<xsl:for-each": "dataframe_call"}
_ERLANG = {b"-behaviour(gen_server)": "concurrency", b"_test()": "test_function", b"erlang:send_after": "scheduled"}

SPELLINGS: dict[str, dict[bytes, str]] = {
    **dict.fromkeys(words("ex exs"), _ELIXIR),
    **dict.fromkeys(words("clj cljs cljc"), _CLOJURE),
    "swift": _SWIFT,
    "dart": _DART,
    **dict.fromkeys(words("pl pm t cgi psgi fcgi"), _PERL),
    "pp": {b"ensure =>": "playbook", b"ensure  =>": "playbook"},
    "hurl": {b"[Asserts]": "test_function", b"HTTP 2": "assertion"},
    "bru": {b"tests {": "test_function", b"assert {": "test_function"},
    **dict.fromkeys(words("xsl xslt"), _XSLT),
    "dwl": {b" map ": "dataframe_call", b"groupBy": "dataframe_call"},
    "flux": {b"|>": "select"},
    "lua": _LUA,
    "r": _R,
    "jl": _JULIA,
    **dict.fromkeys(words("hs lhs purs"), _HASKELL),
    **dict.fromkeys(words("ml mli fs fsx"), _OCAML),
    "zig": _ZIG,
    **dict.fromkeys(words("ps1 psm1"), _POWERSHELL),
    **dict.fromkeys(words("http rest"), _HTTP),
    "sol": _SOLIDITY,
    **dict.fromkeys(words("cob cbl cpy"), _COBOL),
    "groovy": _GROOVY,
    "feature": {b"Scenario": "test_function", b"Given ": "assertion", b"Then ": "assertion"},
    **dict.fromkeys(words("erl hrl"), _ERLANG),
}
