library(dplyr)
library(readr)
library(tidyr)

raw <- read_csv("data/survey_raw.csv", na = c("", "n/a", "-99"))

survey <- raw |>
  distinct(response_id, .keep_all = TRUE) |>
  filter(!is.na(submitted_at)) |>
  mutate(
    team = toupper(trimws(team)),
    score = as.integer(score),
    submitted_at = as.POSIXct(submitted_at, tz = "UTC")
  ) |>
  pivot_longer(starts_with("q"), names_to = "question", values_to = "answer") |>
  drop_na(answer)

write_csv(survey, "data/survey_clean.csv")
message(nrow(raw) - n_distinct(survey$response_id), " responses dropped")
