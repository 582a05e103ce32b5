// A look: every control and line of the page, in the order of the document.
let registry = [];
let scrollTargets = [];
let excluded = '';
// A form keeps its number for as long as its document lives.
const formNumbers = new WeakMap();
let formCount = 0;

function look(limits) {
  excluded = limits.exclude || '';
  registry = [];
  scrollTargets = [];
  const found = { controls: [], lines: [], scrollers: [], skippedFrames: 0 };
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
    if (form && !formNumbers.has(form)) formNumbers.set(form, formCount++);
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
      submit: submits, form: form ? formNumbers.get(form) : -1,
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
