def test_columns_can_be_chosen(tmp_path, monkeypatch, capsys):
    from plantwin.surfaces.cli import main

    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "state"))
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "README.md").write_text("# Title\n\nHow to use it.\n")
    assert main(["objects", str(tmp_path / "tree"), "--columns", "semantic_class,path"]) == 0
    assert capsys.readouterr().out.splitlines() == ["semantic_class  path", "readme          README.md"]
    assert main(["objects", str(tmp_path / "tree"), "--columns", "secrets"]) == 2
    assert "no column 'secrets'" in capsys.readouterr().err
