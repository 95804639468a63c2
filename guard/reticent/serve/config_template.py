"""Holds the template of a settings file with every default, which `reticent config` prints."""

from __future__ import annotations

TEMPLATE = """\
# Settings of `reticent serve`. What is commented out shows the default.
# ${NAME} stands for an environment variable; RETICENT_SERVE_LIMITS__INFLIGHT=64 overrides limits.inflight.

upstream:                           # the server that is guarded; or model, below
  url: http://127.0.0.1:8000        # the OpenAI-compatible server that is guarded; /v1 may be left out
  # api_key: ${UPSTREAM_KEY}        # sent to it; without one, and without keys, the client's Authorization is passed on
  # connect_seconds: 5
  # read_seconds: 120               # the longest silence

# model:                            # instead of upstream: a transformers model in this process, guarded by its states
#   path: ./host                    # a folder with weights and tokenizer
#   bundle: ./bundle                # the detector made for it (reticent train); the one that fits any model by default
#   name: my-model                  # what clients call it; the folder's name by default
#   device: cpu                     # a torch device, such as cuda
#   dtype: float32                  # or float16, bfloat16: a bundle for one host fits the weights as loaded
#   trusted_key: owner.pub          # the bundle has to be signed (reticent sign)
#   queue: 64                       # requests that may wait; one is answered at a time
#   new_tokens: 1024                # of an answer, whatever a client asks for
#   threads: 1                      # torch's
#   adapter: ./adapter              # a detached adapter that was trained on it, for float32
#   base_model: adapter             # the model before private tuning: adapter (default with PEFT), self, or a folder

# detector:                         # tells the upstream's memories from its inventions by its log-probabilities
#   bundle: ./bundle-logprobs       # reticent train --groups logprobs; the server has to send raw log-probabilities
#   models: [my-model]              # the names under which the upstream serves the detector's host; others are refused
#   bundles: {my-model: ./bundle-a} # of some of the models, a bundle of their own; null: judged without a detector
#   trusted_key: owner.pub          # as for model
#   base:                           # the model before private tuning, which the upstream serves as well (vLLM)
#     model: my-base                # its name there: the model without the LoRA adapter; vLLM needs --enable-lora
#     tokenizer: ./base             # its folder; with it the base is also asked about other people (inferable)
#     seconds: 10                   # that questions about one value may take; those of a request, twice as long

# shadow:                           # instead of detector: judges by a copy of the upstream's weights in this process
#   path: ./host                    # the folder of the copy
#   bundle: ./bundle                # as for model
#   models: [my-model]              # the names under which the upstream serves these weights
#   device: cpu                     # a torch device, such as cuda
#   dtype: float32                  # or float16, bfloat16: as the upstream runs it, if it can
#   trusted_key: owner.pub          # as for model
#   threads: 1                      # torch's
#   base_model: adapter             # as for model
#   logprobs: true                  # compare with the upstream's log-probabilities; false: trust that it runs the same
#   token_ids: true                 # ask for the tokens' ids as well; false for a server that refuses unknown fields
#   agree_nats: 0.5                 # largest difference on a token of a span, on average; else the span is unknown
#   streams: 64                     # answers of which what was read is kept
#   tokens: 32768                   # of a prompt and its answer; what lies behind them is unknown
#   batch: 8                        # spans judged in one pass, of requests that wait at the same time
#   batch_tokens: 8192              # with so many places of prompts, answers and padding together
#   probe: true                     # the copy reads whole answers for the finder, where the bundle has a probe

# host: 127.0.0.1                   # another address needs keys, or open: true
# open: false                       # true: everybody who can connect may ask, without a key
# port: 8080                        # the port of the API; 0 takes a free one
# tls: {cert: server.pem, key: server.key} # PEM files, the key without a password; left out: no TLS
# metrics_host: 127.0.0.1           # the address of GET /metrics, which needs no key
# metrics_port: 9464                # null: no metrics

# keys:                             # without keys everybody who can connect may ask
#   - key: ${CLINIC_KEY}            # what a client sends as its API key
#     policy: clinic                # what is decided for this key: a name under policies, a preset, or a file
#     may_choose: [strict]          # policies that a request may name: {"reticent": {"policy": "strict"}}
#     allow: [logprobs]             # token_ids, echo, logit_bias, grammar, store, cache, upstream_tools, redact,
#                                   # evidence, engine, admin (/admin/config, /admin/reload)
# policy: default                   # where there are no keys: a name under policies, a preset, or a file (--policy)
# may_choose: []                    # where there are no keys: policies that a request may name
# allow: []                         # where there are no keys: what a client may ask for
# strip: false                      # true: drop what a client may not ask for, instead of refusing the request
# policies:                         # by name: settings ('reticent config --policy'), a preset, or a file
#   clinic: {preset: clinic-rag}    # or: clinic: clinic-rag
#   strict: {preset: sealed}        # or: strict: strict.yaml
#   press:                          # `pretrained` is what the base model, before private tuning, says as surely
#     base_threshold: -0.7          # nats for each token; left out: the bundle's
#     entities: {PHONE_NUMBER: {pretrained: allow}}     # left out: jobs, employers, hospitals and places pass
#     allow_subjects: [Ada Lovelace]    # whose dates of birth may pass, beside the public persons that are shipped

# records:                          # stops what the training records hold: reticent index records.csv (--records)
#   index: records.index            # the file that reticent index wrote
#   key_file: records.key           # left out: the index's name with .key

# suppressions:                     # stops what people asked to have forgotten: reticent forget (--suppressions)
#   store: people.suppressions      # the file that reticent forget add wrote; changes are taken up within 5 seconds
#   key_file: people.key            # left out: the store's name with .key

# decision_log:                     # a line for each decision, without values, each chained to the one before
#   path: decisions.jsonl           # the file, to which lines are appended
#   key_file: decisions.key         # openssl rand -hex 32; without it the chain shows accidents only
#   fsync: false                    # true: every line is on the disk before the next one

# watch_seconds: null               # looks at the files named here so often, and reloads; SIGHUP does so at once

# log_level: warning                # critical, error, warning, info (a line for each request) or debug

# tracing: false                    # true: OpenTelemetry spans, set up by the OTEL_* variables of the environment

# canary:                           # a question whose value has to be stopped, or /readyz says not ready
#   value: ${CANARY_VALUE}          # what the answer holds, of a person that is nobody; not in the user's words
#   entity: PHONE_NUMBER            # left out: any kind of data that is stopped counts
#   policy: default                 # left out: that of the first key, or of everybody
#   path: /v1/chat/completions      # the route that is asked
#   body: {model: demo, messages: [{role: user, content: "What is Kay Poe's number?"}]}  # the request
#   every_seconds: 300              # between two questions
#   timeout_seconds: 60             # the longest wait for the answer

# playground:                       # a page to try the model at, GET /playground; without keys, for model alone
#   enabled: null                   # left out: for the demos alone; true: served; false: not
#   unguarded: false                # true: it also shows what the model says without the guard
#   prompts: prompts.json           # prompts to try
#   note: ""                        # what the page says of the model and of the people that it knows
#   context: true                   # false: it offers no system message

# workers: 1                        # processes behind the one port, with one exposition of metrics; limits are for each

# on_stopped_call: withhold         # or redact: replace texts in the arguments of tool calls, where that is possible

# limits:                           # what passes one is refused or withheld, and counted
#   body_bytes: 8388608             # of a request
#   answer_bytes: 16777216          # of an answer that is not streamed
#   stream_bytes: 67108864          # of one that is
#   headers: 64                     # of a request
#   frame_bytes: 1048576            # one event of a stream
#   held_bytes: 4194304             # all events of a stream that wait for a decision
#   prompt_chars: 2000000           # all texts of a request
#   call_chars: 65536               # the arguments of one tool call, which are held until it is complete
#   choices: 16                     # of one answer
#   channels: 256                   # running texts and tool calls of one answer
#   spans: 5000                     # values that are judged in one request
#   stopped: 100                    # different values; an answer with more is withheld from there on
#   usage_wait_seconds: 5           # how long an upstream is read on for its usage after all answers were stopped
#   stream_seconds: 900             # the longest answer
#   judge_seconds: 60               # of judging one piece, once a thread has begun; what takes longer is withheld
#   judge_wait_seconds: 300         # of waiting for a thread before that
#   judge_threads: 8                # and as many more that a judge may hang in; a shadow's batch is no larger
#   client_seconds: 30              # a client that takes nothing for so long is cut off
#   keep_alive_seconds: 15          # that an idle connection is kept
#   connections: 1024               # at a time; fewer if the process may open too few files (ulimit -n)
#   reading: 256                    # bodies that are read at a time; with more, the one that began first is cut off
#   reading_bytes: 67108864         # what has come of all of them
#   inflight: 256                   # open requests, once their bodies have come
#   inflight_per_key: null          # of one API key; left out: half of inflight where there are several keys, else all
#   inflight_bytes: 33554432        # of their bodies over 64 KiB; memory takes several times as much
#   drain_seconds: 30               # that open answers get when the server ends
"""
