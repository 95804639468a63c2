"""A detector as files: what they hold, how they are written, checked, signed and exported."""

from reticent_detectors.bundle.format import Bundle, check_onnx, compare_behaviour, read_public_key, write_bundle

__all__ = ["Bundle", "check_onnx", "compare_behaviour", "read_public_key", "write_bundle"]
