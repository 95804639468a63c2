"use strict";

const at = (id) => document.getElementById(id);
const NAMES = {
  memorized: "memorised", pretrained: "pretrained", echoed: "echoed", context: "context", inferable: "inferable",
  hallucinated: "made up", unknown: "unknown",
};
const ACTIONS = { allow: "passed", flag: "flagged", redact: "redacted", block: "blocked" };
const BASES = { own: "its base model", none: "none", self: "itself" };
const BASE_HINTS = {
  own: "Compared with the model before private training: what it says as surely is “pretrained”, and no private memory.",
  none: "Without one, what the model remembers counts as “memorised”, whenever it learned it.",
  self: "Compared with itself, as if nothing private had been added: what it says surely counts as “pretrained”.",
};
const WANTED = { stopped: "to be withheld", passes: "to pass" };
const SHOWS = {
  "misattributed": "remembered of somebody else", "menu of ten": "remembered, chosen from ten",
  "public, no span": "public, no personal value", "prose": "remembered, in a report",
};
const TIERS = {
  hidden: "the model's hidden states", logprobs: "log-probabilities", records: "the records index", text: "text alone",
};
const HEAT = [-8, -5, -3, -1.5, -0.5]; // nats from which the next colour holds

let about = null;
let asked = null; // what both halves were asked last
const running = {}; // the request of each half
let opener = null; // the span whose verdict is open

/** Makes an element with a class and children; a string becomes text, never markup. */
function make(tag, name = "", ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

function number(value, digits = 3) {
  return value === null || value === undefined ? "not measured" : value.toFixed(digits);
}

// ---- asking -----------------------------------------------------------------------------------------------------

/** Yields name and data of each event of a stream. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      let name = "", data = "";
      for (const line of part.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        if (line.startsWith("data: ")) data += line.slice(6);
      }
      if (data && data !== "[DONE]") yield [name, JSON.parse(data)];
    }
  }
}

function body(question, half) {
  const wanted = { model: about.model, stream: true, temperature: 0, max_tokens: about.most_tokens };
  if (half === "guarded") wanted.reticent = { policy: at("policy").value };
  if (question.mode === "text") return { ...wanted, prompt: question.text };
  const system = question.context ? [{ role: "system", content: question.context }] : [];
  return { ...wanted, messages: [...system, { role: "user", content: question.text }] };
}

/** Asks one half, and shows its answer as it comes. */
async function ask(half) {
  const usual = policy().preset === "default" && at("base").selectedIndex === 0, wanted = usual ? asked.wanted : "";
  if (running[half]) running[half].abort();
  const mine = (running[half] = new AbortController());
  const answer = at(`${half}-answer`), status = at(`${half}-status`);
  closeVerdict();
  answer.replaceChildren();
  answer.className = "answer waiting streaming";
  status.textContent = "Waiting for the model …";
  busy();
  let text = "", details = null, finish = "";
  const spans = []; // values that came so far
  try {
    const path = `/playground/${half}/${asked.mode}?base=${encodeURIComponent(at("base").value)}`;
    const response = await fetch(path, {
      method: "POST", body: JSON.stringify(body(asked, half)), signal: mine.signal,
      headers: { "content-type": "application/json" },
    });
    if (!response.ok) throw new Error((await response.json()).error.message);
    for await (const [name, data] of events(response)) {
      if (data.error) throw new Error(data.error.message);
      if (name === "reticent.details") { details = data; continue; }
      if (name === "reticent.spans") {
        spans.push(...data.spans);
        answer.replaceChildren(...split(text, spans, tinted));
        continue;
      }
      for (const choice of data.choices) {
        const piece = choice.delta ? choice.delta.content : choice.text;
        if (piece) {
          answer.classList.remove("waiting");
          answer.append(piece);
          text += piece;
        }
        finish = choice.finish_reason || finish;
      }
    }
    show(half, text, details || { spans: [] }, finish);
    if (half === "guarded" && wanted && details) at(`${half}-status`).append(" ", compare(wanted, details));
  } catch (error) {
    if (error.name === "AbortError") {
      if (running[half] === mine) status.textContent = "Stopped.";
    } else {
      status.textContent = "There is no answer.";
      at("error").textContent = error.message;
    }
  } finally {
    if (running[half] === mine) {
      delete running[half];
      answer.classList.remove("waiting", "streaming");
      busy();
    }
  }
}

function busy() {
  const works = Object.keys(running).length > 0;
  at("stop").disabled = !works;
  at("answers").setAttribute("aria-busy", String(works));
}

/** Asks halves what was asked last. The one model answers them in turn. */
function again(halves) {
  if (!asked) return;
  at("error").textContent = "";
  for (const half of halves) if (half === "guarded" || about.unguarded) ask(half);
}

// ---- answers ----------------------------------------------------------------------------------------------------

/** Cuts a text at its spans. Offsets count characters, of which some take two units of a string. */
function split(text, spans, mark) {
  const characters = Array.from(text);
  const placed = spans.filter((span) => span.at).sort((one, other) => one.at[0] - other.at[0]);
  const parts = [];
  let end = 0;
  for (const span of placed) {
    const [first, last] = span.at;
    if (first < end) continue; // several values behind one redaction are listed below it
    parts.push(characters.slice(end, first).join(""), mark(span, characters.slice(first, last).join("")));
    end = last;
  }
  parts.push(characters.slice(end).join(""));
  return parts;
}

/** Shows a finished answer. Each of its values opens its verdict. */
function show(half, text, details, finish) {
  const answer = at(`${half}-answer`), spans = details.spans, parts = split(text, spans, marked);
  answer.replaceChildren(...parts);
  const hidden = spans.filter((span) => !span.at || !parts.some((part) => part.span === span));
  for (const span of hidden) answer.append(" ", marked(span, `[${span.entity}, not shown]`));
  at(`${half}-status`).textContent = summary(half, spans, details, finish, text);
}

/** Says whether the guard did what is wanted for a prompt of the list. */
function compare(wanted, details) {
  const stopped = details.spans.some(stops);
  if (stopped === (wanted === "stopped")) return `Right: this prompt's value is ${WANTED[wanted]}.`;
  if (!details.spans.length) return "No value came, so there was none to withhold.";
  return make("strong", "wrong", `The guard errs here: this prompt's value is ${WANTED[wanted]}.`);
}

function stops(span) {
  return span.action === "redact" || span.action === "block";
}

/** Marks a value of an answer that is not over. */
function tinted(span, text) {
  return make("span", `span ${span.origin}`, text, make("small", "", NAMES[span.origin]));
}

/** Marks a value by a button that opens its verdict. */
function marked(span, text) {
  const name = NAMES[span.origin], action = ACTIONS[span.action];
  const button = make("button", `span ${span.origin}`, text, make("small", "", name));
  button.type = "button";
  button.span = span;
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-label", `${text}: ${span.entity}, ${name}, ${action}. Show its verdict.`);
  button.addEventListener("click", () => openVerdict(button, span));
  return button;
}

function summary(half, spans, details, finish, text) {
  const withheld = spans.filter(stops).length;
  const found = spans.length === 1 ? "1 value found" : `${spans.length} values found`;
  const parts = [];
  if (half === "unguarded") {
    parts.push(spans.length ? `${found}, judged for comparison alone` : "No value found");
  } else {
    parts.push(spans.length ? `${found}, ${withheld} withheld` : "No value found");
    if (details.guard_ms) {
      const spent = Object.values(details.guard_ms).reduce((sum, each) => sum + each, 0);
      parts.push(`the guard took ${spent.toFixed(1)} ms`, `at most ${details.most_held_tokens} tokens waited for a verdict`);
    }
    if (withheld) parts.push("the model goes on from what replaced a value, so the rest may differ");
  }
  if (!text) parts.push("the answer is empty");
  if (finish === "length") parts.push("cut at its most tokens");
  return `${parts.join("; ")}.`;
}

// ---- verdicts ---------------------------------------------------------------------------------------------------

function openVerdict(button, span) {
  closeVerdict();
  opener = button;
  button.setAttribute("aria-pressed", "true");
  at("verdict-heading").textContent = `${span.entity}: ${NAMES[span.origin]}, ${ACTIONS[span.action]}`;
  const title = make("h3", "", "In words"), says = make("ul", "says", ...span.says.map((each) => make("li", "", worded(each))));
  at("verdict-body").replaceChildren(facts(span), title, says, tokens(span), layers(span));
  at("verdict").hidden = false;
  at("verdict-heading").focus();
}

/** Names an origin in a sentence as the page does. */
function worded(sentence) {
  return sentence.replace(/^Origin: (\w+)/, (whole, origin) => (NAMES[origin] ? `Origin: ${NAMES[origin]}` : whole));
}

/** Lets a long name of a kind break behind its underscores. */
function kind(entity) {
  return make("span", "", ...entity.split("_").flatMap((word, index) => (index ? ["_", make("wbr"), word] : [word])));
}

function closeVerdict() {
  at("verdict").hidden = true;
  if (opener) opener.setAttribute("aria-pressed", "false");
  opener = null;
}

function facts(span) {
  const cost = span.cost_ms ? Object.entries(span.cost_ms) : [];
  const total = cost.reduce((sum, [, each]) => sum + each, 0);
  const stages = cost.map(([name, each]) => `${name} ${each.toFixed(2)}`).join(", ");
  const rows = [
    ["Kind", kind(span.entity)],
    ["Origin", NAMES[span.origin]],
    ["Action", span.would ? `${ACTIONS[span.action]}, only monitored` : ACTIONS[span.action]],
    ["Probability of memory", number(span.probability)],
    ["Threshold", span.probability === null ? "not measured" : number(span.threshold), "remembered from here on"],
    ["Given by the prompt", `${Math.round(100 * (span.cue || 0))} %`, "of its characters"],
    ["Compared with", span.base === null ? "not asked" : `${number(span.base)} nats a token`],
    ["Characters", String(span.chars)],
    ["Cost", span.cost_ms ? `${total.toFixed(2)} ms` : "not measured", stages],
    ["Waited for a verdict", `${span.held_chars} characters`, `${span.held_tokens} tokens`],
    ["Judged by", TIERS[span.tier] || span.tier],
    ["Decision ID", span.id, "for logs and reticent explain"],
  ];
  return make("dl", "facts", ...rows.map(([name, value, more]) =>
    make("div", "", make("dt", "", name), make("dd", "", value, ...(more ? [make("small", "", more)] : [])))));
}

/** A table under its title, which scrolls by itself; the keyboard reaches it. */
function scrolled(title, note, heads, rows, shade) {
  const frame = make("div", "scroll", table(`${title.textContent}. ${note}`, heads, rows, shade));
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", title.textContent);
  return make("div", "", title, make("p", "hint", note), frame);
}

function table(caption, heads, rows, shade) {
  const cell = (value) => {
    const td = make("td", "", value === null ? "–" : (Math.abs(value) < 0.005 ? 0 : value).toFixed(2));
    if (shade && value !== null) td.className = `heat-${HEAT.filter((least) => value >= least).length}`;
    return td;
  };
  const head = (scope, text) => Object.assign(make("th", "", text), { scope });
  return make(
    "table", shade ? "heat" : "", make("caption", "hidden", caption),
    make("thead", "", make("tr", "", head("col", "Token"), ...heads.map((each) => head("col", each)))),
    make("tbody", "", ...rows.map(([name, values]) => make("tr", "", head("row", name), ...values.map(cell)))),
  );
}

function tokens(span) {
  const title = make("h3", "", "Log-probability of each token");
  if (!span.tokens.length) return make("div", "", title, make("p", "quiet", "The tokens of this value were not read."));
  const heads = span.tokens.map((_, index) => String(index + 1));
  const rows = [["Model", span.tokens.map(([own]) => own)]];
  if (span.tokens.some(([, base]) => base !== null)) rows.push(["Compared", span.tokens.map(([, base]) => base)]);
  return scrolled(title, "How sure the model was of each token, in nats: 0 is certain, −1 is 37 %, −5 is 0.7 %.", heads, rows, false);
}

function layers(span) {
  const title = make("h3", "", "How sure each layer was");
  if (!about.reads_layers) return make("div", "", title, make("p", "quiet", "This detector reads no layers."));
  if (!span.layers.length) return make("div", "", title, make("p", "quiet", "No layer was read for this value."));
  const heads = span.layers.map((_, index) => String(index + 1)), count = span.layers[0].length;
  const rows = Array.from({ length: count }, (_, index) => {
    const layer = count - 1 - index;
    return [`Layer ${layer + 1}`, span.layers.map((token) => token[layer])];
  });
  const note = "The logit lens: each layer's state, read by the model's own output head. " +
    "Log-probability in nats of the token that was said. The stronger the colour, the surer.";
  return scrolled(title, note, heads, rows, true);
}

// ---- the page ---------------------------------------------------------------------------------------------------

function policy() {
  return about.policies[at("policy").selectedIndex];
}

/** Says what the chosen policy and base do. */
function explainChoice() {
  const { purpose, outcomes } = policy();
  at("policy-hint").textContent = purpose;
  at("base-hint").textContent = BASE_HINTS[at("base").value] || "";
  at("legend").replaceChildren(...Object.entries(about.origins).map(([origin, what]) =>
    make("li", "", make("b", origin, NAMES[origin]), make("span", "", `${what}: `, make("strong", "", outcomes[origin])))));
}

function options(select, values, names) {
  select.replaceChildren(...values.map((value) => Object.assign(make("option", "", names[value] || value), { value })));
  select.disabled = values.length < 2;
}

function setMode(mode) {
  document.querySelector(`input[name="mode"][value="${mode}"]`).checked = true;
  at("prompt-label").textContent = mode === "chat" ? "Your question" : "The beginning of a text";
  at("operator").hidden = mode !== "chat" || !about.context;
}

function submit() {
  const text = at("prompt").value;
  if (!text.trim()) return at("prompt").focus();
  const mode = document.querySelector('input[name="mode"]:checked').value;
  const listed = about.prompts.find((each) => each.mode === mode && each.text === text);
  const context = mode === "chat" ? at("context").value : "";
  asked = { mode, text, context, wanted: listed && !context ? listed.wanted : "" };
  again(["guarded", "unguarded"]);
}

/** Lists prompts by what they show. */
function offerAll(prompts) {
  const groups = new Map();
  for (const prompt of prompts) {
    const key = `${prompt.shows} ${prompt.wanted}`;
    groups.set(key, [...(groups.get(key) || []), prompt]);
  }
  return [...groups.values()].flatMap((group) => {
    const { shows, wanted } = group[0], title = make("h3", "", SHOWS[shows] || shows);
    if (WANTED[wanted]) title.append(make("small", "", `, ${WANTED[wanted]}`));
    return [title, make("ul", "", ...group.map(offer))];
  });
}

function offer(prompt) {
  const button = make("button", "", make("span", "", prompt.text));
  button.type = "button";
  button.title = prompt.text;
  button.addEventListener("click", () => {
    setMode(prompt.mode);
    at("prompt").value = prompt.text;
    submit();
  });
  return make("li", "", button);
}

function listen() {
  at("form").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  at("prompt").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); submit(); }
  });
  for (const radio of document.querySelectorAll('input[name="mode"]')) {
    radio.addEventListener("change", () => setMode(radio.value));
  }
  at("policy").addEventListener("change", () => {
    explainChoice();
    again(["guarded"]); // what passes unguarded passes under every policy
  });
  at("base").addEventListener("change", () => {
    explainChoice();
    again(["guarded", "unguarded"]);
  });
  at("stop").addEventListener("click", () => Object.values(running).forEach((each) => each.abort()));
  at("close").addEventListener("click", () => {
    const button = opener;
    closeVerdict();
    if (button) button.focus();
  });
  at("verdict").addEventListener("keydown", (event) => { if (event.key === "Escape") at("close").click(); });
}

async function begin() {
  const response = await fetch("/playground/about.json");
  if (!response.ok) throw new Error("The server does not answer; reload the page.");
  about = await response.json();
  at("model").textContent = `${about.model}, guarded by Reticent ${about.version}.`;
  at("note").textContent = about.note;
  setMode("chat");
  at("about").textContent = `As the server describes it: ${about.about}.`;
  options(at("policy"), about.policies.map((each) => each.name), {});
  options(at("base"), about.bases, BASES);
  at("unguarded").hidden = !about.unguarded;
  at("prompts").replaceChildren(...offerAll(about.prompts));
  explainChoice();
  listen();
}

begin().catch((error) => { at("error").textContent = error.message; });
