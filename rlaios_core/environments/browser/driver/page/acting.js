// Input: the control is found again, brought into view, and made ready for the mouse or the keyboard.
function resolve(token, signature, limits) {
  const known = registry[token];
  if (known && known.signature === signature && known.el.isConnected && pointerTarget(known.el)) return known;
  look(limits);
  return registry.find((candidate) => candidate.signature === signature) || null;
}
function enabled(el) {
  return !el.matches(':disabled') && el.getAttribute('aria-disabled') !== 'true';
}
// Finds the control again, brings it into view and says where to press.
function prepare(token, signature, limits) {
  const known = resolve(token, signature, limits);
  if (!known) return { status: 'absent' };
  const { el } = known;
  if (!enabled(el) || el.closest('[inert]')) return { status: 'disabled' };
  const target = pointerTarget(el);
  let spot = aim(el, target, known.frame);
  if (spot.offscreen) {
    target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    look(limits);
    const again = registry.find((candidate) => candidate.signature === signature) || known;
    spot = aim(again.el, pointerTarget(again.el) || again.el, again.frame);
  }
  if (spot.offscreen) return { status: 'offscreen' };
  if (spot.cover) return { status: 'covered', detail: spot.cover };
  return { status: 'ok', x: spot.x, y: spot.y };
}
function setValue(el, value) {
  const owner = el.localName === 'textarea' ? HTMLTextAreaElement : el.localName === 'select'
    ? HTMLSelectElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(el, value);
  el.dispatchEvent(new InputEvent('input', { bubbles: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}
// Dates may be given as month/day/year; fields of type date hold year-month-day.
function fieldValue(el, value) {
  const parts = el.localName === 'input' && el.type === 'date' && /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value);
  return parts ? `${parts[3]}-${parts[1].padStart(2, '0')}-${parts[2].padStart(2, '0')}` : value;
}
const PICKED = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);
// Focuses a control. The one that had the focus may have the page replace this one: then its successor is.
function focused(token, signature, limits) {
  let { el } = resolve(token, signature, limits);
  el.focus();
  if (!el.isConnected) {
    ({ el } = resolve(token, signature, limits) || { el });
    el.focus();
  }
  return el;
}
// Focuses a field with its content selected; fields that cannot be typed into are set at once.
function focusField(token, signature, value, limits) {
  const ready = prepare(token, signature, limits);
  if (ready.status !== 'ok') return ready;
  const el = focused(token, signature, limits);
  if (el.localName === 'input' && PICKED.has(el.type)) {
    setValue(el, fieldValue(el, value));
    return { status: 'set' };
  }
  if (el.isContentEditable) {
    const range = el.ownerDocument.createRange();
    range.selectNodeContents(el);
    const selection = el.ownerDocument.defaultView.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  } else if (el.select) el.select();
  return { status: 'ok', x: ready.x, y: ready.y, keyed: keyed.has(el) };
}
function choose(token, signature, option, limits) {
  const ready = prepare(token, signature, limits);
  if (ready.status !== 'ok') return ready;
  const el = focused(token, signature, limits);
  const found = [...el.options].find((o) => clean(o.text, 60) === option && !o.disabled);
  if (!found) return { status: 'absent' };
  setValue(el, found.value);
  return { status: 'ok' };
}
function holds(token, signature, value, limits) {
  const known = resolve(token, signature, limits);
  if (!known) return null;
  const text = known.el.isContentEditable ? known.el.innerText : known.el.value;
  const plain = (s) => (s || '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const wanted = fieldValue(known.el, value);
  return text === wanted || plain(text) === plain(wanted);
}
// What an earlier episode may have left where this document's origin keeps things.
async function leftOver() {
  const found = [];
  if (document.cookie) found.push('cookie');
  if (localStorage.length) found.push('localStorage');
  if (sessionStorage.length) found.push('sessionStorage');
  if (window.name) found.push('window.name');
  if ((await indexedDB.databases()).length) found.push('indexedDB');
  if (window.caches && (await caches.keys()).length) found.push('caches');
  return found.join(' ');
}
// What a look says of the control that an event happened in; nothing when it is no control.
function describe(node, limits) {
  const found = look(limits).controls;
  for (const entry of found) {
    const known = registry[entry.token];
    if (contains(known.el, node) || contains(known.target, node)) return entry;
  }
  return null;
}
function scroll(token, direction) {
  if (token === 0) { scrollBy({ top: direction * innerHeight * 0.9, behavior: 'instant' }); return true; }
  const known = scrollTargets[token - 1];
  if (!known || !known.el.isConnected) return false;
  known.el.scrollBy({ top: direction * known.el.clientHeight * 0.9, behavior: 'instant' });
  return true;
}

Object.defineProperty(window, '__rlaios', { value: Object.freeze({
  settle, look, prepare, focusField, choose, holds, leftOver, scroll, describe,
  busy, pressLost,
  forget: () => { pending = 0; },
}), configurable: false, enumerable: false, writable: false });
