import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

src, ref, dst = sys.argv[1:4]
spark = SparkSession.builder.appName("job").config("spark.sql.shuffle.partitions", 96).getOrCreate()

a = spark.read.parquet(src)
b = F.broadcast(spark.read.option("header", True).csv(ref))

w = Window.partitionBy("serial").orderBy(F.col("ts").desc())
a = (
    a.filter(F.col("ts").isNotNull())
    .withColumn("rn", F.row_number().over(w))
    .filter("rn = 1")
    .drop("rn")
    .withColumn("rpm", F.when(F.col("rpm") > 20000, None).otherwise(F.col("rpm")))
)
(
    a.join(b, "serial", "left")
    .withColumn("d", F.to_date("ts"))
    .repartition("d")
    .write.mode("overwrite")
    .partitionBy("d")
    .parquet(dst)
)
