// Examine pages with axe-core in jsdom, which runs none of their scripts and loads nothing. One line for each page.
const fs = require('fs'), { JSDOM, VirtualConsole } = require('jsdom'), axe = require('axe-core');
const options = { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }; // there is no layout
const formal = tag => tag.startsWith('wcag') || tag === 'ACT';
const place = (dom, node) => {
  const found = typeof node.target[0] === 'string' ? dom.window.document.querySelector(node.target[0]) : null;
  const at = found && dom.nodeLocation(found);
  return at ? at.startLine : 0;
};
(async () => {
  for (const path of process.argv.slice(1)) {
    const page = { path, failed: false, rows: [] };
    try {
      const text = fs.readFileSync(path, 'utf8');
      const dom = new JSDOM(text, { runScripts: 'outside-only', includeNodeLocations: true, virtualConsole: new VirtualConsole() });
      dom.window.eval(axe.source);
      const said = await dom.window.axe.run(dom.window.document, options);
      for (const rule of said.violations.filter(rule => rule.tags.some(formal)))
        for (const node of rule.nodes)
          page.rows.push([rule.id, place(dom, node), node.impact || rule.impact || '', rule.help, rule.helpUrl.split('?')[0],
            rule.tags.filter(tag => /^wcag\d{3,4}$/.test(tag))[0] || '']);
      dom.window.close();
    } catch (error) { page.failed = true; }
    console.log(JSON.stringify(page));
  }
})();
