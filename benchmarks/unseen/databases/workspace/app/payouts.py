"""Works out the payouts of a month and writes them to the table."""

import sys

import psycopg2

URL = "{{secret:db_url}}"

PRICES = {"A": 1.42, "B": 1.10, "C": 0.87}


def grade(must_weight):
    if must_weight > 85:
        return "A"
    if must_weight > 70:
        return "B"
    return "C"


def deliveries(cursor, month):
    cursor.execute(
        "SELECT grower_id, kilos, must_weight FROM deliveries "
        f"WHERE to_char(delivered_at, 'YYYY-MM') = '{month}'"
    )
    return cursor.fetchall()


def amounts(rows):
    result = {}
    for grower, kilos, must_weight in rows:
        price = PRICES[grade(must_weight or 0)]
        old = result.get(grower, (0, 0.0))
        result[grower] = (old[0] + (kilos or 0), round(old[1] + float(kilos or 0) * price, 0))
    return result


def write(cursor, month, result):
    for grower, (kilos, amount) in result.items():
        cursor.execute(
            "INSERT INTO payouts (grower_id, month, kilos, amount) "
            "VALUES (%s, '%s', %s, %s)" % (grower, month, kilos, amount)
        )


def main():
    month = sys.argv[1]
    connection = psycopg2.connect(URL)
    cursor = connection.cursor()
    result = amounts(deliveries(cursor, month))
    write(cursor, month, result)
    connection.commit()
    print("paid", len(result), "growers")


if __name__ == "__main__":
    main()
