"""What readers take, refuse, and say of a graph's file, from the command line."""

import numpy as np
import pandas as pd
import pytest


def graph_of(run, *words):
    return run("info", *words, "--json").json()["graph"]


def test_semicolon_tables_are_read(run, tmp_path):
    (tmp_path / "s.csv").write_text("from;to;km\nNew York;Boston;306.5\nBoston;Paris, France;5530\n")
    graph = graph_of(run, "s.csv")
    assert (graph["vertices"], graph["edges"]) == (3, 2)
    assert graph["weights"]["least"] == 306.5 and graph["weights"]["greatest"] == 5530
    (tmp_path / "pairs.csv").write_text("from;to\nParis, France;New York\n")
    run("solve", "s.csv", "-o", "s.zarr")
    assert "5836.5" in run("distance", "s.zarr", "--pairs", "pairs.csv").out
    (tmp_path / "at.csv").write_text("name;lon;lat\nNew York;-74;40.7\nBoston;-71;42.4\nParis, France;2.4;48.9\n")
    run("report", "s.zarr", "-o", "s.html", "--coordinates", "at.csv")
    (tmp_path / "sources.csv").write_text("node;note\nBoston;x\n")
    assert run("solve", "s.csv", "--sources", "@sources.csv", "--json").json()["report"]


@pytest.mark.parametrize("text, place", [
    ("A;B;3,5\n", "g.csv:1:5: the weight '3,5'"),
    ("A;B;3.5\nA;C;3,5\n", "g.csv:2:5: the weight '3,5'"),
    ("a b 1\na c 2,5\n", "g.csv:2:5: the weight '2,5'"),
])
def test_a_decimal_comma_is_refused_with_its_line(run, tmp_path, text, place):
    (tmp_path / "g.csv").write_text(text)
    error = run("info", "g.csv", code=3).err
    assert place in error and "point" in error


def test_rows_that_two_separators_can_make_are_asked_about(run, tmp_path):
    (tmp_path / "g.csv").write_text("a b 1,5\nb c 2,5\n")
    run("info", "g.csv", code=3)
    run("info", "g.csv", "--separator", "blank", code=3)


def test_names_of_places_are_written(run, tmp_path):
    (tmp_path / "g.csv").write_text("A,B,5\nB,C,3\nC,D,4\n")
    (tmp_path / "places.csv").write_bytes('vertex,name\nA,Köln\nD,"East, Clinic"\n'.encode("cp1252"))
    for name in ("near.csv", "near.parquet"):
        run("nearest", "g.csv", "--to", "@places.csv", "--encoding", "cp1252", "-o", name)
        table = (pd.read_csv if name.endswith("csv") else pd.read_parquet)(tmp_path / name)
        assert table.columns.tolist() == ["vertex", "rank", "place", "distance", "name"]
        assert table.name.tolist() == ["Köln", "Köln", "East, Clinic", "East, Clinic"]


def test_lists_are_in_the_encoding_that_is_named(run, tmp_path):
    (tmp_path / "g.csv").write_text("Köln,Bonn,5\n")
    (tmp_path / "pairs.csv").write_bytes("from;to\nKöln;Bonn\n".encode("utf-8"))
    (tmp_path / "h.csv").write_bytes("Köln,Bonn,5\n".encode("cp1252"))
    (tmp_path / "old.csv").write_bytes("from;to\nKöln;Bonn\n".encode("cp1252"))
    assert "Köln,Bonn,5" in run("distance", "g.csv", "--pairs", "pairs.csv").out
    assert "Köln,Bonn,5" in run("distance", "h.csv", "--pairs", "old.csv", "--encoding", "cp1252").out


def test_skipped_titles_are_said(run, tmp_path):
    (tmp_path / "g.csv").write_text("A,B,x5\nB,C,3\n")
    said = "the first row is taken as titles: 'A,B,x5'"
    assert said in run("solve", "g.csv").err
    assert said in run("info", "g.csv").out
    assert run("solve", "g.csv", "--json").json()["graph"]["remarks"] == [
        said, "columns 1 and 2, 'A' and 'B', are taken as the ends", "the column 'x5' is taken as the weight"]
    (tmp_path / "h.csv").write_text("B,C,3\n")
    assert graph_of(run, "h.csv")["remarks"] == []


@pytest.mark.parametrize("text, words, distance", [
    ("u,v,key,length\n1,2,0,5.5\n2,3,0,2.5\n", ["1", "3", "--columns", "1,2,0"], "2"),
    ("u,v,key,length\n1,2,0,5.5\n2,3,0,2.5\n", ["3", "1", "--columns", "u,v,length"], "8"),
    ("u,v,length,oneway\n1,2,5,True\n3,2,4,-1\n", ["1", "3", "--oneway", "oneway"], "9"),
    ("u,v,cost,back\n1,2,5,1\n2,3,4,-1\n", ["2", "1", "--reverse-cost", "back"], "1"),
    ("0 4.5\n4.5 0\n", ["0", "1", "--format", "matrix"], "4.5"),
    ("7 x\n007 x\n", ["7", "007", "--ids", "text"], "2"),
    ("a;b,c\nb,c;d\n", ["a", "d", "--separator", "semicolon"], "2"),
    ("#id\tgene A\tgene B\tscore\n1\t2\t3\t1.5\n2\t3\t4\t2\n", ["2", "4", "--columns", "gene A,gene B,score"], "3.5"),
    ("#from to km\n1 2 5\n2 3 4\n", ["1", "3", "--weight", "km"], "9"),
])
def test_tables_are_read_by_their_titles_and_options(run, tmp_path, text, words, distance):
    (tmp_path / "g.txt").write_text(text)
    assert run("distance", "g.txt", *words).out.strip() == distance


@pytest.mark.parametrize("text, option", [
    ("u,v,key,length\n1,2,0,5.5\n", "--columns"),
    ("7 x\n007 y\n", "--ids number"),
    ("1\t2 5\n", "--separator tab"),
    ("0 5 2\n5 0 1\n2 1 0\n", "--format matrix"),
    ("head,tail\n1,2\n", "--columns tail,head"),
])
def test_two_readings_are_refused_with_the_option_that_chooses(run, tmp_path, text, option):
    (tmp_path / "g.txt").write_text(text)
    assert option in run("info", "g.txt", code=3).err


def test_names_in_another_encoding(run, tmp_path):
    (tmp_path / "g.csv").write_bytes("José;München;5\n".encode("cp1252"))
    run("info", "g.csv", code=3)
    assert run("distance", "g.csv", "José", "München", "--encoding", "cp1252").out.strip() == "5"


def test_lists_have_titles_and_repeat_vertices(run, tmp_path):
    (tmp_path / "g.csv").write_text("New York,Oslo,3\nRome,Oslo,4\n")
    (tmp_path / "od.csv").write_text("O,D\nNew York,Oslo\n")
    assert run("distance", "g.csv", "--pairs", "od.csv").out.splitlines()[1:] == ["New York,Oslo,3"]
    (tmp_path / "back.csv").write_text("to,from\nNew York,Oslo\n")
    assert run("distance", "g.csv", "--pairs", "back.csv").out.splitlines()[1:] == ["Oslo,New York,3"]
    (tmp_path / "shops.txt").write_text("shop\nNew York\nRome\nRome\n")
    found = run("nearest", "g.csv", "--to", "@shops.txt")
    assert "Oslo,1,New York,3" in found.out
    assert "taken as titles: 'shop'" in found.err and "counts once" in found.err
    run("nearest", "g.csv", "--to", "shops.txt", code=2)


def test_values_that_others_mean_no_edge_by_are_said(run, tmp_path):
    np.save(tmp_path / "m.npy", np.array([[0, 65535], [32767, 0]], "u2"))
    said = run("solve", "m.npy").err
    assert "entries of 65,535, the greatest value of u2, are edges of that weight" in said
    assert "1 entry of 32,767, which means no path in u2, is not an edge" in said


def test_csv_has_commas_and_tsv_tabs(run, tmp_path):
    (tmp_path / "g.txt").write_text('"New York" "Paris, ""F""" 5\n"a;b" "New York" 2\n')
    digest = graph_of(run, "g.txt")["digest"]
    for name, separator in (("g.csv", ","), ("g.tsv", "\t"), ("g.el", " ")):
        run("convert", "g.txt", name)
        assert f'"New York"{separator}"Paris, ""F"""{separator}5\n' in (tmp_path / name).read_text()
        assert graph_of(run, name)["digest"] == digest
    run("convert", "g.txt", "g.csv.gz")
    assert graph_of(run, "g.csv.gz")["digest"] == digest


@pytest.mark.parametrize("words", [
    ["info", "p.gr", "--as-rel", "both"], ["info", "p.gr", "--columns", "1,2"], ["info", "--columns", "1,2"],
    ["stats", "p.zarr", "--undirected"], ["convert", "p.gr", "q.mtx", "--compress"], ["convert", "p.gr", "q.mtx", "--graph", "p.gr"]])
def test_options_without_a_use_are_refused(run, tmp_path, words):
    run("generate", "path", "p.gr", "--vertices", 4)
    run("solve", "p.gr", "-o", "p.zarr")
    run(*words, code=2)


def test_one_is_no_plural(run, tmp_path):
    (tmp_path / "one.txt").write_text("# apsp:directed\n0 0 -0\n")
    said = run("solve", "one.txt", "--verbose", "-o", "one.zarr")
    text = said.out + said.err + run("stats", "one.zarr").out + run("info", "one.txt").out
    text += run("verify", "one.zarr").out + run("plan", "one.txt", "--sources", "0").out
    text += run("solve", "one.txt", "--sources", "random:2", code=2).err
    for word in ("vertices", "arcs", "edges", "rows", "sources", "targets", "supernodes", "threads"):
        assert not any(f"{end}1 {word}" in " " + text for end in " (:\n"), word


@pytest.mark.parametrize("text, words, distance", [
    (":START_ID(Town),weight:float,:END_ID(Town),:TYPE\n1,5.5,2,ROAD\n2,2,3,ROAD\n", ["1", "3"], "7.5"),
    (":START_ID,:END_ID,:TYPE\n1,2,ROAD\n2,3,ROAD\n", ["1", "3"], "2"),
    ("Unnamed: 0.1,Unnamed: 0,from,to,km\n0,0,A,B,5\n1,1,B,C,3\n", ["A", "C"], "8"),
    ("Source,Target,Type,Weight\n1,2,Directed,1\n2,3,Undirected,4\n", ["3", "2"], "4"),
    ("Source,Target,Type,Weight\n1,2,Directed,1\n2,3,Undirected,4\n", ["2", "1"], "inf"),
    ("Source,Target,Type\n1,2,Undirected\n2,3,Undirected\n", ["3", "1"], "2"),
    ("source,target,directed,weight\nA,B,TRUE,5\nB,C,FALSE,4\n", ["A", "C", "--oneway", "directed"], "9"),
    ("source,target,directed,weight\nA,B,TRUE,5\nB,C,FALSE,4\n", ["C", "A", "--oneway", "directed"], "inf"),
    ("OBJECTID,FROM_NODE,TO_NODE,SHAPE_Length\n1,10,20,5.5\n2,20,30,4\n", ["10", "30"], "9.5"),
    ('fid,u,v,length,geometry\n1,10,20,5,"LINESTRING (0 0, 1 1)"\n2,20,30,4,"LINESTRING (1 1, 2 2)"\n', ["10", "30"], "9"),
    ("0,1,NA,NA\n1,0,2,NA\nNA,2,0,3\nNA,NA,3,0\n", ["0", "3"], "6"),
    ("0,1,,\n1,0,2,\n,2,0,3\n,,3,0\n", ["0", "3"], "6"),
    ("0,1,INF,INF\n1,0,2,INF\nINF,2,0,3\nINF,INF,3,0\n", ["0", "3"], "6"),
    ("name,A,B,C\nA,0,1,9\nB,1,0,3\nC,9,3,0\n", ["A", "C"], "4"),
    ("A B C D\nA 0 1 9 9\nB 1 0 3 9\nC 9 3 0 5\nD 9 9 5 0\n", ["A", "D"], "9"),
    ("0,,,\n1,0,,\n,2,0,\n,,3,0\n", ["0", "3", "--undirected"], "6"),
    ("0,,,\n1,0,,\n,2,0,\n,,3,0\n", ["3", "0", "--directed"], "6"),
])
def test_tables_that_programs_export_are_read(run, tmp_path, text, words, distance):
    (tmp_path / "g.txt").write_text(text)
    assert run("distance", "g.txt", *words, code=None).out.strip() == distance


@pytest.mark.parametrize("text, name, said", [
    ("from,to\nA,B\nfrom,to\nB,C\n", "g.csv", "come again"),
    ("A,B,5\n\ufeffB,C,3\n", "g.csv", "invisible"),
    ("A\u00a0,B,5\nA,C,3\n", "g.csv", "invisible"),
    ('"A ",B,5\nA,C,3\n', "g.csv", "invisible"),
    ("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight 5 weight 6 ] ]\n", "g.gml", "two weights"),
    ("A,New York,5\nB,New York,3\n(2 rows)\n", "g.csv", "g.csv:3:1: this row has no comma"),
    ("from,to,km,note\nA,B,5,\"two\nlines\"\nB,C,5,\nB,D,5,\n", "g.csv", "g.csv:3:1: this row has no comma"),
    ("A,B,5\nB,C,3\n// done\n", "g.csv", "begin lines that are no rows with #"),
    ("1 2 5\n2 3 5\n(2 rows)\n", "g.txt", "begin with #"),
    ("A,B,3min\n", "g.csv", "no unit"),
    ("A pp B\nB pp C\n", "g.sif", "awk"),
    ("<NUMBER OF NODES> 2\n<END OF METADATA>\n~ init_node term_node length ;\n1 2 5 ;\n", "g.tntp", "grep"),
    ("$VISION\n$VERSION:VERSNR\n10\n", "g.txt", "CSV"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "g.csv", "git lfs pull"),
    ("<?xml version=\"1.0\"?>\n<net><edge from=\"A\" to=\"B\"/></net>\n", "g.xml", "CSV"),
    ("0,1,5,5\n0,0,2,5\n0,0,0,3\n0,0,0,0\n", "g.csv", "--undirected"),
    ('{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "weight": null}]}', "g.json", "weight"),
    ('{"nodes": [{"id": 1}, {"id": "1"}], "links": []}', "g.json", 'the text "1" and the number 1'),
    ('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": "1", "target": 2}]}', "g.json", 'the text "1" and the number 1'),
])
def test_files_that_would_be_misread_are_refused_with_a_way_out(run, tmp_path, text, name, said):
    (tmp_path / name).write_text(text)
    assert said in run("info", name, code=3).err


def test_a_matrix_whose_greatest_entries_may_mean_no_edge_is_remarked_on(run, tmp_path):
    (tmp_path / "g.csv").write_text("0,1,9999,9999\n1,0,2,9999\n9999,2,0,3\n9999,9999,3,0\n")
    assert "entries of 9999 (6) are edges of that weight" in run("info", "g.csv").out
    (tmp_path / "g.csv").write_text("0,1,5,5\n1,0,2,5\n5,2,0,3\n5,5,3,0\n")
    assert "of that weight" not in run("info", "g.csv").out


@pytest.mark.parametrize("text, name, said", [
    ("source,target,directed,weight\nA,B,TRUE,5\n", "g.csv", "'directed' is not used"),
    ("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n1 2 7\n", "g.mtx", "SciPy adds them up"),
    ("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n1 3 7\n", "g.mtx", ""),
])
def test_another_reading_is_remarked_on(run, tmp_path, text, name, said):
    (tmp_path / name).write_text(text)
    remarks = graph_of(run, name)["remarks"]
    assert any(said in remark for remark in remarks) if said else remarks == []


def test_lists_that_programs_export_are_read(run, tmp_path):
    (tmp_path / "g.csv").write_text("1,2,5\n2,3,3\n3,4,4\n")
    (tmp_path / "q.csv").write_text(",vertex,jobs\n0,1,5\n1,2,2\n")
    assert run("access", "g.csv", "--weights", "q.csv", "--within", 5).out.splitlines()[:2] == [
        "vertex,jobs within 5", "1,7"]
    (tmp_path / "q.csv").write_text("vertex,2020,2021\n1,5,6\n")
    assert run("access", "g.csv", "--weights", "q.csv", "--within", 5).out.splitlines()[1] == "1,5,6"
    (tmp_path / "s.txt").write_text("0\n1\n2\n")
    run("distance", "g.csv", "--sources", "@s.txt", "--targets", "3", code=3)
    (tmp_path / "p.csv").write_text("id,a,b\n1,2,3\n2,3,4\n")
    assert "pairs are the first two columns" in run("distance", "g.csv", "--pairs", "p.csv").err
    (tmp_path / "p.csv").write_text("sep=;\nfrom;to\n1;3\n")
    assert run("distance", "g.csv", "--pairs", "p.csv").out.splitlines()[1:] == ["1,3,8"]
    (tmp_path / "u.csv").write_text("1,2,INF\n")
    run("solve", "g.csv", "-o", "o.zarr")
    run("update", "o.zarr", "u.csv")
    assert run("distance", "o.zarr", "1", "2", code=1).out.strip() == "inf"


def test_stops_of_gtfs_are_places_and_other_titles_are_refused(run, tmp_path):
    (tmp_path / "g.csv").write_text("A,B,5\n")
    words = ["solve", "g.csv", "--within", 9, "--sources", "A", "-o", "m.geojson", "--positions", "c.csv"]
    (tmp_path / "c.csv").write_text("stop_id,stop_name,stop_lat,stop_lon\nA,x,50,1\nB,y,50,2\n")
    run(*words)
    assert "[[1, 50], [2, 50]]" in (tmp_path / "m.geojson").read_text()
    (tmp_path / "c.csv").write_text("ID,X_COORD,Y_COORD\nA,1,50\nB,2,50\n")
    run(*words, code=3)


def test_places_of_a_report_are_in_the_encoding_that_is_named_and_columns_without_titles_are_said(run, tmp_path):
    (tmp_path / "g.csv").write_text("Köln,Bonn,5\n")
    run("solve", "g.csv", "-o", "o.zarr")
    (tmp_path / "c.csv").write_bytes("Köln,7,51\nBonn,7.1,50.7\n".encode("cp1252"))
    said = run("report", "o.zarr", "-o", "o.html", "--coordinates", "c.csv", "--encoding", "cp1252").err
    assert "columns 2 and 3 are x and y" in said
    (tmp_path / "q.csv").write_text(",vertex,jobs\n0,Bonn,5\n")
    assert "has no title and is not used" in run("access", "g.csv", "--weights", "q.csv", "--within", 5).err
