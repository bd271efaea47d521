import great_expectations as gx
import great_expectations.expectations as gxe

context = gx.get_context(mode="file")
suite = context.suites.add_or_update(gx.ExpectationSuite(name="lots"))

for column in ("lot", "article", "expires_on", "quantity"):
    suite.add_expectation(gxe.ExpectColumnValuesToNotBeNull(column=column))
suite.add_expectation(gxe.ExpectColumnValuesToMatchRegex(column="lot", regex=r"^[A-Z]{2}\d{6}$", mostly=0.995))
suite.add_expectation(gxe.ExpectColumnValuesToBeBetween(column="quantity", min_value=0, max_value=250_000))
suite.add_expectation(gxe.ExpectCompoundColumnsToBeUnique(column_list=["lot", "article"]))
suite.add_expectation(gxe.ExpectTableRowCountToBeBetween(min_value=10_000))

batch = context.data_sources.get("lake").get_asset("lots").get_batch_definition("daily")
check = context.validation_definitions.add_or_update(gx.ValidationDefinition(name="lots_daily", data=batch, suite=suite))

if not check.run().success:
    raise SystemExit("lots: expectations not met")
