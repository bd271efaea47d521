"""Questions about tables in everyday words: what is earned, countries by name, slips, and rows without a partner."""

from __future__ import annotations

import pytest
from capability_inputs import Run, given

SHOP = (
    given(
        "orders.csv",
        "order_id,customer_id,sku,quantity,discount_pct,order_date,status,total\n"
        "1,71,A-1,2,0,2024-03-02,completed,30\n2,72,A-2,1,5,2024-03-20,cancelled,50\n"
        "3,71,A-2,1,,2024-04-01,completed,50\n4,79,A-1,9,0,2024-04-03,completed,15\n5,71,A-1,1,0,2024-05-03,pending,10\n",
    ),
    given("customers.csv", "customer_id,country,tier\n71,DE,gold\n72,FR,basic\n73,DE,basic\n74,US,gold\n"),
    given("products.csv", "sku,name,category,unit_price\nA-1,Pan,Kitchen,15\nA-2,Lamp,Lighting,50\n"),
    given("returns.csv", "return_id,order_id,reason\nR1,2,damaged\nR2,99,\nR3,4,damaged\nR4,1,late\n"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("revenue by month for completed orders", "2024-03: 30; 2024-04: 65. Read `revenue` as the column `total`."),
        ("average order value of cancelled orders in march", "average 50 (over 1 of 5 rows"),
        ("total sales in 2024", "sum 155"),
        ("monthly turnover 2024", "2024-03: 80; 2024-04: 65; 2024-05: 10"),
        ("how much revenue did we make in april", "month 04: sum 65"),
        ("average value of completed orders", "average 31.67"),
        ("highest value", "`total`: maximum 50"),
        ("average value of quantity", "`quantity`: average 2.80"),
        ("who spent the most", "71: 90; then 72: 50; 79: 15 (sum of `total`"),
        ("top 2 customers by total spent", "71: 90; 72: 50 (sum of `total`"),
        ("how many sales were cancelled", "1 row of orders.csv"),
        ("how many gold customers are in Germany", "1 row of customers.csv (4 rows read) where `tier` is `gold`"),
        ("how many customers from Deutschland", "2 rows of customers.csv (4 rows read) where `country` is `DE`"),
        ("how many customers are from the United States", "1 row of customers.csv"),
        ("how many customers are from Japan", "`Japan` is no column and no value"),
        ("which product category sells best?", "Lighting: 100; then Kitchen: 55 (sum of `total` by `category`"),
        ("which product sells most", "Pan: 12; then Lamp: 2 (sum of `quantity`"),
        ("most common return reasons", "damaged: 2; then late: 1 (number of rows by `reason`"),
        ("häufigste Rückgabegründe", "damaged: 2; then late: 1 (number of rows by `reason`"),
        ("worst selling category", "Kitchen: 55; then Lighting: 100 (sum of `total`"),
        ("most sold product", "Pan: 12; then Lamp: 2 (sum of `quantity`"),
        ("revenue from gold customers", "`tier` is `gold`: sum 90"),
        ("total spent by gold customers", "`tier` is `gold`: sum 90"),
        ("what is our revenue", "`total`: sum 155"),
        ("what does the total column mean?", "`meaning` is no column and no value"),
        ("sales in Germany", "`total` where `country` is `DE`: sum 90"),
        ("revenue from cancelled orders", "`cancelled`: sum 50"),
        ("which month had the highest sales", "2024-03: 80; then 2024-04: 65"),
        ("which month had the highest order value", "(maximum of `total` by month"),
        ("how many customers spent more than 60", "No figure was computed. It is not clear what"),
        ("average order id", "The numbers of `order_id` are names of rows, not amounts."),
        ("returns without an order", "Yes: 1 of 4 rows of returns.csv have a `order_id` that is no"),
        ("orders without a return", "Yes: 2 of 5 rows of orders.csv"),
        ("any orders whose customer does not exist, or returns without an order?", "`79`). Yes: 1 of 4 rows of ret"),
        ("whats the avrage order value of cancelled ordrs", "Read `avrage` as `average`, `ordrs` as `orders`."),
        ("how many custmers per contry", "DE: 2; FR: 1; US: 1. Read `custmers` as `customers`"),
        ("how many orders were canceled or pendign", "`status` is `cancelled` or `pending`"),
        ("what was our profit margin", "`profit`, `margin` are no column and no value"),
    ],
)  # fmt: skip
def test_everyday_words_are_read_as_columns_and_values(run: Run, question: str, said: str) -> None:
    assert said in run("query_data", *SHOP, request=question).text.split("\n")[0]


@pytest.mark.parametrize(
    ("table", "question", "said"),
    [
        ("item,amount,total\na,1,2\nb,3,4\n", "total sales", "as the column `total` (there is `amount` as well)."),
        ("item,amount,total\na,1,2\nb,3,4\n", "total revenue", "sum 6"),
        ("item,unit_price,qty\na,1.5,2\nb,3,4\nb,,1\n", "revenue per item", "Sum of `unit_price × qty` by `item`"),
        ("item,qty\na,2\nb,4\n", "which item sells best", "b: 4; then a: 2 (sum of `qty` by `item`"),
        ("day,price\n2024-01-01,2\n2024-01-02,5\n", "total sales", "`price`: sum 7"),
        ("item,price\na,2\nb,5\n", "total sales", "`sales` is no column and no value"),
        ("who,net_revenue,total\na,2,9\nb,5,9\n", "total revenue", "`net_revenue`: sum 7"),
        ("name,land\na,Germany\nb,Italy\n", "how many from Deutschland", "`land` is `Germany`"),
        ("name,land\na,Germany\nb,Italy\n", "how many from DE", "`land` is `Germany`"),
        ("name,word\na,IT\nb,so\nc,an\n", "how many from Italy", "`Italy` is no column and no value"),
        ("name,county\na,Kent\nb,Kent\nc,Essex\n", "how many per coutny", "Essex: 1. Read `coutny` as `county`"),
    ],
)  # fmt: skip
def test_the_likeliest_column_is_taken_and_said(run: Run, table: str, question: str, said: str) -> None:
    assert said in run("query_data", given("t.csv", table), request=question).text.split("\n")[0]


WORLD = (
    given("CityTable.csv", "id,name,country_code,population\n1,Rome,IT,9\n2,Milan,IT,5\n3,Nice,FR,4\n"),
    given(
        "CountryTable.csv",
        "code,name,local_name,population,head_of_state,member\n"
        "IT,Italy,Italia,60,Anna,1\nFR,France,France,67,Bea,1\nCH,Switzerland,Schweiz,9,Carl,0\n",
    ),
    given("fees.csv", "payer,monthly_fee\na,10\nb,30\n"),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many cities are in Italy", "2 rows of CityTable.csv"),
        ("which country has the largest population", "Highest `population` in CountryTable.csv (3 rows read): 67"),
        ("who is the head of state of France", "head\\_of\\_state Bea: 1 row of CountryTable.csv"),
        ("average population of the members", "`population` where `member` is `1`: average 63.50"),
        ("what is the average monthly fee", "`monthly_fee`: average 20"),
        ("top 2 countries by population", "France: 67; Italy: 60."),
        ("bottom 2 countries by population", "No figure was computed."),
    ],
)
def test_a_table_is_found_by_its_name_and_a_value_by_another(run: Run, question: str, said: str) -> None:
    assert said in run("query_data", *WORLD, request=question).text.split("\n")[0]


def test_as_many_groups_are_listed_as_are_asked_for(run: Run) -> None:
    table = given("t.csv", "person,total\n" + "".join(f"p{number},{number}\n" for number in range(9)))
    told = run("query_data", table, request="top 3 persons by total").text
    assert "p6" in told
    assert "p5" not in told
    assert "6 more groups." in told
