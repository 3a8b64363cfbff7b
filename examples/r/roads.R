# Four places and the roads between them: distances, an error.
#
#   PKG_CPPFLAGS="$(pkg-config --cflags apsp)" PKG_LIBS="$(pkg-config --libs apsp)" R CMD SHLIB apsp.c
#   Rscript roads.R apsp.so
dyn.load(commandArgs(trailingOnly = TRUE)[1])

distances <- function(n, roads) {
  .Call("apsp_distances", as.integer(n), as.integer(roads$from), as.integer(roads$to), as.numeric(roads$km))
}

roads <- data.frame(from = c(1, 2, 1, 3), to = c(2, 3, 3, 4), km = c(2, 3, 9, 1))
found <- distances(4, roads)
print(found)
stopifnot(found[1, 4] == 6, isSymmetric(found), diag(found) == 0)

wrong <- tryCatch(distances(3, roads), error = conditionMessage)
print(wrong)
stopifnot(is.character(wrong), grepl("3", wrong))
