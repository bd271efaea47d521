"""How requests are read: misspelt, shortened, and in other languages. Names and paths keep their letters."""

from __future__ import annotations

import pytest

from plantwin.private.goal import project, read, tokens


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("any pasword or secrt in the repo?", "any password or secret in the repo?"),
        ("chek teh terrafrom for securty isues", "check the terraform for security issues"),
        ("diffrence betwen stagin and prodcution", "difference between staging and production"),
        ("are our dependancies vulnerabel", "are our dependencies vulnerable"),
        ("analize the lgos plz", "analyze the logs please"),
        ("Gibt es hier Passwörter?", "is there here passwords?"),
        ("Worum geht es in diesem Projekt?", "what is about this project?"),
        ("Wie groß ist das Projekt?", "how big is the project?"),
        ("Fasse docs/runbook.md zusammen", "summarize docs/runbook.md"),
        ("¿qué tamaño tiene el proyecto?", "what size is the project?"),
        ("liste les tâches restantes", "list the todos"),
        ("¿hay contraseñas en este repositorio?", "is there passwords in this repository?"),
        ("Y a-t-il des mots de passe dans ce dépôt ?", "is there the passwords in this repository ?"),
        ("há senhas ou chaves neste projeto?", "is there passwords or keys this project?"),
        ("ci sono segreti nel codice?", "is there secrets in code?"),
        ("staan er wachtwoorden in deze map?", "is there passwords in this folder?"),
        ("パスワードは含まれていますか", "passwords is there"),
        ("这个项目里有密码吗?", "this project is there is there passwords ?"),
    ],
)
def test_a_request_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert " ".join(read(typed, lambda _: False).split()) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "asdf", "42", "???", "qwertz uiop", "Review the vouchers module", "Compare Marlowe with Quillfjord",
        "Summarize README.md", "explain `pasword` and \"secrt\"", "what is in config/prodcution.yaml",
        "the gist of the dispute", "patients and visits", "What does it do?",
        "the customer fynd", "a project called chekc", "explain falcn-tset", "explain tset-chekc-lgos and chekc2",
    ],
)  # fmt: skip
def test_what_is_no_misspelling_stays(typed: str) -> None:
    assert read(typed, lambda _: False) == typed


def test_what_names_something_here_stays() -> None:
    assert read("review migratoins", {"migratoins"}.__contains__) == "review migratoins"


@pytest.mark.parametrize(
    "typed",
    [
        "prüfe ob das Passwort open water in der Datei steht", "die Zugangsdaten sind open water",
        "das Geheimnis ist open water, prüfe die Dateien", "le mot de passe open water est dans ce fichier",
        "la contraseña open water está en los archivos", "a senha open water está nos arquivos",
        "la password open water nel codice", "het wachtwoord open water staat in deze map",
        "これはパスワード open water です", "密码 open water 在这个项目里", "the pasword open water is in the config",
    ],
)  # fmt: skip
def test_a_secret_in_words_is_one_in_every_language_and_spelling(typed: str) -> None:
    crossed = tokens(project(read(typed, lambda _: False)))
    assert "<secret>" in crossed and not {"open", "water"} & set(crossed)
