// The console's script: log in with the code of a link, follow what changes, and draw the graph.
"use strict";

function login() {
  const form = document.getElementById("login");
  const code = location.hash.slice(1);
  if (!form || !code) return;
  // The code is not to stay in the history.
  history.replaceState(null, "", location.pathname);
  form.elements.code.value = code;
  form.requestSubmit();
}

function follow() {
  const live = document.getElementById("live");
  if (!live || "over" in live.dataset) return;
  const source = new EventSource(live.dataset.follow);
  let last = null, loading = false, again = false;
  async function load() {
    if (loading) { again = true; return; }
    loading = true;
    try {
      const answer = await fetch(live.dataset.part, { redirect: "error" });
      if (answer.ok) replace(live, await answer.text());
    } finally {
      loading = false;
    }
    if (live.querySelector("[data-over]")) source.close();
    else if (again) { again = false; load(); }
  }
  source.onmessage = (event) => {
    if (event.data === last) return;
    const first = last === null;
    last = event.data;
    if (!first || live.querySelector("[data-state]")) load();
  };
}

// What the server rendered, every name in it escaped, takes the place of what is there; what a person does there stays.
function replace(live, text) {
  const made = new DOMParser().parseFromString(text, "text/html").body;
  const before = live.querySelector("[data-state]"), after = made.querySelector("[data-state]");
  const filling = live.querySelector("form input[type=checkbox]");
  if (filling && before && after && before.dataset.state === after.dataset.state) return;
  const open = [...live.querySelectorAll("details")].map((one) => one.open);
  const focused = live.contains(document.activeElement) ? document.activeElement.id : "";
  live.replaceChildren(...made.childNodes);
  live.querySelectorAll("details").forEach((one, place) => { one.open = open[place] || false; });
  if (focused) document.getElementById(focused)?.focus();
}

const KINDS = { code_file: "--code", config: "--config", document: "--document", structured_record: "--record", log_stream: "--log", secret_container: "--secret" };
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

class Graph {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.details = document.getElementById("details");
    this.place = document.body.dataset.place;
    this.view = { x: 0, y: 0, scale: 1 };
    this.chosen = null;
    this.waiting = false;
    this.listen();
    this.load();
  }

  async load() {
    const answer = await fetch(this.root.dataset.source);
    const data = await answer.json();
    this.links = data.links;
    this.components = data.components.map((one) => ({ ...one, r: 14 + 7 * Math.sqrt(one.count), x: 0, y: 0, objects: null }));
    this.arrange();
    this.fit();
    this.root.dataset.ready = "1";
  }

  // Circles in a spiral, largest in the middle, pushed apart and drawn to what they are related to: the same each time.
  arrange() {
    const all = this.components;
    const usual = all.reduce((sum, one) => sum + one.r, 0) / (all.length || 1);
    all.forEach((one, place) => {
      const away = 1.15 * (usual + 13) * Math.sqrt(place);
      one.x = away * Math.cos(place * GOLDEN);
      one.y = away * Math.sin(place * GOLDEN);
    });
    for (let turn = 0; turn < 120; turn++) {
      for (const [from, to] of turn < 70 ? this.links.slice(0, 300) : []) {
        const a = all[from], b = all[to], dx = b.x - a.x, dy = b.y - a.y;
        const pull = 0.004 * Math.max(0, 1 - (a.r + b.r + 40) / (Math.hypot(dx, dy) || 1));
        a.x += dx * pull; a.y += dy * pull; b.x -= dx * pull; b.y -= dy * pull;
      }
      for (let i = 0; i < all.length; i++) for (let j = i + 1; j < all.length; j++) {
        const a = all[i], b = all[j], dx = b.x - a.x || 0.01, dy = b.y - a.y || 0.01;
        const near = a.r + b.r + 26 - Math.hypot(dx, dy);
        if (near <= 0) continue;
        const push = near / 2 / Math.hypot(dx, dy);
        a.x -= dx * push; a.y -= dy * push; b.x += dx * push; b.y += dy * push;
      }
    }
  }

  async open(component) {
    if (component.objects) return;
    component.objects = [];
    const answer = await fetch(`${this.root.dataset.source}?${new URLSearchParams({ component: component.name })}`);
    const data = await answer.json();
    const room = component.r - 8, count = data.objects.length;
    component.dot = Math.max(0.8, Math.min(7, room / Math.sqrt(count) / 1.5));
    component.inner = data.links;
    component.objects = data.objects.map(([number, name, kind, sort, sensitivity], place) => {
      const away = room * Math.sqrt((place + 0.5) / count);
      return { number, name, kind, sort, sensitivity, x: away * Math.cos(place * GOLDEN), y: away * Math.sin(place * GOLDEN) };
    });
    this.draw();
  }

  colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }

  paint() {
    if (!this.components) return;
    const { canvas, view } = this, ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio; canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * (width / 2 - view.x * view.scale), ratio * (height / 2 - view.y * view.scale));
    const colours = Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [kind, this.colour(name)]));
    const line = this.colour("--line"), ink = this.colour("--ink"), soft = this.colour("--soft"), tint = this.colour("--tint"), accent = this.colour("--accent");
    pen.lineCap = "round";
    for (const [from, to, , count] of this.links) {
      const a = this.components[from], b = this.components[to];
      const near = this.chosen && (this.chosen.component === a || this.chosen.component === b);
      pen.strokeStyle = near ? accent : soft;
      pen.globalAlpha = near ? 0.8 : 0.25;
      pen.lineWidth = 0.8 + Math.log2(1 + count) * 0.6;
      pen.beginPath(); pen.moveTo(a.x, a.y); pen.lineTo(b.x, b.y); pen.stroke();
    }
    pen.globalAlpha = 1;
    const seen = (one) => Math.abs(one.x - view.x) < width / 2 / view.scale + one.r && Math.abs(one.y - view.y) < height / 2 / view.scale + one.r;
    const shown = this.components.filter(seen), taken = [];
    for (const one of shown) {
      pen.fillStyle = tint; pen.strokeStyle = this.chosen?.component === one ? accent : line;
      pen.lineWidth = this.chosen?.component === one ? 3 : 1.5;
      pen.beginPath(); pen.arc(one.x, one.y, one.r, 0, 7); pen.fill(); pen.stroke();
      // What is large enough to be looked into is opened by itself.
      if (!one.objects && one.r * view.scale > 110) this.open(one);
      if (one.objects?.length && one.r * view.scale > 34) this.inside(pen, one, colours, soft, ink, taken);
      else this.ring(pen, one, colours);
    }
    shown.sort((a, b) => (b === this.chosen?.component) - (a === this.chosen?.component) || b.r - a.r);
    for (const one of shown) this.label(pen, one, ink, taken);
  }

  // The kinds of a component's objects, as a ring.
  ring(pen, one, colours) {
    let from = -Math.PI / 2;
    pen.lineWidth = Math.min(one.r / 3, Math.max(7, 4 / this.view.scale));
    for (const [kind, count] of Object.entries(one.kinds)) {
      const to = from + 2 * Math.PI * count / one.count;
      pen.strokeStyle = colours[kind];
      pen.beginPath(); pen.arc(one.x, one.y, one.r - pen.lineWidth / 1.6, from, to); pen.stroke();
      from = to;
    }
  }

  inside(pen, one, colours, soft, ink, taken) {
    pen.strokeStyle = soft; pen.lineWidth = 0.5; pen.globalAlpha = 0.35;
    pen.beginPath();
    for (const [from, to] of one.inner) {
      const a = one.objects[from], b = one.objects[to];
      pen.moveTo(one.x + a.x, one.y + a.y); pen.lineTo(one.x + b.x, one.y + b.y);
    }
    pen.stroke();
    pen.globalAlpha = 1;
    for (const object of one.objects) {
      pen.fillStyle = colours[object.kind];
      pen.beginPath(); pen.arc(one.x + object.x, one.y + object.y, one.dot, 0, 7); pen.fill();
      if (object.sensitivity === "high" || this.chosen?.object === object) { pen.strokeStyle = ink; pen.lineWidth = this.chosen?.object === object ? 1.6 : 0.7; pen.stroke(); }
    }
    if (one.r * this.view.scale < 130 || one.dot * this.view.scale < 7) return;
    pen.fillStyle = ink; pen.textAlign = "center";
    pen.font = `${11 / this.view.scale}px system-ui, sans-serif`;
    for (const object of one.objects) this.put(pen, object.name.split("/").pop().slice(0, 28), one.x + object.x, one.y + object.y + one.dot + 12 / this.view.scale, taken);
  }

  label(pen, one, ink, taken) {
    if (one.r * this.view.scale < 22 && this.chosen?.component !== one) return;
    pen.fillStyle = ink; pen.textAlign = "center";
    pen.font = `600 ${13 / this.view.scale}px system-ui, sans-serif`;
    this.put(pen, `${one.label.length > 30 ? "…" : ""}${one.label.slice(-30)} (${one.count})`, one.x, one.y + one.r + 15 / this.view.scale, taken);
  }

  // A text that would lie over another is left out; what is chosen and what is large comes first.
  put(pen, text, x, y, taken) {
    const half = pen.measureText(text).width / 2, high = 15 / this.view.scale;
    if (taken.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.y - y) < high)) return;
    taken.push({ x, y, half });
    pen.fillText(text, x, y);
  }

  fit() {
    const all = this.components;
    if (!all.length) { this.draw(); return; }
    const side = (pick) => all.map(pick);
    const left = Math.min(...side((one) => one.x - one.r)), right = Math.max(...side((one) => one.x + one.r));
    const top = Math.min(...side((one) => one.y - one.r)), bottom = Math.max(...side((one) => one.y + one.r));
    const scale = Math.min(this.canvas.clientWidth / (right - left + 60), this.canvas.clientHeight / (bottom - top + 80), 3);
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2 + 8, scale };
    this.draw();
  }

  zoom(factor, x = this.view.x, y = this.view.y) {
    const scale = Math.min(12, Math.max(0.02, this.view.scale * factor)), real = scale / this.view.scale;
    this.view = { x: x + (this.view.x - x) / real, y: y + (this.view.y - y) / real, scale };
    this.draw();
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect(), { view } = this;
    return [view.x + (event.clientX - box.left - box.width / 2) / view.scale, view.y + (event.clientY - box.top - box.height / 2) / view.scale];
  }

  async choose(component) {
    await this.open(component);
    this.chosen = { component, object: null };
    this.view = { x: component.x, y: component.y, scale: Math.min(this.canvas.clientWidth, this.canvas.clientHeight) / (2.5 * component.r) };
    this.draw();
    const rows = component.objects.slice(0, 60).map((object) => this.linked(object));
    this.tell(component.label, [`${component.count} objects`], rows);
  }

  pick(x, y) {
    const component = this.components.find((one) => Math.hypot(one.x - x, one.y - y) <= one.r);
    if (!component) return;
    const reach = Math.max(component.dot || 0, 6 / this.view.scale);
    const near = (component.objects || []).map((object) => [Math.hypot(component.x + object.x - x, component.y + object.y - y), object]).sort((a, b) => a[0] - b[0])[0];
    if (!near || near[0] > reach) { this.choose(component); return; }
    this.chosen = { component, object: near[1] };
    const { name, kind, sort, sensitivity } = near[1];
    this.tell(name, [kind, sort, `${sensitivity} sensitivity`], [this.linked(near[1], "What was ever told of it, and what it is related to")]);
    this.draw();
  }

  linked(object, text) {
    const link = document.createElement("a");
    link.href = `${this.place}/objects/${object.number}`;
    link.textContent = text || object.name;
    return link;
  }

  // Names are put in as text, never as markup.
  tell(title, lines, links) {
    const head = document.createElement("h2"), list = document.createElement("ul");
    head.textContent = title;
    list.className = "list";
    for (const link of links) { const item = document.createElement("li"); item.append(link); list.append(item); }
    this.details.replaceChildren(head, ...lines.map((text) => { const one = document.createElement("p"); one.textContent = text.replaceAll("_", " "); return one; }), list);
  }

  listen() {
    const { canvas } = this;
    let drag = null, moved = 0;
    const touches = new Map();
    canvas.addEventListener("pointerdown", (event) => { touches.set(event.pointerId, event); drag = event; moved = 0; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      if (touches.size === 2) {
        const other = [...touches].find(([id]) => id !== event.pointerId)[1], before = touches.get(event.pointerId);
        const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
        this.zoom(span(event) / span(before));
      } else {
        this.view.x -= (event.clientX - drag.clientX) / this.view.scale;
        this.view.y -= (event.clientY - drag.clientY) / this.view.scale;
        moved += Math.abs(event.clientX - drag.clientX) + Math.abs(event.clientY - drag.clientY);
        this.draw();
      }
      touches.set(event.pointerId, event);
      drag = event;
    });
    canvas.addEventListener("pointerup", (event) => { touches.delete(event.pointerId); if (drag && moved < 6) this.pick(...this.at(event)); drag = null; });
    canvas.addEventListener("pointercancel", (event) => { touches.delete(event.pointerId); drag = null; });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), ...this.at(event)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = 40 / this.view.scale;
      const keys = { ArrowLeft: () => { this.view.x -= step; }, ArrowRight: () => { this.view.x += step; }, ArrowUp: () => { this.view.y -= step; }, ArrowDown: () => { this.view.y += step; }, "+": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.fit() };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
      this.draw();
    });
    document.getElementById("zoom-in").addEventListener("click", () => this.zoom(1.4));
    document.getElementById("zoom-out").addEventListener("click", () => this.zoom(1 / 1.4));
    document.getElementById("fit").addEventListener("click", () => this.fit());
    document.querySelectorAll(".open").forEach((button) => button.addEventListener("click", () => {
      const found = this.components?.find((one) => one.name === button.dataset.component);
      if (found) { this.choose(found); canvas.scrollIntoView({ block: "center" }); canvas.focus({ preventScroll: true }); }
    }));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }
}

login();
follow();
// On a narrow screen the navigation is wider than the page.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
if (document.getElementById("graph")) new Graph(document.getElementById("graph"));
