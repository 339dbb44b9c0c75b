// The rollouts: a step's texts are parsed when they are asked for, and rendered a group at a time.
const LIMITS = { length: "cut off by the limit", turns: "out of turns" };
const NAMES = { correct: "correct", incorrect: "incorrect", no_answer: "no answer", timeout: "timeout", error: "error", bad_gold: "bad gold" };
const LONG = 1600;

class Reader {
  constructor(root) {
    this.root = root;
    this.kind = "all";
    this.picker = el("select", { ariaLabel: "run" }, ...data.runs.map((run, i) => el("option", { value: i }, run.label)));
    this.back = el("button", { type: "button", ariaLabel: "earlier step" }, "‹");
    this.next = el("button", { type: "button", ariaLabel: "later step" }, "›");
    this.range = el("input", { type: "range", min: 0, step: 1, ariaLabel: "step" });
    this.where = el("output", { className: "step" });
    this.kinds = el("div", { className: "kinds", role: "group", ariaLabel: "show only" });
    this.list = el("ol", { className: "groups", ariaLabel: "problems of this step" });
    this.group = el("div", { className: "group" });
    const walk = el("div", { className: "walk" }, overlaid ? this.picker : null, this.back, this.range, this.next, this.where);
    root.append(el("div", { className: "controls" }, walk, this.kinds), el("div", { className: "reader" }, this.list, this.group));
    this.picker.addEventListener("change", () => this.openRun(Number(this.picker.value)));
    this.back.addEventListener("click", () => this.open(this.place - 1));
    this.next.addEventListener("click", () => this.open(this.place + 1));
    this.range.addEventListener("input", () => this.open(Number(this.range.value)));
    this.list.addEventListener("keydown", (event) => this.move(event));
    this.openRun(data.rollouts.findIndex((one) => one.steps.length));
  }

  openRun(run) {
    this.run = run;
    this.steps = data.rollouts[run].steps;
    this.picker.value = run;
    this.range.max = Math.max(this.steps.length - 1, 0);
    this.open(this.steps.length - 1);
  }

  jump(step) {
    if (!this.steps.length) return;
    const place = this.steps.findIndex((one) => one.step === nearest(this.steps.map((s) => s.step), step));
    this.open(place);
    document.getElementById("rollouts").scrollIntoView();
  }

  open(place) {
    this.place = Math.max(0, Math.min(place, this.steps.length - 1));
    const here = this.steps[this.place];
    this.range.value = this.place;
    this.back.disabled = this.place === 0;
    this.next.disabled = this.place >= this.steps.length - 1;
    const block = here && document.getElementById(`rollouts-${this.run}-${here.step}`);
    this.groups = block ? JSON.parse(block.textContent) : [];
    const cut = here && here.shown < here.groups ? `, ${here.shown} of its ${here.groups} groups` : "";
    this.where.textContent = here ? `step ${here.step}${cut}` : "no rollouts";
    this.range.setAttribute("aria-valuetext", this.where.textContent);
    this.chosen = 0;
    this.showKinds();
    this.showList();
  }

  matches(response) {
    return this.kind === "all" || (this.kind === "cut off" ? response.finish in LIMITS : response.outcome === this.kind);
  }

  showKinds() {
    const counts = new Map([["all", 0], ["correct", 0], ["incorrect", 0], ["no_answer", 0]]);
    const add = (kind) => counts.set(kind, (counts.get(kind) || 0) + 1);
    for (const response of this.groups.flatMap((group) => group.responses)) {
      add("all");
      add(response.outcome);
      if (response.finish in LIMITS) add("cut off");
    }
    if (!counts.has(this.kind)) counts.set(this.kind, 0);
    this.kinds.replaceChildren(...[...counts].map(([kind, count]) => {
      const button = el("button", { type: "button", className: "kind " + kind, ariaPressed: String(kind === this.kind) }, `${NAMES[kind] || kind} `, el("b", {}, String(count)));
      button.addEventListener("click", () => {
        this.kind = kind;
        this.showKinds();
        this.showList();
        [...this.kinds.children].find((one) => one.ariaPressed === "true").focus();
      });
      return button;
    }));
  }

  showList() {
    this.shown = this.groups.filter((group) => group.responses.some((response) => this.matches(response)));
    this.list.replaceChildren(...this.shown.map((group, i) => {
      const right = group.responses.filter((response) => response.outcome === "correct").length;
      const button = el("button", { type: "button" }, el("span", { className: "name" }, group.problem), this.bar(group), el("span", { className: "score" }, `${right}/${group.responses.length}`));
      button.addEventListener("click", () => this.choose(i));
      return el("li", {}, button);
    }));
    this.choose(Math.min(this.chosen, Math.max(this.shown.length - 1, 0)));
  }

  bar(group) {
    const counts = {};
    for (const response of group.responses) counts[response.outcome] = (counts[response.outcome] || 0) + 1;
    const order = [...Object.keys(NAMES), ...Object.keys(counts).filter((one) => !(one in NAMES))];
    const text = order.filter((one) => counts[one]).map((one) => `${counts[one]} ${NAMES[one] || one}`).join(", ");
    const bar = el("span", { className: "bar", title: text, role: "img", ariaLabel: text });
    for (const outcome of order.filter((one) => counts[one])) {
      const part = el("span", { className: outcome });
      part.style.flexGrow = counts[outcome];
      bar.append(part);
    }
    return bar;
  }

  move(event) {
    const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, Home: 0, End: this.shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(to, this.shown.length - 1)));
    this.list.children[this.chosen].firstChild.focus();
  }

  choose(i) {
    this.chosen = i;
    [...this.list.children].forEach((item, place) => {
      item.firstChild.ariaCurrent = String(place === i);
      item.firstChild.tabIndex = place === i ? 0 : -1;
    });
    const group = this.shown[i];
    if (!group) {
      this.group.replaceChildren(el("p", { className: "muted" }, "No such response in this step."));
      return;
    }
    const shown = group.responses.filter((response) => this.matches(response));
    const most = group.responses.reduce((a, r) => Math.max(a, Math.abs(r.advantage || 0)), 0);
    this.group.replaceChildren(
      el("h3", {}, group.problem),
      el("pre", { className: "question" }, group.question),
      el("p", { className: "gold" }, el("span", {}, "gold answer ", el("code", {}, group.gold)), el("span", { className: "muted" }, `${shown.length} of ${group.responses.length} responses`)),
      ...Object.entries(group.columns || {}).map(([name, value]) => el("p", { className: "gold" }, el("span", {}, name + " ", el("code", {}, value)))),
      ...shown.map((response) => this.card(response, most)),
    );
  }

  card(one, most) {
    const facts = [];
    if (one.score !== undefined && one.score !== Number(one.outcome === "correct")) facts.push(el("span", {}, "score " + Number(one.score.toPrecision(3))));
    if (one.extracted !== undefined) facts.push(el("span", {}, "extracted ", el("code", {}, one.extracted)));
    const graded = [one.method ? "by " + one.method : "", one.reason || ""].filter((part) => part).join(": ");
    if (graded) facts.push(el("span", {}, graded));
    if (one.tokens !== undefined) facts.push(el("span", {}, one.tokens + " tokens" + (one.finish in LIMITS ? `, ${LIMITS[one.finish]}` : "")));
    const text = el("pre", { className: "text" }, ...(one.text === "" ? [el("span", { className: "muted" }, "(nothing)")] : this.parts(one)));
    return el("article", { className: "response " + one.outcome },
      el("header", {}, el("strong", { className: "badge" }, NAMES[one.outcome] || one.outcome), one.finish in LIMITS ? el("strong", { className: "badge truncated" }, "cut off") : null, this.reward(one), this.advantage(one, most)),
      facts.length ? el("p", { className: "facts muted" }, ...facts) : null,
      text, this.fold(text, one.text));
  }

  // The text, cut where its steps end; ends are counted in characters, not in UTF-16 units.
  parts(one) {
    if (one.segments) return one.segments.map(([written, said]) => (written ? said : el("details", { className: "environment" }, el("summary", {}, `environment: ${said.length} characters`), said)));
    const all = Array.from(one.text);
    const found = [];
    let begin = 0;
    for (const [end, score] of one.steps || []) {
      found.push(el("span", { className: "scored", style: `--share: ${100 * score}%`, title: `this step scores ${show(score)}` }, all.slice(begin, end).join("")));
      begin = end;
    }
    return [...found, all.slice(begin).join("")];
  }

  reward(one) {
    if (one.reward === undefined) return null;
    const parts = Object.entries(one.components || {}).map(([name, value]) => `${name} ${show(value)}`);
    return el("span", { className: "reward" }, "reward ", el("b", {}, show(one.reward)), parts.length > 1 || !("correct" in (one.components || { correct: 0 })) ? el("span", { className: "muted" }, ` (${parts.join(", ")})`) : null);
  }

  advantage(one, most) {
    if (one.advantage === undefined) return null;
    const bar = el("span", { className: one.advantage < 0 ? "pull down" : "pull up" }, el("span"));
    bar.firstChild.style.width = (most ? (50 * Math.abs(one.advantage)) / most : 0) + "%";
    return el("span", { className: "advantage" }, "advantage ", bar, el("b", {}, (one.advantage > 0 ? "+" : "") + show(one.advantage)));
  }

  fold(text, whole) {
    if (whole.length < LONG) return null;
    text.classList.add("folded");
    const button = el("button", { type: "button", className: "more", ariaExpanded: "false" }, "show all of it");
    button.addEventListener("click", () => {
      const folded = text.classList.toggle("folded");
      button.textContent = folded ? "show all of it" : "show less";
      button.ariaExpanded = String(!folded);
    });
    return button;
  }
}

const root = document.getElementById("reader");
const reader = root ? new Reader(root) : null;
