"""Rows for the library family: reusable code, algorithms, entry points and tools."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    ("utility_library", "base_classes", "algorithm_module", "package_entrypoint", "example_script", "cli_tool"),
    "code_file",
)

_WORK = "test_function,orm_model,component,main_guard,route,http_call,train_call"

_BUSY = "test_function,http_call,route,db_call,dataframe_call,train_call,evaluate_call,component,benchmark"
_OTHER_WORK = "test_function,train_call,evaluate_call,predict_call,benchmark,drift_call,dataframe_call"
ROWS = (
    # utility_library
    Row("utility_library", "feature", "function", 1.8, "min=2 no=class,test_function"),
    Row("utility_library", "feature", "function", 0.8, "has=class no=test_function"),
    Row("utility_library", "name", "util helper slugify debounce clamp truncate chunk sanitize humanize throttle", 1.6),
    Row("utility_library", "name", "format parse convert normalize string is_empty to_string ensure flatten deep_merge",
        0.6),
    Row("utility_library", "name", "camel_case snake_case pad capitalize escape unescape memoize retry", 0.9),
    Row("utility_library", "name", "limiter rate_limiter backoff stopwatch semaphore object_pool memo", 1.9),
    Row("utility_library", "path", "retry throttle backoff limiter clock text string dates format convert", 1.2),
    Row("utility_library", "path", "util utils helper common shared misc tool support", 2.4),
    Row("utility_library", "path", "lib internal toolkit compat", 1.2),
    # base_classes
    Row("base_classes", "feature", "abstract",
        5.0, "share=class:0.5 no=test_function,db_call,http_call,scheduled,queue_call,mail_call,route,hook,component"),
    Row("base_classes", "feature", "abstract", 1.5, "no=test_function"),
    Row("base_classes", "feature", "type_only", 5.0, f"no=function,{_WORK}"),
    Row("base_classes", "feature", "type_only", 2.6, f"has=function share=function:3 no={_WORK}"),
    Row("base_classes", "feature", "type_only", 1.4, f"has=function share=function:1.5 no={_WORK}"),
    Row("base_classes", "feature", "type_only", 0.6, "no=test_function"),
    Row("base_classes", "import", "abc abstractmethod protocol typing_extensions dataclass", 0.8),
    Row("base_classes", "name", "base abstract interface error exception mixin protocol", 1.0),
    Row("base_classes", "path", "base abstract interface type exception error mixin protocol enum constant contract",
        2.0),
    # algorithm_module
    Row("algorithm_module", "feature", "computation",
        4.5, f"min=8 share=function:5 no={_BUSY},bare_args,cli_args,print_call"),
    Row("algorithm_module", "feature", "computation",
        2.5, f"min=8 share=function:5 no={_BUSY},bare_args,cli_args has=print_call"),
    Row("algorithm_module", "feature", "computation",
        1.0, f"min=8 share=function:5 no={_BUSY} has=bare_args,cli_args"),
    Row("algorithm_module", "feature", "computation",
        1.0, f"no={_BUSY},bare_args,cli_args"),
    Row("algorithm_module", "import", "numpy scipy heapq bisect networkx sympy numba itertools math cmath", 0.8),
    Row("algorithm_module", "import", "fractions decimal bitset priority_queue linalg blas", 0.8),
    Row("algorithm_module", "name", "sort quicksort mergesort heapsort dijkstra bfs dfs traverse tree graph heap trie",
        1.5),
    Row("algorithm_module", "name", "parser lexer tokenizer tokenize ast grammar matrix vector polynomial buffer", 1.8),
    Row("algorithm_module", "name", "binary_search shortest_path levenshtein distance similarity edit_distance hash",
        1.3),
    Row("algorithm_module", "name", "encode decode compress decompress checksum crc interpolate integrate solve solver",
        1.2),
    Row("algorithm_module", "name", "token checksum digit modulo ring capacity", 1.2),
    Row("algorithm_module", "name", "node edge vertex cluster kmeans fft prime factorial fibonacci permutation lru",
        1.0),
    Row("algorithm_module", "name", "insert remove peek push pop enqueue dequeue partition merge swap pivot rotate",
        0.6),
    Row("algorithm_module", "name", "expr eval simplify interpreter compiler bytecode opcode lexeme symbol_table parse",
        1.1),
    Row("algorithm_module", "path", "parse parsing decoder encoder interpreter compiler simulator simulation kernel",
        1.6),
    Row("algorithm_module", "path",
        "algorithm sort search parser lexer graph tree math matrix solver geometry checksum codec",
        2.0),
    Row("algorithm_module", "path", "compress encode decode hash diff scoring ranking structure", 1.2),
    Row("algorithm_module", "path", "lru trie heap bloom btree simplex kalman levenshtein tokenizer interpolation",
        2.0),
    Row("algorithm_module", "name", "optimizer optimize heuristic nearest haversine score cost swap greedy knapsack",
        1.2),
    Row("algorithm_module", "name", "mean median variance percentile quantile stddev deviation correlation histogram",
        1.3),
    Row("algorithm_module", "path", "optimizer stats statistics", 1.6),
    # package_entrypoint
    Row("package_entrypoint", "feature", "reexport", 6.0, "share=function:1 no=test_function,route"),
    Row("package_entrypoint", "feature", "reexport", 2.0, "no=test_function"),
    Row("package_entrypoint", "stem", "__init__", 4.0, "no=function,class"),
    Row("package_entrypoint", "stem", "__init__", 1.5),
    Row("package_entrypoint", "stem", "mod lib index", 2.0, "has=reexport"),
    # example_script
    Row("example_script", "folder", "examples example demos demo samples tutorials quickstart",
        6.0, "no=test_function"),
    Row("example_script", "path", "example demo sample tutorial quickstart playground", 2.5),
    Row("example_script", "path", "repro reproduce reproduction poc sandbox scratch snippet", 2.0, "no=test_function"),
    Row("example_script", "file", "*.http *.rest *.hurl *.bru", 6.0),
    Row("example_script", "feature", "print_call",
        0.8, "no=class,cli_args,bare_args,main_guard,test_function,computation atmost=function:1"),
    Row("example_script", "stem", "example demo sample quickstart", 3.0),
    # cli_tool
    Row("cli_tool", "feature", "cli_args",
        5.0, f"no={_OTHER_WORK}"),
    Row("cli_tool", "feature", "cli_args",
        1.0, "has=train_call,evaluate_call,predict_call,benchmark,drift_call,dataframe_call"),
    Row("cli_tool", "feature", "bare_args", 2.5, f"no=cli_args,{_OTHER_WORK}"),
    Row("cli_tool", "feature", "bare_args", 0.8, "has=train_call,evaluate_call,predict_call,benchmark,drift_call"),
    Row("cli_tool", "format", "generic", 0.8, "has=bare_args"),
    Row("example_script", "file", "*.stories.tsx *.stories.jsx *.stories.js *.stories.ts *.stories.svelte", 6.0),
    Row("cli_tool", "feature", "main_guard", 1.0, "no=test_function,train_call"),
    Row("cli_tool", "import", "argparse click typer cobra clap commander yargs picocli thor docopt getopt optparse",
        2.0),
    Row("cli_tool", "import", "structopt urfave minimist optionparser inquirer commandline", 2.0),
    Row("cli_tool", "import", "basecommand", 4.0),
    Row("cli_tool", "name", "cli command subcommand usage argv arg_parser parse_args", 1.2),
    Row("cli_tool", "path", "cli cmd command bin console", 1.8),
    Row("cli_tool", "stem", "cli __main__", 3.0),
    Row("cli_tool", "file", "*.bt *.stp *.gdb *.lldb *.awk", 2.5),
)
