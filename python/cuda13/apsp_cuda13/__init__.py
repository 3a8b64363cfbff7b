"""NVIDIA GPUs for apsp: this package holds the CUDA engine, which apsp loads when it is asked for a GPU."""

import os

#: The file of the engine. Where apsp is installed in another folder, the environment variable
#: APSP_CUDA_ENGINE names it.
library = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libapsp_cuda.so")
