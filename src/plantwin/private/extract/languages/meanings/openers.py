"""Calls and keys that take a path, and why they refer to it."""

from __future__ import annotations

# the last part of a call that takes a path first -> why it refers to it
OPENERS: dict[bytes, str] = {
    **dict.fromkeys(
        b"open fopen readFile readFileSync createReadStream file_get_contents ReadFile read_text loadtxt "
        b"read_csv read_parquet "
        b"read_json read_excel read_table readRDS Open ReadAllText ReadAllLines fromFile load_dataset scan_csv "
        b"scan_parquet "
        b"include_str include_bytes FileReader FileInputStream ifstream Path sendFile load read read_to_string "
        b"csv parquet "
        b"read_file readLines readlines File OpenRead".split(),
        "reads",
    ),
    **dict.fromkeys(
        b"to_csv to_parquet to_json to_excel savefig writeFile writeFileSync createWriteStream file_put_contents "
        b"WriteFile "
        b"WriteAllText Create write ofstream FileWriter FileOutputStream saveRDS dump save to_file".split(),
        "writes",
    ),
    **dict.fromkeys(
        b"render_template get_template render_to_string TemplateResponse render ParseFiles ModelAndView view "
        b"renderFile "
        b"template_name templateUrl select_template include_template extends".split(),
        "renders",
    ),
}
