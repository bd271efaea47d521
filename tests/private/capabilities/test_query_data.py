"""Questions about tables and logs: the right figure with its rows and file, or none and the columns there are."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.logs import as_table
from plantwin.private.capabilities.query_data.reading import read

ORDERS = """order_id,customer_id,product,category,quantity,price,status,ordered_at,gift
1,7,Kettle,Kitchen,2,30.00,shipped,2023-05-02 10:00:00,true
2,8,Lamp,Lighting,1,20.00,returned,2023-05-20 11:30:00,false
3,7,Pen,Office,10,2.50,shipped,2023-06-01 09:00:00,false
4,9,Lamp,Lighting,3,25.00,shipped,2024-01-05 09:15:00,true
4,9,Lamp,Lighting,3,25.00,shipped,2024-01-05 09:15:00,true
5,7,Kettle,Kitchen,1,,cancelled,2024-02-11 18:00:00,false
"""
CUSTOMERS = "customer_id,name,country,plan\n7,Ada,Germany,pro\n8,Ben,France,\n9,Cleo,Germany,basic\n"
ACCESS = "".join(
    f'203.0.113.{1 + number % 3} - - [06/May/2024:00:00:{number:02} +0000] "GET {path} HTTP/1.1" {status} 9\n'
    for number, (path, status) in enumerate(
        [("/", 200), ("/a", 500), ("/a", 404), ("/", 200), ("/a", 502), ("/b", 500)]
    )
)
APP = """2024-05-06 08:00:00,100 INFO shop.web: order 1 accepted
2024-05-06 08:10:00,100 ERROR shop.web: payment timeout
Traceback (most recent call last):
  File "a.py", line 1, in run
ValueError: bad
2024-05-07 09:00:00,100 ERROR shop.billing: database refused
2024-05-07 09:30:00,100 WARNING shop.web: slow query
2024-05-07 10:30:00,100 ERROR shop.web: payment timeout
"""
SYSLOG = "May  6 03:04:09 web1 sshd[25]: Failed password for root from 203.0.113.9 port 22 ssh2\n" * 3
EVENTS = '{"ts":"2024-06-01T00:00:01Z","level":"error","ms":10}\n{"ts":"2024-06-02T00:00:01Z","level":"info","ms":30}\n'
TICKETS = (
    "agent_id,status,opened_at\n3,open,2024-01-01\n3,open,2024-01-02\n4,open,2024-01-03\n" + "4,closed,2024-01-04\n" * 2
)
BOUGHT = "type,device,value\npurchase,tv,5\npurchase,pc,2\nview,pc,7\nview,tv,\n"
MONEY = "id,amount,state\na,4,new\nb,5,new\nc,7,old\n"
SAID = "agent_id,author,n\n3,agent,5\n3,client,9\n4,agent,7\n"
YEARS = "site,year,yield\na,1931,20\na,1932,4\nb,1932,9\n"
SERVER = """127.0.0.1 - - [17/Nov/2026 15:59:26] "GET /a HTTP/1.1" 200 -
127.0.0.1 - - [17/Nov/2026 15:59:26] code 404, message File not found
127.0.0.1 - - [17/Nov/2026 15:59:27] "GET /b HTTP/1.1" 404 -
"""
FILES = (
    given("orders.csv", ORDERS),
    given("customers.csv", CUSTOMERS),
    Input(name="access.log", kind="log_stream", data=ACCESS.encode()),
    Input(name="app.log", kind="log_stream", data=APP.encode()),
)


def first(run: Run, question: str, *inputs: Input) -> str:
    return run("query_data", *(inputs or FILES), request=question).text.split("\n")[0]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the average price per category in orders.csv?", "Kitchen: 30; Lighting: 23.33; Office: 2.50"),
        ("how many customers are from Germany?", "2 rows of customers.csv (3 rows read) where `country` is `Germany`"),
        ("how many customers are not from Germany?", "1 row of customers.csv"),
        ("how many people of customers are from Germany", "2 rows of customers.csv"),
        ("which tables have a country", "1 of 4 tables: customers.csv (`country`)."),
        ("since when do we have orders", "orders.csv: `ordered_at` 2023-05-02"),
        ("which product sells most?", "Pen: 10; then Lamp: 7; Kettle: 3 (sum of `quantity` by `product`"),
        ("which product sells least?", "Kettle: 3"),
        ("top 2 customers by number of orders", "Ada: 3; Cleo: 2 (number of rows by `customer name`"),
        ("which customer has the most orders", "Ada: 3; then Cleo: 2"),
        ("top 2 countries by number of orders", "Germany: 5; France: 1 (number of rows by `country` in orders.csv"),
        ("average price per country", "Joined with customers.csv on `customer_id`."),
        ("sum of quantity by country of the customer", "Germany: 19; France: 1. Joined with"),
        ("orders per customer country", "Germany: 5; France: 1. Joined with"),
        ("how many customers from Germany ordered in 2024", "2 different values of `customer name` where"),
        ("quantity per status", "Sum of `quantity` by `status`"),
        ("which customers are from Germany", "2 rows of customers.csv (3 rows read) where `country` is `Germany`."),
        ("which category has the highest average price", "Kitchen: 30; then Lighting: 23.33"),
        ("most expensive product", "maximum 30 (over 5 of 6 rows of orders.csv, line 2: product Kettle)"),
        ("which order has the lowest price?", "Lowest `price` in orders.csv (6 rows read): 2.50, line 4: order\\_id 3"),
        ("top 2 products by price", "Kettle: 30; Lamp: 25 (maximum of `price` by `product`"),
        ("how many units were sold", "`quantity`: sum 20 (over 6 of 6 rows"),
        ("how many distinct customers ordered?", "3 different values of `customer_id`"),
        ("how many customers ordered a Lamp", "2 different values of `customer_id` where `product` is `Lamp`"),
        ("sum of quantity where status is shipped", "`quantity` where `status` is `shipped`: sum 18 (over 4 of 6"),
        ("median price of orders in the Lighting category", "median 25 (over 3 of 6 rows"),
        ("min, max and mean price", "minimum 2.50, maximum 30, average 20.50 (over 5 of 6 rows"),
        ("how many orders cost more than 20?", "3 rows of orders.csv (6 rows read) where `price` > 20"),
        ("how many orders with price between 20 and 25 and quantity at most 1", "1 row of orders.csv"),
        ("how many orders per month in 2024?", "2024-01: 2; 2024-02: 1"),
        ("how many orders in May?", "2 rows of orders.csv (6 rows read) where `ordered_at` is in month 05"),
        ("how many orders in May 2023", "where `ordered_at` is in 2023-05"),
        ("how many orders in 2023 in May", "2 rows of orders.csv (6 rows read) where `ordered_at` is in month 05 and"),
        ("how many orders on 20 May 2023", "1 row of orders.csv (6 rows read) where `ordered_at` is in 2023-05-20"),
        ("how many orders on May 2nd", "1 row of orders.csv (6 rows read) where `ordered_at` is in day 05-02"),
        ("how many Bestellungen in Juni 2023", "where `ordered_at` is in 2023-06"),
        ("how many Bestellungen storniert", "1 row of orders.csv (6 rows read) where `status` is `cancelled`"),
        ("how many pedidos in febrero de 2024", "1 row of orders.csv (6 rows read) where `ordered_at` is in 2024-02"),
        ("how many commandes in février 2024", "1 row of orders.csv (6 rows read) where `ordered_at` is in 2024-02"),
        ("how many orders since May 2nd, 2023", "6 rows of orders.csv (6 rows read) where `ordered_at` is from"),
        ("how many orders from may to june 2023", "3 rows of orders.csv (6 rows read) where `ordered_at` is from"),
        ("how many orders between June 1, 2023 and January", "Say the years of"),
        ("how many orders between May 20 2023 and June 2023", "2 rows of orders.csv"),
        ("how many orders from 2023-06-01 until 2024-01-05", "3 rows of orders.csv"),
        ("how many orders after 2023", "3 rows of orders.csv"),
        ("how many orders since 2023", "6 rows of orders.csv"),
        ("how many orders before 2023-06-01", "2 rows of orders.csv"),
        ("orders per weekday", "Tuesday: 1; Thursday: 1; Friday: 2; Saturday: 1; Sunday: 1"),
        ("orders per week", "2023-W18: 1"),
        ("how many orders of customer 7", "3 rows of orders.csv (6 rows read) where `customer_id` = 7"),
        ("how many gift orders", "3 rows of orders.csv (6 rows read) where `gift` is `true`"),
        ("how many orders without price", "1 row of orders.csv (6 rows read) where `price` is empty"),
        ("what share of orders was returned?", "16.7 %: 1 of 6 rows of orders.csv where `status` is `returned`"),
        ("average number of orders per customer", "On average 2 rows per `customer_id`"),
        ("how many days had orders?", "5 different days in orders.csv"),
        ("how many orders in total", "6 rows in orders.csv."),
        ("Can orders and customers be joined, and on what?", "Yes: `orders.csv.customer_id` = `customers.csv"),
        ("are there orders from customers that don't exist in the customers table", "No: 0 of 6 rows of orders.csv"),
        ("which day had the most errors in app.log and what was the error", "`error` and `time` is in 2024-05-07"),
        ("return rate per category", "Lighting: 33.3 %; Kitchen: 0.0 %"),
        ("how many orders were returned and how much money is that?", "`price × quantity` where `status` is `ret"),
        ("how many orders were returned and what is their average price", "`returned`: average 20 (over 1 of 6 rows"),
        ("how many orders were shipped and how many were returned", "`shipped`. Not answered: `how many were"),
        ("how many gift orders, and how many customers live on the moon", "`true`. Not answered: `how many customers"),
        ("how many orders cost nothing and how many customers are from Germany", "2 rows of customers.csv"),
        ("what columns have missing values?", "`plan` 1 of 3 (customers.csv), `price` 1 of 6 (orders.csv)"),
        ("what is the date range of orders.csv?", "2023-05-02 10:00:00 to 2024-02-11 18:00:00 (6 of 6 rows)"),
        ("what is the price range", "orders.csv: `price` 2.5 to 30 (5 of 6 rows)"),
        ("are there duplicate rows in orders.csv?", "Yes: 1 of 6 rows of orders.csv repeat an earlier row (line 6)"),
        ("are the order ids unique?", "Not unique: 1 of 6 rows of orders.csv repeat an earlier value of `order_id`"),
        ("are there duplicate names?", "No: 0 of 3 rows of customers.csv repeat an earlier value of `name`"),
        ("is price correlated with quantity?", "Yes: strong negative correlation of `price` and `quantity`"),
        ("is price correlated with status?", "`status` of orders.csv holds text, not numbers: no correlation"),
        ("which columns does customers.csv have?", "customers.csv has 4 columns: customer\\_id (integer), name (text)"),
        ("how many requests returned 500?", "2 rows of access.log (6 rows read) where `status` = 500"),
        ("how many 502 responses did /a get on may 6", "1 row of access.log (6 rows read) where `path` is `/a` and"),
        ("which path has the most 500s", "(number of rows by `path` where `status` is `500` in access.log"),
        ("how many 5xx responses", "3 rows of access.log (6 rows read) where `status` is `500` or `502`"),
        ("which IP called most?", "2 more groups with the same figure"),
        ("which url was requested most often", "/a: 3; then /: 2; /b: 1 (number of rows by `path`"),
        ("how many errors per hour in app.log?", "2024-05-06 08:00: 1; 2024-05-07 09:00: 1; 2024-05-07 10:00: 1"),
        ("which day had the most errors in app.log?", "2024-05-07: 2; then 2024-05-06: 1"),
        ("when did the last error happen in app.log?", "maximum 2024-05-07 10:30:00 (over 3 of 5 rows"),
        ("how many timeouts in app.log", "2 rows of app.log (5 rows read) where `message` has the text `timeout`"),
        ("how many lines of app.log say \"database refused\"", "1 row of app.log"),
        ("how many warnings in app.log", "1 row of app.log (5 rows read) where `level` is `warning`"),
    ],
)  # fmt: skip
def test_the_first_line_has_the_figure(run: Run, question: str, said: str) -> None:
    assert said in first(run, question)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("average salary per department", "`salary`, `department` are no column and no value of the 4 tables"),
        ("how many customers are from Spain?", "`Spain` is no column and no value"),
        ("how many orders today", "`today` is no column and no value"),
        ("how many orders last week", "It is not clear what `week`"),
        ("how many customers have more than 5 orders", "It is not clear what"),
        ("average status per category", "`status` holds text, not numbers"),
        ("tell me something about orders", "`something` is no column and no value"),
        ("how many orders since May", "Say the year of `May` as well"),
        ("how many orders in May 2023 and June 2023", "It names several times"),
        ("how many requests to /c", "`/c` is no column and no value"),
        ("how many returned orders are from customers that do not exist in the customers table", "without `returned`"),
        ("how many requests were not found in access.log", "It is not clear what `not` is to do with it"),
        ("the highest shipped", "Say of which column"),
        ("the average, and what is the average price of those", "Not answered: `the average`: Say of which column"),
        ("how many flowers and what trees", "`flowers`, `trees` are no column and no value"),
        ("how many distinct", "Say of which column"),
        ("how many price", "Say whether the sum or the different values"),
        ("what percentage of orders", "Say which part of the rows"),
        ("top 3", "Say what is to be ranked"),
        ("the average of everything", "`everything` is no column"),
    ],
)
def test_what_does_not_fit_gives_no_figure_but_the_columns(run: Run, question: str, said: str) -> None:
    result = run("query_data", *FILES, request=question)
    line = result.text.split("\n")[0]
    assert line.startswith("No figure was computed.")
    assert said in line
    example = result.text.partition("A question that is answered: `")[2].partition("`")[0]
    assert example or "compared as a whole" in line or "Not answered" in line
    assert not example or "(over " in first(run, example) or " by " in first(run, example)
    assert not example or ": columns `" in result.text
    assert result.facts["on_point"] is False
    assert result.outcome["count"] == "none"


@pytest.mark.parametrize(
    ("name", "text", "question", "said"),
    [
        ("a.csv", "item;Betrag\nx;1.265,17\ny;1.000\nz;12,5\n", "sum of Betrag", "sum 2,277.67 (over 3 of 3 rows"),
        ("a.csv", 'item,cost\nx,"$1,250,000"\ny,"$830,500"\nz,n/a\n', "total cost", "sum 2,080,500 (over 2 of 3 rows"),
        ("a.csv", "item,cost\nx,$5\ny,€6\nz,$7\n", "total cost", "`cost` holds amounts in several currencies"),
        ("a.csv", 'item,cost\nx,"1,5"\ny,"1,234"\nz,"2,5"\n', "total cost", "writes numbers in two ways"),
        ("a.csv", "item,rate\nx,5%\ny,6\nz,7%\n", "average rate", "are percentages and some are not"),
        ("a.csv", "item,day\nx,03/04/2024\ny,05/06/2024\n", "how many rows per month", "whether the day or the month"),
        ("a.csv", "item,day\nx,03/14/2024\ny,05/06/2024\n", "rows per month", "2024-03: 1; 2024-05: 1"),
        ("a.csv", "item,day\nx,03/14/2024\ny,15/06/2024\n", "rows per month", "some dates with the day first and some"),
        ("a.csv", "item,day\nx,Jan 1 2000\ny,3 February 2001\n", "rows per year", "2000: 1; 2001: 1"),
        ("a.csv", "item,day\nx,31.02.2024\ny,01.03.2024\n", "rows per month", "2024-03: 1"),
        ("a.csv", "item,unit_price,total_price\nx,1,2\ny,3,4\n", "average price", "`price` may be `unit_price`, `tot"),
        ("a.csv", "from,to\nRome,Oslo\nOslo,Rome\n", "how many rows have Rome", "`Rome` may be `from`, `to`"),
        ("a.csv", "shop,opened,closed\nx,2020-01-01,2021-01-01\n", "shops per year", "say which of `opened`, `closed`"),
        ("a.csv", "item,n\nx,1\ny,\nz,inf\nw,4\n", "mean n", "average 2.50 (over 2 of 4 rows"),
        ("a.csv", "item,n\nx,1,9\ny,2\nz\n", "sum of n", "sum 3"),
        ("a.csv", TICKETS, "which agent has the most open rows", "3: 2; then 4: 1 (number of rows by `agent_id`"),
        ("a.csv", TICKETS, "how many rows were opened on January 3", "1 row of a.csv (5 rows read) where"),
        ("a.csv", BOUGHT, "total purchase value by device", "where `type` is `purchase` in a.csv (4 rows read): tv: 5"),
        ("notes.csv", SAID, "which agent has the most rows", "3: 2; then 4: 1 (number of rows by `agent_id`"),
        ("notes.csv", SAID, "how many rows of agent 3", "2 rows of notes.csv (3 rows read) where `agent_id` = 3"),
        ("notes.csv", SAID, "which agent notes have the highest n", "`n` where `author` is `agent`: maximum 7"),
        ("a.csv", MONEY, "how many new and how much money is that?", "sum 9 (over"),
        ("a.log", APP, "which hour had the most errors and what was the error", "Not answered: `what was the error`"),
        ("a.csv", BOUGHT, "total value by device", "in a.csv (4 rows read): pc: 9; tv: 5"),
        ("a.csv", "item,n\n", "sum of n", "No figure was computed."),
        ("a.csv", b"item,city\nx,M\xfcnchen\ny,K\xf6ln\n", "how many are from K\u00f6ln", "1 row of a.csv"),
        ("a.csv", b"item,city\nx,M\xc3\nz,Oslo\ny,\xff\xfe\n", "how many are from Oslo", "1 row of a.csv"),
        ("a.jsonl", EVENTS, "how many errors", "1 row of a.jsonl (2 rows read) where `level` is `error`"),
        ("a.jsonl", EVENTS, "average ms per day", "2024-06-01: 10; 2024-06-02: 30"),
        ("a.tsv", "shelf\tstock\nA\t4\nB\t9\na\t1\n", "max stock on shelf B", "maximum 9 (over 1 of 3 rows"),
        ("a.csv", YEARS, "which site has the highest yield in 1932?", "b: 9; then a: 4 (maximum of `yield`"),
        ("a.csv", YEARS, "average yield since 1932", "`yield` where `year` ≥ 1932: average 6.50 (over 2 of 3 rows"),
        ("a.csv", YEARS, "average yield before 1932", "average 20 (over 1 of 3 rows"),
        ("a.csv", YEARS, "average yield before", "It is not clear what `before` is to do with it"),
        ("server.log", SERVER, "how many requests got a 404?", "1 row of server.log (3 rows read)"),
        ("server.log", SERVER, "which path was requested most often", "/a: 1; 1 more group with the same figure"),
        ("auth.log", SYSLOG, "how many entries per day", "05-06: 3"),
        ("auth.log", SYSLOG, "how many entries since 2024-01-01", "The times are written without a year."),
        ("auth.log", SYSLOG, "entries per year", "no row"),
        ("auth.log", SYSLOG, "entries per minute", "05-06 03:04: 3"),
        ("auth.log", SYSLOG, "entries in May", "3 rows of auth.log"),
        ("auth.log", SYSLOG, "how many entries in May", "3 rows of auth.log"),
    ],
)  # fmt: skip
def test_numbers_dates_and_letters_as_files_write_them(
    run: Run, name: str, text: str | bytes, question: str, said: str
) -> None:
    assert said in first(run, question, given(name, text))


def test_of_several_times_the_one_called_after_the_table_is_meant(run: Run) -> None:
    text = "id,OrderDate,ShippedDate\n1,1997-01-03,1997-02-01\n2,1997-01-09,1997-02-02\n3,1998-01-05,1998-01-06\n"
    assert "by month of `OrderDate`" in first(run, "how many orders per month in 1997", given("orders.csv", text))


def test_a_column_of_ones_and_zeros_is_a_condition(run: Run) -> None:
    text = "name,discontinued\nink,0\npen,1\ncup,0\nbag,1\n"
    assert "2 rows" in first(run, "how many products are discontinued", given("products.csv", text))


def test_what_was_left_out_or_flawed_is_said(run: Run) -> None:
    ragged = run("query_data", given("a.csv", "item,n\nx,1\ny,2,3\nz,\n,4\n"), request="sum of n per item")
    assert "1 row without a number in `n` is left out." in ragged.text
    assert "1 row without `item` is left out." in ragged.text
    assert "more or fewer cells" in ragged.text
    broken = run("query_data", given("a.csv", "item,n\nx,1\n"), given("b.bin", b"\0\1\2" * 99), request="sum of n")
    assert "b.bin is not text and no known table." in broken.text
    assert broken.outcome["status"] == "partial"
    assert broken.facts["unread"] == {"b.bin": "b.bin is not text and no known table."}


def test_of_files_that_a_question_does_not_name_nothing_is_read(run: Run) -> None:
    result = run("query_data", *FILES, request="how many rows in customers.csv")
    assert result.text == "3 rows in customers.csv.\n"
    assert result.facts["unread"] == {
        each.name: "the question names another file" for each in FILES if each != FILES[1]
    }


def test_tables_of_a_database_are_told_apart(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "w.db"
    with sqlite3.connect(place) as base:
        base.execute("create table items(id integer primary key, shelf text, stock integer)")
        base.execute("create table moves(id integer primary key, item_id integer references items(id))")
        base.executemany("insert into items values(?,?,?)", [(1, "A", 5), (2, "B", 7)])
        base.executemany("insert into moves values(?,?)", [(1, 1), (2, 1), (3, 2)])
    base.close()
    inputs = [Input(name="w.db", file=str(place), part=part) for part in ("items", "moves")]
    told = first(run, "which tables does this SQLite database have, and how many rows?", *inputs)
    assert told == "2 tables: w.db\\#items 2 rows, w.db\\#moves 3 rows."
    assert "`stock` where `shelf` is `B`: maximum 7" in first(run, "max stock on shelf B", *inputs)
    assert "`moves.item_id` = `items.id` (every value has a partner, declared)" in first(
        run, "how are they joined", *inputs
    )


def test_rows_that_refer_to_no_row_of_another_table_are_counted(run: Run) -> None:
    question = "which orders have customers that are not found in the customers table?"
    fewer = given("customers.csv", "".join(CUSTOMERS.splitlines(keepends=True)[:3]))
    said = "2 of 6 rows of orders.csv have a `customer_id` that is no `customer_id` of customers.csv (1 different"
    assert first(run, question, given("orders.csv", ORDERS), fewer).startswith(said)
    apart = given("orders.csv", "x,y\n1,2\n3,4\n"), given("customers.csv", "p,q\n5,6\n7,8\n")
    assert first(run, question, *apart).startswith("It cannot be told: no column was found that joins")


def test_rows_to_which_nothing_refers_are_counted_and_named(run: Run) -> None:
    more = given("customers.csv", CUSTOMERS + "10,Dora,Spain,\n")
    said = "1 of 4 rows of customers.csv have a `customer_id` that is no `customer_id` of orders.csv"
    said = f"{said} (1 different value: `10` (Dora))."
    assert first(run, "which customers never ordered anything?", given("orders.csv", ORDERS), more) == said
    assert first(run, "are there customers without orders?", given("orders.csv", ORDERS), more) == f"Yes: {said}"
    assert first(run, "which customers have no orders?").startswith("0 of 3 rows of customers.csv")


def test_two_tables_are_joined_by_a_column_of_one_name_that_is_a_key(run: Run) -> None:
    sales = given("sales.csv", "sku,n\nA,1\nB,2\nA,3\nC,5\n")
    goods = given("goods.csv", "sku,color,price\nA,red,2\nB,blue,3\n")
    said = "red: 2; then blue: 1 (number of rows by `color` in sales.csv (4 rows read), most first)."
    told = f"{said} Joined with goods.csv on `sku`; 1 row of 4 without a partner."
    assert first(run, "which color has the most sales", sales, goods) == told
    assert "would count several times" in first(run, "total price per n of sales", sales, goods)
    assert "`sales` is no column and no value of" in first(run, "which color has the most sales", goods)
    rows = "".join(f"{number},x\n" for number in range(3, 30))
    keyed = given("items.csv", f"id,color\n1,red\n1,red\n2,blue\n2,green\n{rows}")
    said = "red: 1 (number of rows by `color` in sales.csv (2 rows read), most first). Joined with items.csv on"
    told = f"{said} `item_id` = `id`; 1 key with several rows that differ, which are left out."
    assert first(run, "which color has the most sales", given("sales.csv", "item_id,n\n1,4\n2,4\n"), keyed) == told


def test_tables_without_a_common_key_are_said_to_have_none(run: Run) -> None:
    apart = given("a.csv", "x,y\n1,2\n3,4\n"), given("b.csv", "p,q\n5,6\n7,8\n")
    assert first(run, "can a and b be joined?", *apart).startswith("No column was found that joins them")
    near = given("a.csv", "city,y\nRome,2\nRome,4\n"), given("b.csv", "city,q\nRome,6\nRome,8\n")
    assert first(run, "can they be joined?", *near).startswith("Perhaps, on columns of the same name")


def test_a_secret_is_masked_and_a_value_that_was_asked_for_is_not(run: Run) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    text = f"email,token,n\nada@example.com,{key[:40]},1\nben@example.com,{key[:39]}Z,2\n" * 3
    assert key[:30] not in run("query_data", given("a.csv", text), request="n per token").text
    assert "ada@example.com: 3" in first(run, "sum of n per email", given("a.csv", text))


def test_without_a_question_or_a_table_it_fails(run: Run) -> None:
    assert run("query_data", *FILES, request=" ").outcome["status"] == "failed"
    assert run("query_data", given("a.bin", b"\0\1" * 99), request="how many rows").outcome["status"] == "failed"


def test_a_question_that_fits_many_tables_is_answered_for_some(run: Run) -> None:
    many = [given(f"t{number}.csv", "x,y\n1,2\n") for number in range(60)]
    result = run("query_data", *many, request="how many rows are there")
    assert result.text.count("1 row in t") == 6
    assert "42 more tables would fit: name the file that is meant." in result.text
    assert "12 tables of 60 were not read." in result.text
    assert result.outcome["status"] == "partial"


def test_a_long_log_is_read_in_parts_and_no_entry_is_cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_table, "BLOCK", 300)
    lines = "".join(
        f"2024-05-0{1 + number // 40} 08:00:00 ERROR app: no {number}\n  at x\n  at y\nValueError: {number}\n"
        for number in range(80)
    )
    log = Input(name="app.log", kind="log_stream", data=lines.encode())
    told = first(run, "errors per day", log)
    assert "2024-05-01: 40; 2024-05-02: 40" in told
    monkeypatch.setattr("plantwin.private.capabilities.query_data.LOGS", 1000)
    cut = run("query_data", log, request="how many errors")
    assert "app.log, of which only a part was read" in cut.text
    assert cut.outcome["status"] == "partial"
    assert "truncated" in cut.outcome["tags"]


def test_words_are_read_once_and_quotations_keep_their_letters() -> None:
    question = read("Top 10 'New York' rows by price, what's the total?")
    assert question.most == 10
    assert [token.raw for token in question.tokens if token.kind == "quoted"] == ["New York"]
    assert read("x" * 5000).tokens[0].text == "x" * 600


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("average tip by day", "Average of `tip` by `day`"),
        ("which species is the heaviest", "b: 9; then a: 5 (maximum of `body_mass`"),
        ("what is the longest bill in tips", "`bill_length`: maximum 3"),
    ],
)
def test_a_column_is_meant_by_what_it_measures(run: Run, question: str, said: str) -> None:
    tips = "tip,day,species,body_mass,bill_length,arm_length\n1,Sun,a,5,3,4\n2,Sat,b,9,2,5\n3,Sun,a,4,1,6\n"
    assert first(run, question, given("tips.csv", tips)).startswith(said)
