# SPDX-License-Identifier: MIT
#
# golden.R - writes tests/characterize/golden: tables, and what R makes of them. Needed only to make
# them again (Debian: r-base-core, no other package):
#
#     cd tests/characterize && Rscript --vanilla golden.R
#
# NAME.csv is the table; NAME.golden has blocks of numbers: a line `block NAME ROWS COLUMNS`, then the
# rows. 17 digits say a double exactly.
#
# The cross-validation is that of estim_ncpPCA(method.cv = "loo") of the package missMDA, which Debian
# does not have: it is written out here from its definition (doc/characterize.md).

full <- function(x) formatC(x, digits = 17, format = "g", width = 1)

write_table <- function(x, file) {
	cat("name", colnames(x), sep = ",", file = file)
	cat("\n", file = file, append = TRUE)
	for (i in seq_len(nrow(x)))
		cat(rownames(x)[i], full(x[i, ]), sep = c(rep(",", ncol(x)), "\n"),
		    file = file, append = TRUE)
}

write_block <- function(name, x, file) {
	x <- as.matrix(x)
	cat("block", name, nrow(x), ncol(x), "\n", file = file, append = TRUE)
	cat(apply(x, 1, function(row) paste(full(row), collapse = " ")), sep = "\n",
	    file = file, append = TRUE)
}

# A hidden cell, told by q components from the others.
predict_cell <- function(x, row, column, q) {
	n <- nrow(x); p <- ncol(x)
	known <- x; known[row, column] <- NA
	if (q == 0)
		return(mean(known[, column], na.rm = TRUE))
	m <- colMeans(known, na.rm = TRUE)
	z <- sweep(known, 2, m)
	s <- sqrt(colMeans(z^2, na.rm = TRUE))
	z <- sweep(z, 2, s, "/")
	fit <- z; fit[row, column] <- 0
	z[row, column] <- 0
	old <- Inf
	for (step in 2:1001) {
		z[row, column] <- fit[row, column]
		filled <- sweep(sweep(z, 2, s, "*"), 2, m, "+")
		m <- colMeans(filled)
		z <- sweep(filled, 2, m)
		s <- sqrt(colMeans(z^2))
		z <- sweep(z, 2, s, "/")
		# weights 1/n of the rows
		d <- svd(z / sqrt(n))
		v <- d$d[1:min(p, n - 1)]
		noise <- n * p / min(p, n - 1) *
			sum(v[-(1:q)]^2 / ((n - 1) * p - (n - 1) * q - p * q + q^2))
		noise <- min(noise, v[q + 1]^2)
		shrunk <- (v[1:q]^2 - noise) / v[1:q]
		fit <- sqrt(n) * d$u[, 1:q, drop = FALSE] %*% diag(shrunk, q) %*%
			t(d$v[, 1:q, drop = FALSE])
		rest <- z - fit
		rest[row, column] <- 0
		now <- sum(rest^2) / n
		if (step > 5 && (abs(1 - now / old) < 1e-4 || now < 1e-4))
			break
		old <- now
	}
	z[row, column] * s[column] + m[column]
}

loo_errors <- function(x) {
	most <- min(5, ncol(x) - 1, nrow(x) - 2)
	sapply(0:most, function(q) {
		told <- x
		for (i in seq_len(nrow(x)))
			for (j in seq_len(ncol(x)))
				told[i, j] <- predict_cell(x, i, j, q)
		mean((told - x)^2)
	})
}

write_clusters <- function(points, k, prefix, file) {
	write_block(paste0(prefix, "points"), points, file)
	for (method in c("ward.D2", "ward.D")) {
		tree <- hclust(dist(points), method = method)
		write_block(paste0(prefix, "merge.", method), tree$merge, file)
		write_block(paste0(prefix, "height.", method), tree$height, file)
		write_block(paste0(prefix, "order.", method), tree$order, file)
		write_block(paste0(prefix, "cut.", method), cutree(tree, k), file)
	}
}

write_golden <- function(name, x) {
	x <- as.matrix(x)
	file <- file.path("golden", paste0(name, ".golden"))
	write_table(x, file.path("golden", paste0(name, ".csv")))
	cat("# ", R.version.string, "\n", sep = "", file = file)
	write_clusters(x, 5, "raw.", file)
	z <- scale(x)
	write_block("scaled", z, file)
	pca <- princomp(z)
	share <- pca$sdev^2 / sum(pca$sdev^2)
	kept <- which(cumsum(share) >= 0.85)[1]
	write_block("sdev", pca$sdev, file)
	write_block("share", share, file)
	write_block("loadings", unclass(pca$loadings), file)
	write_block("scores", pca$scores, file)
	write_block("kept", kept, file)
	write_clusters(scale(pca$scores[, 1:kept, drop = FALSE]), 5, "", file)
	errors <- loo_errors(matrix(z, nrow(z)))
	write_block("errors", errors, file)
	write_block("best", which.min(errors) - 1, file)
}

rows <- function(x, names) { rownames(x) <- names; x }

write_golden("usarrests", USArrests)
write_golden("mtcars", mtcars)
write_golden("iris", rows(iris[, 1:4], paste0("flower", 1:150)))

# A lattice with equal distances everywhere, points that coincide, and a column that is no multiple of
# others: each merge but the last ones is a tie.
grid <- expand.grid(x = 0:4, y = 0:4)
grid$z <- (grid$x * 2 + grid$y * 3) %% 5
grid <- rbind(grid, grid[c(1, 7, 13), ])
write_golden("lattice", rows(grid, paste0("p", seq_len(nrow(grid)))))

# As many programs and properties as the paper has, of four hidden causes; powers of ten apart.
set.seed(2015)
causes <- matrix(rnorm(30 * 4), 30)
made <- causes %*% matrix(rnorm(4 * 10), 4) + 0.3 * matrix(rnorm(300), 30)
made <- sweep(exp(made), 2, 10^(0:9), "*")
colnames(made) <- paste0("property", 1:10)
write_golden("programs", rows(made, paste0("run", 1:30)))
