(() => {
  const body = document.body;
  const has = (name) => body.hasAttribute('data-' + name);
  function seen(what) { fetch('/_seen?what=' + encodeURIComponent(what)); }
  function complete(form) {
    return [...form.querySelectorAll('[required]')].every((f) =>
      f.type === 'radio' ? [...form.querySelectorAll(`[name="${f.name}"]`)].some((r) => r.checked)
        : f.getAttribute('role') === 'combobox' ? f.textContent !== '–' : f.value && f.value !== '–');
  }
  function submitters(form) { return form.querySelectorAll('button:not([type=button]),input[type=submit]'); }
  function late(form) {
    const go = () => setTimeout(() => submitters(form).forEach((b) => { b.disabled = !complete(form); }), 80);
    if (!form.querySelector('[required]')) return;
    submitters(form).forEach((b) => { b.disabled = !complete(form); });
    form.addEventListener('input', go);
    form.addEventListener('change', go);
    form.addEventListener('picked', go);
  }
  function hydrate(form) {
    form.addEventListener('input', (event) => {
      if (form.dataset.alive || !event.target.matches('input:not([type=checkbox]):not([type=radio]),textarea')) return;
      form.dataset.alive = '1';
      const copy = event.target.cloneNode(true);
      copy.value = event.target.defaultValue;
      event.target.replaceWith(copy);
    });
  }
  function rerender(form) {
    form.addEventListener('change', () => {
      for (const field of form.querySelectorAll('input:not([type=hidden]),select,textarea')) {
        const copy = field.cloneNode(true);
        copy.value = field.value;
        if ('checked' in field) copy.checked = field.checked;
        field.replaceWith(copy);
      }
    });
  }
  function saveBar(form) {
    const bar = form.querySelector('.savebar');
    if (!bar) return;
    for (const type of ['input', 'change', 'picked']) form.addEventListener(type, () => { bar.hidden = false; });
  }
  function combobox(box) {
    const button = box.querySelector('[role=combobox]');
    const list = box.querySelector('[role=listbox]');
    const hidden = box.querySelector('input');
    const show = (on) => { list.hidden = !on; button.setAttribute('aria-expanded', String(on)); };
    button.addEventListener('click', () => show(list.hidden));
    for (const option of list.children) {
      option.addEventListener('click', () => {
        button.textContent = option.textContent;
        hidden.value = option.textContent;
        show(false);
        button.dispatchEvent(new Event('picked', { bubbles: true }));
      });
    }
  }
  function virtual(box) {
    const rows = [...box.querySelectorAll('template')];
    const table = box.querySelector('table');
    const tbody = box.querySelector('tbody');
    const HEIGHT = 40;
    const draw = () => {
      const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 1);
      const shown = rows.slice(first, first + 8);
      tbody.replaceChildren(...shown.map((row) => row.content.cloneNode(true)));
      table.style.marginTop = first * HEIGHT + 'px';
      table.style.marginBottom = Math.max(0, rows.length - first - shown.length) * HEIGHT + 'px';
      wire(tbody);
    };
    box.addEventListener('scroll', draw);
    draw();
  }
  async function shadow(host) {
    const root = host.attachShadow({ mode: 'open' });
    const text = await (await fetch(host.dataset.shadow)).text();
    root.append(...new DOMParser().parseFromString(text, 'text/html').querySelector('main').childNodes);
    wire(root);
  }
  function ask(event, element) {
    const message = element && element.getAttribute('data-confirm');
    if (message && !confirm(message)) event.preventDefault();
  }
  function show(text, url) {
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    document.querySelector('main').replaceWith(fresh.querySelector('main'));
    document.title = fresh.title;
    if (url) history.pushState(null, '', url);
    wire(document.querySelector('main'));
    closing();
  }
  async function go(url, options) {
    const answer = await fetch(url, options);
    const text = await answer.text();
    show(text, answer.ok ? answer.url : null);
  }
  function onSubmit(event) {
    const form = event.target;
    ask(event, event.submitter);
    if (event.defaultPrevented || !has('spa') || form.target) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form, event.submitter));
    go(form.action, { method: 'POST', body: data });
  }
  function wire(root) {
    for (const form of root.querySelectorAll('form')) {
      form.addEventListener('submit', onSubmit);
      if (has('late')) late(form);
      if (has('hydrate')) hydrate(form);
      if (has('rerender')) rerender(form);
      saveBar(form);
    }
    for (const box of root.querySelectorAll('.combobox')) combobox(box);
    for (const box of root.querySelectorAll('[data-virtual]')) virtual(box);
    for (const host of root.querySelectorAll('[data-shadow]')) shadow(host);
    for (const button of root.querySelectorAll('[data-submit]')) {
      button.addEventListener('click', () => {
        const form = button.closest('form');
        if (has('late') && form.querySelector('[required]') && !complete(form)) return;
        const hidden = document.createElement('input');
        hidden.type = 'hidden'; hidden.name = 'do'; hidden.value = button.id;
        form.append(hidden);
        form.requestSubmit();
      });
    }
    for (const button of root.querySelectorAll('[data-opens]')) {
      button.addEventListener('click', () => { document.getElementById(button.dataset.opens).hidden = false; });
    }
    for (const button of root.querySelectorAll('[data-closes]')) {
      button.addEventListener('click', () => {
        button.closest('.modal,.cookiebar').hidden = true;
        if (button.dataset.seen) seen(button.dataset.seen);
      });
    }
    for (const button of root.querySelectorAll('[data-toggles]')) {
      button.addEventListener('click', () => {
        const menu = document.getElementById(button.dataset.toggles);
        menu.hidden = !menu.hidden;
        button.setAttribute('aria-expanded', String(!menu.hidden));
      });
    }
    for (const tab of root.querySelectorAll('[data-tab]')) {
      tab.addEventListener('click', () => {
        for (const other of tab.parentElement.children) {
          other.setAttribute('aria-selected', String(other === tab));
          document.getElementById(other.dataset.tab).hidden = other !== tab;
        }
      });
    }
    for (const button of root.querySelectorAll('[data-popup]')) {
      button.addEventListener('click', () => { open(button.dataset.popup, 'consent', 'width=500,height=500'); });
    }
    if (has('spa')) {
      for (const link of root.querySelectorAll('a[href^="/"]')) {
        if (link.hasAttribute('download') || link.getAttribute('href').startsWith('/download')) continue;
        link.addEventListener('click', (event) => { event.preventDefault(); go(link.href); });
      }
    }
  }
  addEventListener('popstate', () => location.reload());
  addEventListener('message', (event) => { if (event.data === 'linked') location.reload(); });
  function closing() {
    if (!document.querySelector('[data-closing]')) return;
    if (window.opener) window.opener.postMessage('linked', '*');
    setTimeout(() => window.close(), 30);
  }
  closing();
  wire(document);
})();
