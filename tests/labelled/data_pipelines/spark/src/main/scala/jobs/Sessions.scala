package jobs

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.expressions.Window
import org.apache.spark.sql.functions._

/** Cuts the click stream into visits: a gap of thirty minutes starts a new one. */
object Sessions {

  private val Gap = 30 * 60

  def cut(clicks: DataFrame): DataFrame = {
    val byVisitor = Window.partitionBy("visitor_id").orderBy("ts")
    clicks
      .dropDuplicates("event_id")
      .withColumn("previous", lag(col("ts"), 1).over(byVisitor))
      .withColumn("starts", when(col("previous").isNull || col("ts") - col("previous") > Gap, 1).otherwise(0))
      .withColumn("visit", sum("starts").over(byVisitor))
      .groupBy("visitor_id", "visit")
      .agg(min("ts").as("began"), max("ts").as("ended"), count("*").as("clicks"))
  }

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder.appName("sessions").getOrCreate()
    val clicks = spark.read.parquet(args(0))
    cut(clicks).write.mode("overwrite").partitionBy("visit").parquet(args(1))
    spark.stop()
  }
}
