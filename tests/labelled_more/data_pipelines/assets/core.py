import pandas as pd
from dagster import AssetExecutionContext, MonthlyPartitionsDefinition, asset

months = MonthlyPartitionsDefinition(start_date="2023-01-01")


@asset(partitions_def=months, io_manager_key="lake")
def trips_clean(context: AssetExecutionContext, trips_raw: pd.DataFrame) -> pd.DataFrame:
    df = trips_raw.rename(columns=str.lower).drop_duplicates("trip_id")
    df["minutes"] = (df.end_ts - df.start_ts).dt.total_seconds() / 60
    before = len(df)
    df = df[df.minutes.between(1, 24 * 60) & df.start_dock.notna()]
    context.add_output_metadata({"dropped": before - len(df)})
    return df


@asset(partitions_def=months, io_manager_key="lake")
def dock_hours(trips_clean: pd.DataFrame, docks: pd.DataFrame) -> pd.DataFrame:
    out = trips_clean.assign(hour=trips_clean.start_ts.dt.floor("h")).groupby(["start_dock", "hour"]).size()
    back = trips_clean.assign(hour=trips_clean.end_ts.dt.floor("h")).groupby(["end_dock", "hour"]).size()
    out.index.names = back.index.names = ["dock", "hour"]
    frame = pd.concat({"out": out, "back": back}, axis=1).fillna(0).astype(int).reset_index()
    return frame.merge(docks[["dock", "capacity"]], on="dock", how="left")
