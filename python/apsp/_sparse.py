"""Converts sparse arrays to SciPy's, in CPU memory."""

import numpy as np

from ._errors import UsageError, WrongTypeError
from ._labels import counted


def is_sparse(matrix):
    """Whether this is a sparse array of SciPy, CuPy, PyTorch or JAX."""
    kind = _kind(matrix)
    if kind == "torch":
        return bool(getattr(matrix, "is_sparse", False) or getattr(matrix, "is_sparse_csr", False))
    says = {"scipy": "tocoo", "cupyx": "get", "jax": "nse"}
    return kind in says and hasattr(matrix, says[kind])


def entries_of(matrix):
    """(n, rows [m], columns [m], values [m], remarks) of the entries that are edges, without zeros that fill
    blocks of a bsr and diagonals of a dia. Duplicate entries of a coo are added up, those of other formats are
    parallel edges, both as in scipy.sparse.csgraph. True is 1. Arrays on a GPU are copied.

    Raises
    ------
    UsageError
        The matrix is not square or not sparse, or its parts are inconsistent.
    """
    shape = tuple(getattr(matrix, "shape", ()))
    if not is_sparse(matrix):
        raise WrongTypeError(f"a {type(matrix).__name__} is no sparse array of SciPy, CuPy, PyTorch or JAX")
    if len(shape) != 2 or shape[0] != shape[1]:
        raise UsageError(f"a matrix of the shape {shape} is not a square matrix")
    matrix = _converted(matrix)
    require_consistent(matrix)
    stored, form = matrix.nnz, matrix.format
    entries = matrix.tocoo(copy=form == "coo")
    if form == "coo":
        entries.sum_duplicates()
    elif form == "bsr":
        there = entries.data != 0
        entries = type(entries)((entries.data[there], (entries.row[there], entries.col[there])), shape=shape)
    gone = stored - entries.nnz
    data = entries.data
    if data.dtype.kind == "b":
        if not data.all():
            raise UsageError("a stored False is an edge of length 0 in scipy.sparse.csgraph: eliminate_zeros(), or give "
                             "numbers")
        data = np.ones(len(data))
    remarks = []
    if gone and form == "coo":
        remarks.append(f"{counted(gone, 'entry was', 'entries were')} added to another at one place, as SciPy does")
    elif (twins := _duplicates(matrix)):
        remarks.append(f"{counted(twins, 'entry has', 'entries have')} the place of another: parallel edges, of which "
                       "the best counts, as in scipy.sparse.csgraph (sum_duplicates() adds them up)")
    elif gone:
        remarks.append(f"{counted(gone, 'stored 0 is', 'stored 0s are')} no edge: zeros fill {form} arrays")
    return shape[0], entries.row, entries.col, data, remarks


def _duplicates(matrix):
    """The number of entries of compressed rows or columns at the place of another."""
    if matrix.format not in ("csr", "csc") or matrix.has_canonical_format:
        return 0
    summed = matrix.copy()
    summed.sum_duplicates()
    return matrix.nnz - summed.nnz


def require_consistent(matrix):
    """Raises `UsageError` if the parts of SciPy's compressed rows or columns are inconsistent. SciPy's
    conversions do not check them and would access other memory."""
    if not hasattr(matrix, "check_format"):
        return
    try:
        # SciPy does not check indptr if its last value is 0.
        if np.any(matrix.indptr[1:] < matrix.indptr[:-1]):
            raise ValueError("indptr must be a non-decreasing sequence")
        matrix.check_format(full_check=True)
    except (ValueError, IndexError) as error:
        raise UsageError(f"the parts of the sparse matrix contradict each other: {error}") from error


def _converted(matrix):
    kind = _kind(matrix)
    if kind == "cupyx":
        return matrix.get()
    if kind == "torch":
        return _of_torch(matrix.detach().cpu())
    if kind == "jax" and hasattr(matrix, "nse"):
        from scipy.sparse import coo_array, csr_array

        data, indices = np.asarray(matrix.data), np.asarray(matrix.indices)
        if hasattr(matrix, "indptr"):
            return csr_array((data, indices, np.asarray(matrix.indptr)), shape=matrix.shape)
        return coo_array((data, tuple(indices.T)), shape=matrix.shape)
    return matrix


def _of_torch(matrix):
    from scipy.sparse import coo_array, csr_array

    if matrix.is_sparse_csr:
        parts = (matrix.values(), matrix.col_indices(), matrix.crow_indices())
        return csr_array(tuple(part.numpy() for part in parts), shape=tuple(matrix.shape))
    return coo_array((matrix._values().numpy(), tuple(matrix._indices().numpy())),
                     shape=tuple(matrix.shape))


def _kind(matrix):
    return type(matrix).__module__.partition(".")[0]
