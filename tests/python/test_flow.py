"""`apsp flow`: its tables, its JSON, and what it refuses."""


def test_tables(run, cities, tmp_path):
    (tmp_path / "od.csv").write_text("origin,destination,cars,trucks\nAachen,Dortmund,10,1\nBonn,Aachen,2,0\n"
                                     "Emden,Bonn,3,4\n")
    (tmp_path / "arcs.csv").write_text("from,to\nBonn,Cologne\nBonn,Aachen\n")
    told = run("flow", cities, "--undirected", "--demand", "od.csv", "--select", "arcs.csv", "--selected", "s.csv",
               "-o", "l.csv", "--json").json()
    assert told["columns"] == ["cars", "trucks"] and told["without_path"] == 1 and told["left_out"] == [3, 4]
    assert told["costs"] == [10 * 120 + 2 * 30, 120]
    rows = {tuple(row.split(",")[:2]): row.split(",")[2:] for row in (tmp_path / "l.csv").read_text().split()[1:]}
    assert rows["Bonn", "Cologne"] == ["20", "10", "1"] and rows["Bonn", "Aachen"] == ["30", "2", "0"]
    assert rows["Cologne", "Bonn"] == ["20", "0", "0"]
    (tmp_path / "numbered.csv").write_text("id,origin,destination,cars,index\n7,Aachen,Dortmund,10,0\n")
    told = run("flow", cities, "--undirected", "--demand", "numbered.csv", "--json").json()
    assert told["columns"] == ["cars"] and told["costs"] == [10 * 120]
    assert (tmp_path / "s.csv").read_text().split() == [
        "arc_from,arc_to,from,to,cars,trucks", "Bonn,Cologne,Aachen,Dortmund,10,1", "Bonn,Aachen,Bonn,Aachen,2,0"]


def test_results_and_parquet(run, cities, tmp_path):
    run("solve", cities, "--undirected", "-o", "r.zarr", "--keep", "factor")
    (tmp_path / "od.csv").write_text("Aachen,Dortmund,10\n")
    split = run("flow", "r.zarr", "--demand", "od.csv", "--split").out
    assert split.splitlines()[0] == "from,to,weight,1" and "Aachen,Bonn,30,10" in split
    run("flow", "r.zarr", "--demand", "od.csv", "-o", "l.parquet")
    assert "memory" in run("flow", "r.zarr", "--demand", "od.csv", "--plan", "--json").json()


def test_refusals(run, cities, tmp_path):
    (tmp_path / "od.csv").write_text("from,to,cars\nAachen,Bonn,-1\n")
    for words in ((), ("--demand", "od.csv", "--select", "od.csv"), ("--demand", "od.csv", "-o", "od.csv")):
        run("flow", cities, "--undirected", *words, code=2)
    assert "od.csv:2:13: -1 is negative" in run("flow", cities, "--undirected", "--demand", "od.csv", code=3).err
    (tmp_path / "od.csv").write_text("from,to,id\nAachen,Bonn,1\n")
    assert "no column holds numbers" in run("flow", cities, "--undirected", "--demand", "od.csv", code=3).err
    (tmp_path / "od.csv").write_text("from,to,cars\nAachen,Rome,1\n")
    run("flow", cities, "--undirected", "--demand", "od.csv", code=3)
