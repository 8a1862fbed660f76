/**
 * A page of the style guide: brings the worker's page, whose own scripts run after this one, into the state that is
 * shown. It does what a person would do there, and answers what the page sends in the server's place.
 */

/**
 * @typedef {{piece: string, acts: string[][], answer: [number, object] | "cut" | "waiting", colours: string,
 *   text: "normal" | "largest"}} Order
 */

// Milliseconds between two looks whether something is there, and until it is given up.
const LOOK_MS = 20;
const MOST_MS = 20_000;
// Pixels under the piece that is shown: the page's foot stands there.
const ROOM_PX = 80;
// Longer than a finger rests before it holds a word (touch.js).
const HOLD_MS = 600;

/** @type {Order} */
const order = JSON.parse(document.getElementById("state-order")?.textContent ?? "null");

window.fetch = async (_address, { method } = {}) => {
  // What the server has is in the page; a frame without storage asks all the same whether there is more.
  if (method === "GET") return new Response(JSON.stringify({ version: 0, paragraphs: [] }));
  if (order.answer === "waiting") return new Promise(() => {});
  if (order.answer === "cut") throw new TypeError("The style guide has cut the connection.");
  const [status, reply] = order.answer;
  // What is wrong with work is said when it is sent; until then it is kept as it is.
  if (status === 422 && method === "PUT") return new Response(JSON.stringify({ version: 1 }));
  return new Response(JSON.stringify(reply), { status });
};

// In a frame among others, nothing that comes into view or gets the focus may pull the page around it there.
if (window !== window.top) {
  const { focus } = HTMLElement.prototype;
  const { showModal } = HTMLDialogElement.prototype;
  Element.prototype.scrollIntoView = () => {};
  HTMLElement.prototype.focus = function (/** @type {FocusOptions | undefined} */ options) {
    focus.call(this, { ...options, preventScroll: true });
  };
  HTMLDialogElement.prototype.showModal = function () {
    this.inert = true; // it would take the focus by itself
    showModal.call(this);
    this.inert = false;
  };
}

/** @type {Record<string, (...values: string[]) => Promise<void> | void>} */
const ACTS = {
  press(key, modifier = "") {
    const options = { key, shiftKey: modifier === "shift", bubbles: true, cancelable: true };
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", options));
  },
  type(selector, text) {
    const field = /** @type {HTMLTextAreaElement} */ (found(selector));
    field.focus();
    field.value += text;
    field.dispatchEvent(new InputEvent("input", { inputType: "insertText", data: text, bubbles: true }));
    field.blur();
  },
  click(selector) {
    found(selector).click();
  },
  paste(selector) {
    found(selector).focus();
    found(selector).dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true }));
  },
  copy() {
    const passage = found('[data-part="passage"]');
    getSelection()?.selectAllChildren(passage);
    passage.dispatchEvent(new ClipboardEvent("copy", { bubbles: true, cancelable: true }));
    getSelection()?.removeAllRanges();
  },
  async tap(text) {
    touch("pointerdown", text);
    touch("pointerup", text);
    touch("click", text);
  },
  async hold(text) {
    touch("pointerdown", text);
    await rest(HOLD_MS);
    touch("pointerup", text);
  },
  away() {
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  },
};

/**
 * A finger's event in the middle of `text`, where it first stands in the paragraph.
 * @param {string} type
 * @param {string} text
 */
function touch(type, text) {
  const passage = found('[data-part="passage"]');
  const texts = document.createTreeWalker(passage, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) {
    const start = node.data.indexOf(text);
    if (start === -1) continue;
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + text.length);
    const { left, top, width, height } = range.getBoundingClientRect();
    const place = { clientX: left + width / 2, clientY: top + height / 2 };
    const options = { pointerType: "touch", isPrimary: true, bubbles: true, cancelable: true, ...place };
    passage.dispatchEvent(new PointerEvent(type, options));
    return;
  }
}

/** @param {string} selector */
function found(selector) {
  const element = document.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}`);
  return element;
}

/** @param {number} ms */
function rest(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param {string} selector of what is to be there, and to be seen */
async function seen(selector) {
  for (let waited = 0; waited < MOST_MS; waited += LOOK_MS) {
    const element = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
    if (element) return element;
    await rest(LOOK_MS);
  }
  throw new Error(`The page does not show ${selector}`);
}

/** What the address asks for: pages without a panel of their own follow it as they follow what was chosen elsewhere. */
function applyChoices() {
  const { colours, text } = order;
  const spacing = text === "largest" ? "wide" : "normal";
  if (document.querySelector('[data-part="comfort"]')) {
    for (const [name, value] of Object.entries({ theme: colours, text, spacing })) {
      const list = /** @type {HTMLSelectElement} */ (found(`[data-part="comfort-${name}"]`));
      list.value = value;
      list.dispatchEvent(new Event("change"));
    }
    return;
  }
  Object.assign(document.documentElement.dataset, { text, spacing });
  /** @type {HTMLLinkElement} */ (found('link[data-part="dark"]')).media = colours === "dark" ? "all" : "not all";
}

await seen('[data-text] :is(.card, main.guide-page, main.message:not([data-part="sent"]))');
applyChoices();
for (const [name, ...values] of order.acts) {
  await ACTS[name](...values);
  await rest(LOOK_MS);
}
const { bottom } = (await seen(order.piece)).getBoundingClientRect();
if (bottom > innerHeight) scrollBy(0, bottom - innerHeight + ROOM_PX);
document.documentElement.dataset.state = "shown";
