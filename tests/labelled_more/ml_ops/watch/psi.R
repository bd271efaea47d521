suppressPackageStartupMessages({library(arrow); library(jsonlite)})

args <- commandArgs(TRUE)
ref <- read_parquet(args[1])
cur <- read_parquet(args[2])

psi <- function(a, b, k = 10) {
  br <- unique(quantile(a, seq(0, 1, length.out = k + 1), na.rm = TRUE))
  br[1] <- -Inf; br[length(br)] <- Inf
  p <- pmax(prop.table(table(cut(a, br))), 1e-4)
  q <- pmax(prop.table(table(cut(b, br))), 1e-4)
  sum((q - p) * log(q / p))
}

num <- names(Filter(is.numeric, ref))
res <- sapply(num, function(n) psi(ref[[n]], cur[[n]]))
res["y_hat"] <- psi(ref$y_hat, cur$y_hat)

write_json(as.list(res), "drift.json", auto_unbox = TRUE)
bad <- res[res > 0.25]
if (length(bad)) {
  message("shifted since the model was fitted: ", paste(names(bad), collapse = ", "))
  quit(status = 3)
}
