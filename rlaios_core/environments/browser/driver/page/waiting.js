// What listens, what is under way, and when the page has come to rest.
const clickable = new WeakSet();
const keyed = new WeakSet();
const CLICKS = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup']);
const KEYS = new Set(['keydown', 'keyup', 'keypress']);
const nativeAdd = EventTarget.prototype.addEventListener;
const nativeTimeout = window.setTimeout.bind(window);
const isElement = (node) => node && node.nodeType === 1;

EventTarget.prototype.addEventListener = function (type, listener, options) {
  if (listener && isElement(this)) {
    if (CLICKS.has(type)) clickable.add(this);
    else if (KEYS.has(type)) keyed.add(this);
  }
  return nativeAdd.call(this, type, listener, options);
};

// ---- what is under way -------------------------------------------------------------------------------
let pending = 0;
let submitting = 0;
const flights = new Map();
let flightNumber = 0;
const depart = (flight) => { flights.set(++flightNumber, flight); return flightNumber; };
const land = (number) => flights.delete(number);
if (window.navigation) {
  nativeAdd.call(window.navigation, 'navigate', (event) => {
    if (event.hashChange || event.downloadRequest != null || event.destination.sameDocument) return;
    pending = performance.now();
  });
  nativeAdd.call(window.navigation, 'navigateerror', () => { pending = 0; });
}
nativeAdd.call(window, 'submit', (event) => {
  const form = event.target;
  // What the page's handlers make of it shows later; the navigation itself begins later still.
  submitting += 1;
  nativeTimeout(() => {
    submitting -= 1;
    const target = (event.submitter && event.submitter.formTarget) || (form && form.target) || '';
    const method = (event.submitter && event.submitter.getAttribute('formmethod')) || (form && form.method);
    const here = !target || target === '_self';
    if (!event.defaultPrevented && here && method !== 'dialog') pending = pending || performance.now();
  }, 0);
}, true);
const flightOf = new WeakMap();
if (window.fetch) {
  const nativeFetch = window.fetch;
  window.fetch = function (...parts) {
    const flight = newFlight();
    const number = depart(flight);
    const answer = nativeFetch.apply(this, parts);
    answer.then((response) => { flightOf.set(response, flight); land(number); }, () => land(number));
    return answer;
  };
  // An answer is there with its first bytes; the page goes on when it has read the last.
  for (const read of ['arrayBuffer', 'blob', 'formData', 'json', 'text']) {
    const native = Response.prototype[read];
    Response.prototype[read] = function (...parts) {
      const body = native.apply(this, parts);
      if (flightOf.has(this)) {
        const number = depart(flightOf.get(this));
        body.then(() => land(number), () => land(number));
      }
      return body;
    };
  }
}
const nativeSend = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (...parts) {
  const number = depart(newFlight());
  nativeAdd.call(this, 'loadend', () => land(number));
  return nativeSend.apply(this, parts);
};
let closing = false;
const nativeClose = window.close.bind(window);
window.close = () => { closing = true; nativeClose(); };
// Windows opened since the last look: they are there for their opener before the driver hears of them.
let opened = 0;
const windows = new WeakSet();
const nativeOpen = window.open;
window.open = function (...parts) {
  const fresh = nativeOpen.apply(this, parts);
  if (fresh && !windows.has(fresh)) { windows.add(fresh); opened += 1; }
  return fresh;
};
nativeAdd.call(window, 'click', (event) => {
  const link = isElement(event.target) && event.target.closest('a[href][target=_blank]');
  if (link && !event.defaultPrevented && !link.hasAttribute('download')) opened += 1;
});
const newlyOpened = () => { const count = opened; opened = 0; return count; };
const channel = new MessageChannel();
const ticks = [];
channel.port1.onmessage = () => { const next = ticks.shift(); if (next) next(); };
const tick = () => new Promise((resolve) => { ticks.push(resolve); channel.port2.postMessage(0); });
const sleep = (ms) => new Promise((resolve) => nativeTimeout(resolve, ms));

// An input begins with a mouse button or a key and goes on with what follows from it. Requests begun soon
// after some part of it are its consequences and are waited for; what the page does in its own time (polling)
// or left over from earlier inputs is not. Before the first input, what is under way already is waited for.
const SOON = 80;
let inputAt = 0;
let beganAt = 0;
const touched = () => { inputAt = performance.now(); };
const newFlight = () => {
  const begun = performance.now();
  return { begun, caused: begun <= inputAt + SOON };
};
for (const type of ['mousedown', 'click', 'keydown', 'beforeinput', 'input', 'change', 'scroll']) {
  nativeAdd.call(window, type, touched, true);
}
for (const type of ['mousedown', 'keydown', 'beforeinput']) {
  nativeAdd.call(window, type, () => { beganAt = performance.now(); }, true);
}
// A press goes astray when its target is replaced between the button's down and up, as when the field that
// loses the focus makes the page draw itself anew: no control hears of the click. A request says that one did.
let down = { node: document, flights: 0 };
let astray = false;
nativeAdd.call(window, 'mousedown', (event) => {
  down = { node: event.composedPath()[0], flights: flightNumber };
  astray = false;
}, true);
nativeAdd.call(window, 'mouseup', () => { astray = !down.node.isConnected; }, true);
const pressLost = () => (astray && flightNumber === down.flights) || frames().some((frame) => frame.pressLost());
const busy = (before) => {
  let inFlight = false;
  for (const flight of flights.values()) {
    if (inputAt ? flight.caused && flight.begun >= beganAt : flight.begun <= before) inFlight = true;
  }
  return { pending: pending > 0 || submitting > 0, inFlight };
};
// A handler that asked goes on when it has its answer.
for (const question of ['alert', 'confirm', 'prompt']) {
  const native = window[question];
  window[question] = function (...parts) {
    const answer = native.apply(this, parts);
    touched();
    return answer;
  };
}
function frames() {
  const found = [];
  for (const frame of document.querySelectorAll('iframe')) {
    try { if (frame.contentWindow && frame.contentWindow.__rlaios) found.push(frame.contentWindow.__rlaios); }
    catch { /* another origin */ }
  }
  return found;
}
// A frame holds an empty document until its own comes. Each address is waited for once: one that never comes
// (a download, no content) must not hold up every look.
const awaited = new WeakMap();
function framesComing(patience) {
  const now = performance.now();
  let coming = false;
  for (const frame of document.querySelectorAll('iframe')) {
    const inner = frame.contentDocument;
    if (!inner || !comes(frame, inner)) continue;
    const address = frame.srcdoc || frame.src;
    if (awaited.get(frame)?.address !== address) awaited.set(frame, { address, until: now + patience });
    if (now < awaited.get(frame).until) coming = true;
  }
  return coming;
}
function comes(frame, inner) {
  const box = frame.getBoundingClientRect();
  if (box.width < 4 || box.height < 4) return false;
  if (frame.loading === 'lazy' && (box.top > innerHeight || box.bottom < 0)) return false;
  if (inner.readyState === 'loading') return true;
  const own = frame.srcdoc || (frame.src && !/^(about|javascript):/.test(frame.src));
  return inner.URL === 'about:blank' && Boolean(own);
}
async function settle(limits) {
  const start = performance.now();
  const patience = inputAt ? limits.requests : limits.requests / 3;
  let landed = false;
  await tick();
  await tick();
  for (;;) {
    const waited = performance.now() - start;
    const states = [busy(start), ...frames().map((frame) => frame.busy(start))];
    const navigating = states.some((state) => state.pending) || document.readyState === 'loading';
    const inFlight = states.some((state) => state.inFlight) || framesComing(patience);
    if (navigating && waited < limits.navigation) { await sleep(4); continue; }
    if (inFlight && waited < patience) { landed = true; await sleep(4); continue; }
    if (landed) { landed = false; await sleep(20); continue; }
    return navigating ? 'navigating' : inFlight ? 'busy' : 'quiet';
  }
}
