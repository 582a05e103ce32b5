// Runs in every document before the page's own scripts: records what listens, watches what is under way,
// and answers `look`, `settle` and `act`. It never writes to the document except for the input asked for.
(() => {
  'use strict';
  if (window.__rlaios) return;
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

  // ---- reading -----------------------------------------------------------------------------------------
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

  let registry = [];
  let scrollTargets = [];
  let excluded = '';

  function look(limits) {
    excluded = limits.exclude || '';
    registry = [];
    scrollTargets = [];
    const found = { controls: [], lines: [], scrollers: [], skippedFrames: 0 };
    const forms = new Map();
    const root = document.documentElement;
    const reach = innerHeight;
    const nav = performance.getEntriesByType('navigation')[0];

    function addLine(kind, text, top) {
      if (!text) return;
      const last = found.lines[found.lines.length - 1];
      if (last && last[1] === text) return;
      found.lines.push([kind, text, top]);
    }

    function addControl(el, role, c) {
      const target = pointerTarget(el);
      if (!target) return;
      const box = target.getBoundingClientRect();
      // Beyond the left or upper edge of the page nothing can ever be scrolled into view.
      if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return;
      const distance = Math.max(0, -box.bottom - c.frame.y, box.top + c.frame.y - innerHeight);
      if (distance > reach) { found.far = (found.far || 0) + 1; return; }
      if (c.frame.clip) {
        const beyond = Math.max(c.frame.clip.top - box.bottom, box.top - c.frame.clip.bottom);
        if (beyond > c.frame.clip.height) { found.far = (found.far || 0) + 1; return; }
      }
      const spot = aim(el, target, c.frame);
      const field = 'value' in el && el.localName !== 'button' && el.localName !== 'li';
      const secret = el.localName === 'input' && el.type === 'password';
      const name = nameOf(el, role);
      const form = el.form;
      if (form && !forms.has(form)) forms.set(form, forms.size);
      const described = byIds(el, 'aria-describedby');
      const bad = el.getAttribute('aria-invalid') === 'true' || byIds(el, 'aria-errormessage');
      const submits = (el.localName === 'button' || el.localName === 'input') && !!form &&
        (el.type === 'submit' || el.type === 'image');
      const entry = {
        token: registry.length, role, name,
        row: c.row ? c.row.text : '', section: c.section, dialog: c.dialog, tag: el.localName,
        type: el.localName === 'input' ? el.type : '',
        disabled: el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true' || !!el.readOnly,
        required: !!el.required || el.getAttribute('aria-required') === 'true',
        invalid: bad ? described || 'invalid' : '',
        placeholder: clean(el.placeholder, 80),
        autocomplete: clean(el.getAttribute('autocomplete'), 40),
        submit: submits, form: form ? forms.get(form) : -1,
        popup: clean(el.getAttribute('aria-haspopup'), 20),
        id: el.id || el.getAttribute('name') || '', secret,
      };
      if (spot.cover) entry.covered = spot.cover;
      if (spot.offscreen) entry.offscreen = true;
      if (keyed.has(el)) entry.keyed = true;
      if (role === 'checkbox' || role === 'radio' || role === 'switch' || role.startsWith('menuitem') &&
          role !== 'menuitem') {
        entry.checked = 'checked' in el && el.localName === 'input' ? el.checked
          : el.getAttribute('aria-checked') === 'true';
      }
      if (el.hasAttribute('aria-selected')) entry.selected = el.getAttribute('aria-selected') === 'true';
      if (el.hasAttribute('aria-expanded')) entry.expanded = el.getAttribute('aria-expanded') === 'true';
      if (el.localName === 'select') {
        entry.options = [...el.options].filter((o) => !o.disabled).slice(0, 60).map((o) => clean(o.text, 60));
        entry.option_count = el.options.length;
        entry.value = el.selectedIndex >= 0 ? clean(el.options[el.selectedIndex].text, 60) : '';
      } else if (field && role !== 'button' && entry.checked === undefined) {
        entry.length = el.value.length;
        entry.value = secret ? '' : clean(el.value, 80);
      } else if (el.isContentEditable) {
        entry.value = clean(el.innerText, 80);
        entry.length = entry.value.length;
      } else if (role === 'combobox') {
        entry.value = clean(shownText(el, 60, false), 60);
      }
      if (el.localName === 'a') { entry.download = el.hasAttribute('download'); entry.href = el.href; }
      registry.push({ el, target, frame: c.frame });
      found.controls.push({ entry, distance });
    }

    function sectionName(el) {
      const given = byIds(el, 'aria-labelledby') || clean(el.getAttribute('aria-label'), 60);
      if (given) return given;
      if (el.localName === 'fieldset') {
        const legend = [...el.children].find((child) => child.localName === 'legend');
        return legend ? clean(shownText(legend, 60, true), 60) : '';
      }
      const heading = el.querySelector(':scope > h1,:scope > h2,:scope > h3,:scope > h4,:scope > header h2');
      return heading && visible(heading) ? clean(shownText(heading, 60, true), 60) : '';
    }

    function visit(el, c) {
      if (SKIPPED.has(el.localName) || (excluded && el.matches(excluded))) return;
      if (el.getAttribute('aria-hidden') === 'true' || el.inert) return;
      const drawnByLabel = el.localName === 'input' && (el.type === 'checkbox' || el.type === 'radio');
      if (!el.checkVisibility() && !drawnByLabel) return;
      if (el.localName === 'iframe') { visitFrame(el, c); return; }
      const given = el.getAttribute('role') || '';
      if (given === 'dialog' || given === 'alertdialog' || el.localName === 'dialog') {
        c = { ...c, dialog: true, section: sectionName(el) || 'dialog', row: null };
      } else if (el.localName === 'fieldset' || el.localName === 'section' || given === 'region' ||
          given === 'group' || given === 'radiogroup' || el.localName === 'form' || given === 'tabpanel') {
        const name = sectionName(el);
        if (name) c = { ...c, section: name };
      } else if (el.localName === 'nav' || given === 'navigation') {
        c = { ...c, section: clean('navigation ' + sectionName(el), 60) };
      } else if (el.localName === 'footer' && !c.section) {
        c = { ...c, section: 'footer' };
      }
      let quiet = c.quiet;
      if (el.localName === 'tr' || given === 'row' || el.localName === 'li' || given === 'listitem' ||
          el.localName === 'article') {
        const text = shownText(el, 100, true);
        if (text && legible(el)) {
          c = { ...c, row: { text } };
          addLine('row', text, el.getBoundingClientRect().top);
          quiet = true;
        }
      }
      const role = roleOf(el);
      if (role) {
        addControl(el, role, c);
        if (role !== 'combobox' || el.localName === 'select' || el.localName === 'button') {
          if (el.localName !== 'summary') return;
          quiet = true;
        }
      } else if (listens(el) && el !== document.body && el !== root) {
        const box = el.getBoundingClientRect();
        const wrapper = el.querySelector('a[href],button,input,select,textarea,[role=button],[role=option],[onclick]');
        if (!wrapper && box.width * box.height < innerWidth * innerHeight * 0.5) {
          const text = shownText(el, 121, false);
          if (text.length <= 120) { addControl(el, 'clickable', c); quiet = true; }
        }
      }
      if (!quiet && el.localName !== 'label' && el.localName !== 'legend') {
        let own = false;
        for (const child of childrenOf(el)) if (child.nodeType === 3 && child.data.trim()) { own = true; break; }
        if (own && legible(el)) {
          const heading = /^h[1-6]$/.test(el.localName) || given === 'heading';
          const live = el.closest(LIVE);
          const kind = live ? (live.getAttribute('role') === 'alert' ||
            live.getAttribute('aria-live') === 'assertive' ? 'alert' : 'status') : heading ? 'heading' : 'text';
          addLine(kind, shownText(el, 200, true), el.getBoundingClientRect().top + c.frame.y);
          quiet = true;
        }
      }
      const style = el.scrollHeight > el.clientHeight + 16 && el.clientHeight > 40 && el !== root &&
        el !== document.body ? getComputedStyle(el).overflowY : '';
      if ((style === 'auto' || style === 'scroll') && el.localName !== 'textarea') {
        const box = el.getBoundingClientRect();
        const clip = { left: box.left, right: box.right, top: box.top, bottom: box.bottom, height: box.height };
        scrollTargets.push({ el, frame: c.frame });
        found.scrollers.push({ token: scrollTargets.length, name: sectionName(el) || 'list',
          up: el.scrollTop > 4, down: el.scrollTop + el.clientHeight < el.scrollHeight - 4 });
        c = { ...c, frame: { ...c.frame, clip } };
      }
      c = { ...c, quiet };
      for (const child of childrenOf(el)) if (isElement(child)) visit(child, c);
    }

    function visitFrame(el, c) {
      const box = el.getBoundingClientRect();
      if (!visible(el) || box.width < 4 || box.height < 4) return;
      let inner = null;
      try { inner = el.contentDocument; } catch { /* another origin */ }
      if (!inner || !inner.documentElement || !inner.body) { found.skippedFrames++; return; }
      const x = c.frame.x + box.left + el.clientLeft;
      const y = c.frame.y + box.top + el.clientTop;
      const name = clean(el.title || el.getAttribute('aria-label'), 60);
      visit(inner.documentElement, {
        ...c, row: null, section: name || c.section, quiet: false,
        frame: { x, y, outerX: c.frame.x, outerY: c.frame.y, element: el, clip: null },
      });
    }

    if (root) {
      visit(root, { row: null, section: '', dialog: false, quiet: false,
        frame: { x: 0, y: 0, outerX: 0, outerY: 0, element: null, clip: null } });
      found.scrollers.unshift({ token: 0, name: 'page', up: scrollY > 4,
        down: scrollY + innerHeight < root.scrollHeight - 4 });
    }
    // Nearest to the view first when there are too many; otherwise as they stand in the document.
    let kept = found.controls;
    if (kept.length > limits.controls) {
      const bound = kept.map((c) => c.distance).sort((a, b) => a - b)[limits.controls - 1];
      kept = kept.filter((c) => c.distance <= bound).slice(0, limits.controls);
    }
    const twins = new Map();
    for (const { entry } of found.controls) {
      const sign = [entry.role, entry.name, entry.row, entry.section].join('\u001f');
      entry.nth = (twins.get(sign) || 0) + 1;
      twins.set(sign, entry.nth);
      entry.signature = sign + '\u001f' + entry.nth;
      registry[entry.token].signature = entry.signature;
    }
    const near = (line) => Math.max(0, -line[2], line[2] - innerHeight);
    const first = found.lines.filter((line) => line[0] === 'alert' || line[0] === 'status');
    const rest = found.lines.filter((line) => line[0] !== 'alert' && line[0] !== 'status' && near(line) <= reach);
    const lines = [...first, ...rest];
    return {
      closing, opened: newlyOpened(), url: location.href, title: clean(document.title, 100), status: (nav && nav.responseStatus) || 0,
      controls: kept.map(({ entry }) => entry), cutControls: found.controls.length - kept.length + (found.far || 0),
      lines: lines.slice(0, limits.lines).map((line) => [line[0], line[1]]),
      cutLines: Math.max(0, found.lines.length - limits.lines),
      scrollers: found.scrollers.filter((s) => s.up || s.down), skippedFrames: found.skippedFrames,
    };
  }

  // ---- acting ------------------------------------------------------------------------------------------
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
  // Focuses a field with its content selected; fields that cannot be typed into are set at once.
  function focusField(token, signature, value, limits) {
    const ready = prepare(token, signature, limits);
    if (ready.status !== 'ok') return ready;
    const { el } = resolve(token, signature, limits);
    el.focus();
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
    const { el } = resolve(token, signature, limits);
    const found = [...el.options].find((o) => clean(o.text, 60) === option && !o.disabled);
    if (!found) return { status: 'absent' };
    el.focus();
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
    busy,
    forget: () => { pending = 0; },
  }), configurable: false, enumerable: false, writable: false });
})();
