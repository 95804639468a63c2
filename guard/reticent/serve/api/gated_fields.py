"""Decides which fields of a request need a permission, and takes them out or refuses them.

The names are those of OpenAI, Anthropic, vLLM, SGLang, TGI, llama.cpp, Ollama, OpenRouter, LiteLLM, Azure, Groq, xAI,
Perplexity and DashScope as of November 2026. A field of another name is passed on, so a server that reads further ones
has to be told by its own options to ignore them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent.serve.options import Permission
from reticent.serve.wire.errors import ApiError

_LOGPROBS = (
    *("logprobs", "top_logprobs", "prompt_logprobs", "n_probs", "post_sampling_probs", "logprob_token_ids"),
    *("return_logprob", "return_hidden_states", "top_n_tokens", "decoder_input_details"),
)
_TOKEN_IDS = (
    *("return_token_ids", "return_tokens_as_token_ids", "return_tokens", "return_prompt_token_ids", "input_ids"),
    *("prompt_token_ids", "return_meta_info", "return_routed_experts"),
)
_LOGIT_BIAS = ("logit_bias", "allowed_token_ids", "bad_words", "suppress_tokens", "vllm_xargs")
"""`vllm_xargs` tells vLLM's logits processors what to do."""
_GRAMMAR = (
    *("guided_json", "guided_regex", "guided_choice", "guided_grammar", "guided_whitespace_pattern"),
    *("guided_json_object", "guided_decoding_backend", "structured_outputs", "structural_tag", "grammar"),
    *("grammar_lazy", "grammar_triggers", "regex", "ebnf"),
)
_STORE = ("store", "background", "previous_response_id", "conversation")
_UPSTREAM_TOOLS = (
    *("mcp_servers", "web_search_options", "web_search", "enable_search", "search_options", "search_parameters"),
    *("plugins", "connectors", "data_sources", "dataSources", "tool_resources", "container", "agent_id"),
    *("assistant_id", "compound_custom", "builtin_tools", "server_tools", "google_search", "googleSearch"),
)
_ENGINE = (
    # what stands in place of the prompt, or begins the answer
    *("prompt_embeds", "input_embeds", "inputs_embeds", "multi_modal_data", "mm_processor_kwargs", "media_io_kwargs"),
    *("chat_template", "template", "raw", "tool_prompt", "instruction_template", "instruction_template_str"),
    *("response_prefix", "start_reply_with", "prefill", "generation_prompt", "chat_parser", "chat_format"),
    *("truncation_side", "truncation_direction", "images_config", "task"),
    # other weights, code and speculation
    *("lora", "loras", "lora_path", "lora_request", "lora_name", "lora_id", "adapter", "adapter_id", "adapter_source"),
    *("control_vectors", "logits_processors", "logits_processor", "custom_logit_processor", "custom_params"),
    *("speculative", "ngram_corpus_id"),
    # state and ranks of the servers behind it
    *("session_params", "id_slot", "slot_id", "kv_transfer_params", "ec_transfer_params"),
    *("disaggregated_params", "disagg_prefill_dp_rank", "bootstrap_host", "bootstrap_port", "bootstrap_room"),
    *("bootstrap_pair_key", "data_parallel_rank", "routed_dp_rank"),
    # other models and addresses, and fields within fields
    *("models", "fallbacks", "api_base", "base_url", "api_key", "api_version", "model_list"),
    *("custom_llm_provider", "mock_response", "mock_tool_calls", "extra_body", "extra_headers", "extra_query"),
    *("guardrails", "callbacks", "success_callback", "failure_callback"),
)
GATED: Mapping[str, Permission] = {
    **dict.fromkeys(_LOGPROBS, Permission.LOGPROBS),
    **dict.fromkeys(_TOKEN_IDS, Permission.TOKEN_IDS),
    **dict.fromkeys(_LOGIT_BIAS, Permission.LOGIT_BIAS),
    **dict.fromkeys(_GRAMMAR, Permission.GRAMMAR),
    **dict.fromkeys(_STORE, Permission.STORE),
    **dict.fromkeys(_UPSTREAM_TOOLS, Permission.UPSTREAM_TOOLS),
    **dict.fromkeys(_ENGINE, Permission.ENGINE),
    "echo": Permission.ECHO,
}
"""Fields that need a permission on every route."""
ENGINE_FIELDS: Mapping[str, Permission] = dict.fromkeys(_ENGINE, Permission.ENGINE)
"""Those that also reach into a server where it generates nothing."""

TEMPLATE_SWITCHES = frozenset({"enable_thinking", "thinking", "clear_thinking", "preserve_thinking"})
"""Variables of chat templates that a client may set to true or false."""
_TEMPLATE_FIELDS = ("chat_template_kwargs", "chat_template_args", "template_kwargs")


def check_gated(
    body: dict[str, Any], gated: Mapping[str, Permission], allowed: frozenset[Permission], strip: bool
) -> dict[str, Any]:
    """Removes what the client may not ask for from the body. Raises ApiError unless it is to strip silently."""
    out = dict(body)
    for name, permission in gated.items():
        value = out.get(name)
        if permission in allowed or value is None or value is False or value in ("", [], {}):
            continue  # a 0 asks for something
        if not strip:
            raise not_allowed(f"'{name}'", permission, name)
        del out[name]
    if Permission.ENGINE in allowed:
        return out
    for name in _TEMPLATE_FIELDS:
        if not _are_switches(out.get(name)):
            if not strip:
                raise ApiError(
                    400,
                    f"'{name}' may hold {', '.join(sorted(TEMPLATE_SWITCHES))} here, each true or false: the operator "
                    f"has not allowed '{Permission.ENGINE}' for this API key.",
                    code="not_allowed",
                    param=name,
                )
            del out[name]
    return out


def not_allowed(what: str, permission: Permission, param: str) -> ApiError:
    """Makes the error for something that needs a permission."""
    return ApiError(
        400,
        f"{what} is not available here: the operator has not allowed '{permission}' for this API key.",
        code="not_allowed",
        param=param,
    )


def _are_switches(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, dict) and all(
        name in TEMPLATE_SWITCHES and (each is None or isinstance(each, bool)) for name, each in value.items()
    )
