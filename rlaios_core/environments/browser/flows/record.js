// Tells the recorder what a person clicks and enters, in the words that actions use.
(() => {
  const limits = { controls: 400, lines: 0, exclude: '' };
  const report = (kind, event) => {
    const node = event.composedPath()[0];
    if (!node || node.nodeType !== 1 || !event.isTrusted) return;
    const entry = __rlaios.describe(node, limits);
    if (entry) window.__rlaiosRecord(JSON.stringify({ kind, entry, value: node.value || '', url: location.href }));
  };
  addEventListener('click', (event) => report('click', event), true);
  addEventListener('change', (event) => report('change', event), true);
})();
