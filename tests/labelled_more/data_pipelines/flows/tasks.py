import datetime as dt

import luigi
from luigi.contrib.s3 import S3Target

from mill import grade, pull, rollup


class Pull(luigi.Task):
    day = luigi.DateParameter()
    site = luigi.Parameter()

    def output(self):
        return S3Target(f"s3://mill-raw/{self.site}/{self.day:%Y/%m/%d}.ndjson.gz")

    def run(self):
        with self.output().open("w") as f:
            pull.day(self.site, self.day, f)


class Grade(luigi.Task):
    day = luigi.DateParameter()

    def requires(self):
        return [Pull(day=self.day, site=s) for s in ("ash", "birch", "pine")]

    def output(self):
        return S3Target(f"s3://mill-graded/{self.day}.parquet")

    def run(self):
        grade.all(self.input(), self.output().path)


class Week(luigi.WrapperTask):
    end = luigi.DateParameter(default=dt.date.today())

    def requires(self):
        for i in range(7):
            yield Grade(day=self.end - dt.timedelta(days=i))
