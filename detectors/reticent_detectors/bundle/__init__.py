"""A detector as files: what they hold, how they are written, checked, signed and exported."""

from reticent_detectors.bundle.behaviour import compare_behaviour
from reticent_detectors.bundle.format import Bundle, read_public_key, write_bundle
from reticent_detectors.bundle.onnx_check import check_onnx

__all__ = ["Bundle", "check_onnx", "compare_behaviour", "read_public_key", "write_bundle"]
