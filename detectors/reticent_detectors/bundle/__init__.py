"""Writes, checks, signs and exports a detector as a bundle of files."""

from reticent_detectors.bundle.format import Bundle, read_public_key, write_bundle
from reticent_detectors.bundle.host_match import compare_behaviour
from reticent_detectors.bundle.onnx_check import check_onnx

__all__ = ["Bundle", "check_onnx", "compare_behaviour", "read_public_key", "write_bundle"]
