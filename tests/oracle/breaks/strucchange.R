# Rscript strucchange.R SERIES OUTPUT: breaks of every series by strucchange.
# SERIES has a line "case id line relative h most" (flags 0 or 1) for each series, and its points as "point id x y NA NA".
# OUTPUT gets a line "id m rss bic places lowest highest" for each number of breaks m; places are joined by ";", the last
# two only for the m that BIC chooses.
suppressMessages(library(strucchange))

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.table(arguments[1], col.names = c("kind", "id", "a", "b", "c", "d"), fill = TRUE)
cases <- table[table$kind == "case", ]
points <- split(table[table$kind == "point", ], table$id[table$kind == "point"])
output <- file(arguments[2], "w")

joined <- function(values) if (all(is.na(values))) "-" else paste(values, collapse = ";")

for (row in seq_len(nrow(cases))) {
  case <- cases[row, ]
  series <- points[[as.character(case$id)]]
  weight <- if (case$b == 1) 1 / series$b else rep(1, nrow(series))
  data <- data.frame(response = series$b * weight, constant = weight, slope = series$a * weight)
  formula <- if (case$a == 1) response ~ 0 + constant + slope else response ~ 0 + constant
  found <- breakpoints(formula, data = data, h = case$c, breaks = case$d)
  criteria <- summary(found)$RSS
  chosen <- which.min(criteria["BIC", ]) - 1
  for (m in 0:case$d) {
    places <- breakpoints(found, breaks = m)$breakpoints
    lowest <- highest <- NA
    if (m == chosen && m > 0) {
      interval <- tryCatch(suppressWarnings(confint(found, breaks = m)$confint), error = function(e) NULL)
      if (!is.null(interval)) {
        lowest <- interval[, 1]
        highest <- interval[, 3]
      }
    }
    cat(case$id, m, format(criteria["RSS", m + 1], digits = 17), format(criteria["BIC", m + 1], digits = 17),
        joined(places), joined(lowest), joined(highest), "\n", file = output)
  }
}
close(output)
