"""Sparse arrays of SciPy, and those of others as SciPy's, on the CPU."""

import numpy as np

from ._errors import UsageError


def is_sparse(matrix):
    """Whether it is one of SciPy, CuPy, PyTorch or JAX."""
    kind = _kind(matrix)
    if kind == "torch":
        return matrix.is_sparse or matrix.is_sparse_csr
    return kind in ("scipy", "cupyx") or (kind == "jax" and hasattr(matrix, "nse"))


def as_scipy(matrix):
    """SciPy's, with the same entries; what lies on a GPU is copied. O(entries). Raises as below."""
    converted = _converted(matrix)
    require_consistent(converted)
    return converted


def require_consistent(matrix):
    """Raises `UsageError` if parts of SciPy's compressed rows or columns contradict each other: SciPy's
    conversions believe them, and would read and write elsewhere."""
    if not hasattr(matrix, "check_format"):
        return
    try:
        # SciPy's check passes over pointers whose last one is 0.
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
