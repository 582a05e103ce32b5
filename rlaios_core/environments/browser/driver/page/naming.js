// What elements are: role, name, text, whether they are seen, and where to press them.
const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'br', 'hr',
  'canvas', 'video', 'audio', 'object', 'embed', 'datalist', 'wbr', 'col', 'colgroup']);
const INLINE = new Set(['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'em', 'font', 'i', 'kbd', 'mark', 'q', 's',
  'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var']);
const ROLES = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'switch', 'tab',
  'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'slider', 'spinbutton']);
const clean = (text, limit) => (text || '').replace(/[\s\u200b\u00ad]+/g, ' ').trim().slice(0, limit);
const shadowOf = (el) => el.shadowRoot;
const childrenOf = (el) => {
  if (el.localName === 'slot') {
    const assigned = el.assignedNodes();
    if (assigned.length) return assigned;
  }
  return (shadowOf(el) || el).childNodes;
};

function roleOf(el) {
  const given = (el.getAttribute('role') || '').split(' ')[0];
  if (ROLES.has(given)) return given;
  switch (el.localName) {
    case 'a': return el.hasAttribute('href') ? 'link' : '';
    case 'button': return 'button';
    case 'summary': return 'button';
    case 'textarea': return 'textbox';
    case 'select': return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'input':
      switch (el.type) {
        case 'hidden': case 'file': return '';
        case 'submit': case 'button': case 'reset': case 'image': return 'button';
        case 'checkbox': return 'checkbox';
        case 'radio': return 'radio';
        case 'range': return 'slider';
        case 'search': return 'searchbox';
        default: return 'textbox';
      }
    default:
      if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return 'textbox';
      return '';
  }
}
const listens = (el) => clickable.has(el) || el.onclick != null || el.onmousedown != null ||
  el.onmouseup != null;

function visible(el) {
  return el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
}
function alpha(colour) {
  const parts = colour.match(/[\d.]+/g);
  return parts && parts.length > 3 ? Number(parts[3]) : parts ? 1 : 0;
}
function background(el) {
  for (let node = el; node; node = node.parentElement) {
    const style = getComputedStyle(node);
    if (style.backgroundImage !== 'none') return '';
    if (alpha(style.backgroundColor) > 0.1) return style.backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}
// Whether a person could read text here: not clipped away, tiny, transparent, off the page or of the
// background's own colour.
function legible(el) {
  if (!visible(el)) return false;
  const box = el.getBoundingClientRect();
  if (box.width < 4 || box.height < 4) return false;
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
  const style = getComputedStyle(el);
  if (parseFloat(style.fontSize) < 6 || alpha(style.color) < 0.1) return false;
  return style.color !== background(el);
}
function shownText(el, limit, skipControls) {
  let text = '';
  const walk = (node) => {
    if (text.length > limit) return;
    if (node.nodeType === 3) { text += node.data; return; }
    if (!isElement(node) || SKIPPED.has(node.localName)) { text += ' '; return; }
    if (node.getAttribute('aria-hidden') === 'true' || !visible(node)) return;
    if (skipControls && roleOf(node)) { text += ' '; return; }
    if (node.localName === 'img') { text += ' ' + (node.alt || '') + ' '; return; }
    const box = node.getBoundingClientRect();
    if (box.right + scrollX <= 0 || box.width < 3) return;
    const inline = INLINE.has(node.localName);
    if (!inline) text += ' ';
    for (const child of childrenOf(node)) walk(child);
    if (!inline) text += ' ';
  };
  for (const child of childrenOf(el)) walk(child);
  return clean(text, limit);
}
const byIds = (el, attribute) => clean((el.getAttribute(attribute) || '').split(/\s+/).filter(Boolean)
  .map((id) => { const found = el.getRootNode().getElementById(id); return found ? found.textContent : ''; })
  .join(' '), 120);

const FIELDS = 'input,select,textarea';
const besideText = (node) => node.nodeType === 3 ? clean(node.data, 80)
  : isElement(node) && !(excluded && node.matches(excluded)) && visible(node) && !roleOf(node) &&
    !node.querySelector(FIELDS) ? shownText(node, 80, true) : '';
const LIVE = '[role=alert],[role=status],[aria-live]';
const remarksOn = (el) => new Set(['aria-describedby', 'aria-errormessage'].flatMap(
  (attribute) => (el.getAttribute(attribute) || '').split(/\s+/)));
function nearbyText(el) {
  // A field without a label of its own: the cell before it, or the text that stands before it, or after it
  // where the two are alone together. What is said about its content is no name.
  const remarks = remarksOn(el);
  const nameIn = (node) => isElement(node) && (node.matches(LIVE) || node.id && remarks.has(node.id)) ? ''
    : besideText(node);
  for (let node = el, up = 0; node && up < 3; node = node.parentElement, up++) {
    for (let before = node.previousSibling; before; before = before.previousSibling) {
      const text = nameIn(before);
      if (text) return text;
      if (isElement(before) && (roleOf(before) || before.querySelector(FIELDS))) return '';
    }
    const parent = node.parentElement;
    if (parent && up === 0 && parent.querySelectorAll(FIELDS).length === 1) {
      for (let after = node.nextSibling; after; after = after.nextSibling) {
        const text = nameIn(after);
        if (text) return text;
      }
    }
    if (node.parentElement && /^(form|fieldset|body|main|section)$/.test(node.parentElement.localName)) break;
  }
  return '';
}
function nameOf(el, role) {
  const given = byIds(el, 'aria-labelledby') || clean(el.getAttribute('aria-label'), 120);
  if (given) return given;
  if (el.labels && el.labels.length) {
    const text = clean([...el.labels].map((label) => shownText(label, 120, true)).join(' '), 120);
    if (text) return text;
  }
  if (el.localName === 'input' && role === 'button') {
    return clean(el.value || el.alt || el.title || (el.type === 'submit' ? 'Submit' : ''), 120);
  }
  const field = role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'slider' ||
    el.localName === 'select' || role === 'checkbox' || role === 'radio';
  if (!field) {
    const text = shownText(el, 120, false);
    if (text) return text;
    const inner = el.querySelector('[aria-label],[title],img[alt]');
    return clean(el.title || (inner && (inner.getAttribute('aria-label') || inner.title || inner.alt)), 120);
  }
  if (role === 'checkbox' || role === 'radio') {
    const next = el.nextSibling;
    const text = next && (next.nodeType === 3 ? clean(next.data, 80)
      : isElement(next) ? shownText(next, 80, true) : '');
    if (text) return text;
  }
  return clean(el.placeholder || el.title, 120) || nearbyText(el);
}

function contains(outer, inner) {
  for (let node = inner; node; node = node.parentNode || node.host) if (node === outer) return true;
  return false;
}
function deepest(root, x, y) {
  let found = root.elementFromPoint(x, y);
  while (found && found.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}
// The target that takes the pointer for a control: itself, or the label of a control drawn by its label.
function pointerTarget(el) {
  const box = el.getBoundingClientRect();
  if (visible(el) && box.width >= 4 && box.height >= 4) return el;
  if ((el.type === 'checkbox' || el.type === 'radio') && el.labels) {
    for (const label of el.labels) {
      const shape = label.getBoundingClientRect();
      if (visible(label) && shape.width >= 4 && shape.height >= 4) return label;
    }
  }
  return null;
}
const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8], [0.1, 0.5]];
// Where to press: the first of a few points of the target that nothing else covers.
function aim(el, target, frame) {
  const box = target.getBoundingClientRect();
  const view = target.ownerDocument.defaultView;
  let cover = null;
  let inView = false;
  for (const [fx, fy] of SPOTS) {
    const x = box.left + box.width * fx;
    const y = box.top + box.height * fy;
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) continue;
    const top = deepest(target.ownerDocument, x, y);
    if (!top) continue;
    const clip = frame.clip;
    if (clip && (x < clip.left || x > clip.right || y < clip.top || y > clip.bottom)) continue;
    inView = true;
    const mine = contains(target, top) || contains(el, top) ||
      (top.localName === 'label' && top.control === el) || contains(top, target) && top.localName === 'label';
    if (!mine) { cover = cover || top; continue; }
    if (frame.element) {
      const outer = frame.element.ownerDocument;
      const above = deepest(outer, x + frame.x - frame.outerX, y + frame.y - frame.outerY);
      if (above !== frame.element) { cover = cover || above; continue; }
    }
    return { x: x + frame.x, y: y + frame.y };
  }
  return inView && cover ? { cover: clean(nameOf(cover, roleOf(cover)) || shownText(cover, 40) ||
    cover.localName, 40) } : { offscreen: true };
}
