/**
 * The report page in the browser: filters, sorts, searches and links the findings that the page carries as JSON.
 * State lives in the address (#…), so a view can be sent to someone. Talks to no server; every text is set as text.
 */
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('data').textContent);
  const STEP = 200;
  const RANK = { CRITICAL: 0, ERROR: 1, WARNING: 2, INFO: 3 };
  const findings = data.findings.map(([number, code, severity, message, objectId, file, line, column, isNew]) => ({
    number,
    code,
    severity,
    message,
    objectId,
    file,
    line,
    column,
    isNew,
    text: [code, data.rules[code]?.name, message, objectId, file].join(' ').toLowerCase(),
  }));
  const state = {
    language: data.language,
    severity: '',
    rule: '',
    file: '',
    q: '',
    new: '',
    sort: data.sort,
    target: '',
  };
  const listedOf = new Map();
  for (const { code } of findings) listedOf.set(code, (listedOf.get(code) ?? 0) + 1);
  let matching = findings;
  let shown = 0;

  const t = (key) => data.texts[state.language][key];
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  function readAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    for (const key of Object.keys(state)) state[key] = parameters.get(key) ?? data[key] ?? '';
    if (!Object.hasOwn(data.texts, state.language)) state.language = data.language;
  }

  function writeAddress() {
    const parameters = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value && value !== data[key]) parameters.set(key, value);
    history.replaceState(null, '', `#${parameters}`);
  }

  const orders = {
    severity: (a, b) => RANK[a.severity] - RANK[b.severity],
    rule: (a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
    place: (a, b) => (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0),
    message: (a, b) => a.message.localeCompare(b.message),
  };

  function select() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    matching = findings.filter(
      (finding) =>
        (!state.severity || finding.severity === state.severity) &&
        (!state.rule || finding.code === state.rule) &&
        (!state.file || finding.file === state.file) &&
        (!state.new || finding.isNew) &&
        words.every((word) => finding.text.includes(word)),
    );
    const [by, direction] = state.sort.split('.');
    const order = orders[by];
    if (order) matching.sort((a, b) => (direction === 'down' ? order(b, a) : order(a, b)) || a.number - b.number);
  }

  function helpOf(finding) {
    const rule = data.rules[finding.code];
    const help = element('div', 'help');
    help.id = `help-${finding.number}`;
    help.hidden = true;
    for (const key of rule ? ['meaning', 'mend', 'example'] : []) {
      const paragraph = element('p');
      paragraph.append(element('span', 'faint', `${t(key)}: `));
      const parts = key === 'example' ? rule.example : [{ text: rule[key], netex: false }];
      for (const { text, netex } of parts) paragraph.append(element(netex ? 'code' : 'span', '', text));
      help.append(paragraph);
    }
    return help;
  }

  function ruleButton(finding, help) {
    const button = element('button', 'plain code', finding.code);
    button.type = 'button';
    button.setAttribute('aria-expanded', 'false');
    button.setAttribute('aria-controls', help.id);
    button.addEventListener('click', () => {
      help.hidden = !help.hidden;
      button.setAttribute('aria-expanded', String(!help.hidden));
    });
    return button;
  }

  /** Not where something else is meant: a link, text within the advice, words being selected. */
  function toggleByRow(event) {
    if (event.target.closest('a, button, .help')) return;
    if (getSelection().toString() !== '') return;
    event.currentTarget.querySelector('button.code').click();
  }

  function placeOf(finding) {
    const cell = element('td');
    cell.append(element('div', '', finding.file ?? ''));
    if (finding.line !== null) {
      const column = finding.column === null ? '' : `:${finding.column}`;
      cell.append(element('div', 'faint', `${t('line')} ${finding.line}${column}`));
    }
    return cell;
  }

  function rowOf(finding) {
    const row = element('tr', String(finding.number) === state.target ? 'target' : '');
    row.id = `finding-${finding.number}`;
    row.tabIndex = -1;
    const help = helpOf(finding);
    const severity = element('td');
    severity.append(element('span', `severity ${finding.severity}`, t(finding.severity)));
    const rule = element('td');
    if (finding.isNew) severity.append(element('div', 'new', t('isNew')));
    rule.append(ruleButton(finding, help), element('div', 'faint', data.rules[finding.code]?.name ?? ''));
    const message = element('td');
    message.append(element('div', '', finding.message));
    if (finding.objectId) message.append(element('div', 'object faint', finding.objectId));
    message.append(help);
    const link = element('td');
    const anchor = element('a', '', '#');
    anchor.href = `#target=${finding.number}`;
    anchor.title = t('link');
    anchor.setAttribute('aria-label', t('link'));
    anchor.addEventListener('click', (event) => {
      event.preventDefault();
      state.target = String(finding.number);
      writeAddress();
      for (const other of document.querySelectorAll('tr.target')) other.classList.remove('target');
      row.classList.add('target');
      navigator.clipboard?.writeText(location.href).then(
        () => announce(t('copied')),
        () => {},
      );
    });
    link.append(anchor);
    row.append(severity, rule, message, placeOf(finding), link);
    row.addEventListener('click', toggleByRow);
    if (row.className === 'target') row.querySelector('button.code').click();
    return row;
  }

  function announce(text) {
    byId('status').textContent = text;
  }

  function showMore(upTo = shown + STEP) {
    const rows = document.createDocumentFragment();
    for (; shown < matching.length && shown < upTo; shown++) rows.append(rowOf(matching[shown]));
    byId('rows').append(rows);
    byId('more').hidden = shown >= matching.length;
  }

  function show() {
    select();
    shown = 0;
    byId('rows').textContent = '';
    const position = state.target === '' ? -1 : matching.findIndex((one) => String(one.number) === state.target);
    showMore(Math.max(STEP, position + 1));
    byId('table').hidden = matching.length === 0;
    byId('empty').hidden = matching.length > 0;
    byId('empty').textContent = findings.length === 0 ? t('none') : t('noMatch');
    announce(t('shown').replace('{shown}', matching.length).replace('{total}', findings.length));
    return position;
  }

  function showControls() {
    document.documentElement.lang = state.language;
    document.title = `${t('title')} – ${data.codespace}`;
    for (const labelled of document.querySelectorAll('[data-text]')) labelled.textContent = t(labelled.dataset.text);
    byId('rule').value = state.rule;
    byId('file').value = state.file;
    if (byId('q').value !== state.q) byId('q').value = state.q;
    if (byId('new')) byId('new').checked = state.new !== '';
    for (const place of document.querySelectorAll('[data-listed-of]')) {
      const listed = listedOf.get(place.dataset.listedOf) ?? 0;
      const cut = listed < Number(place.dataset.count);
      place.textContent = cut ? t('listedOf').replace('{listed}', listed) : '';
    }
    byId('language').lang = state.language === 'en' ? 'nb' : 'en';
    for (const chip of document.querySelectorAll('[data-severity]')) {
      chip.setAttribute('aria-pressed', String(chip.dataset.severity === state.severity));
    }
    for (const head of document.querySelectorAll('[data-sort]')) {
      const [by, direction] = state.sort.split('.');
      const sorted = direction === 'down' ? 'descending' : 'ascending';
      head.setAttribute('aria-sort', by === head.dataset.sort ? sorted : 'none');
    }
  }

  function change(part) {
    Object.assign(state, part);
    writeAddress();
    showControls();
    return show();
  }

  function follow() {
    readAddress();
    showControls();
    let position = show();
    if (state.target !== '' && position < 0) {
      position = change({ severity: '', rule: '', file: '', q: '', new: '' });
    }
    if (position >= 0) byId(`finding-${state.target}`)?.scrollIntoView({ block: 'center' });
  }

  function fillChoices(select, values) {
    for (const value of values) {
      const option = element('option', '', value);
      option.value = value;
      select.append(option);
    }
  }

  function moveFocus(step) {
    const rows = [...byId('rows').children];
    const current = rows.indexOf(document.activeElement?.closest?.('#rows tr'));
    if (current + step >= rows.length) showMore();
    const next = byId('rows').children[Math.max(0, current + step)];
    next?.focus();
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') return void change({ severity: '', rule: '', file: '', q: '', new: '', target: '' });
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === '/') {
      event.preventDefault();
      byId('q').focus();
    } else if (event.key === 'j') moveFocus(1);
    else if (event.key === 'k') moveFocus(-1);
    else if (event.key === 'Enter' && event.target.matches('#rows tr'))
      event.target.querySelector('button.code').click();
  }

  const codes = [...new Set(findings.map((finding) => finding.code))].sort();
  const files = [...new Set(findings.map((finding) => finding.file).filter(Boolean))].sort();
  fillChoices(byId('rule'), codes);
  fillChoices(byId('file'), files);
  byId('rule').addEventListener('change', (event) => change({ rule: event.target.value }));
  byId('file').addEventListener('change', (event) => change({ file: event.target.value }));
  byId('new')?.addEventListener('change', (event) => change({ new: event.target.checked ? '1' : '' }));
  let typing;
  byId('q').addEventListener('input', (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ q: event.target.value }), 120);
  });
  byId('clear').addEventListener('click', () =>
    change({ severity: '', rule: '', file: '', q: '', new: '', target: '' }),
  );
  byId('more').addEventListener('click', () => showMore());
  byId('language').addEventListener('click', () => change({ language: state.language === 'en' ? 'nb' : 'en' }));
  for (const chip of document.querySelectorAll('[data-severity]')) {
    chip.addEventListener('click', () => change({ severity: chip.dataset.severity }));
  }
  for (const pick of document.querySelectorAll('[data-pick-rule]')) {
    pick.addEventListener('click', () => {
      change({ rule: pick.dataset.pickRule });
      byId('list').scrollIntoView();
    });
  }
  for (const head of document.querySelectorAll('[data-sort]')) {
    head.querySelector('button').addEventListener('click', () => {
      const up = `${head.dataset.sort}.up`;
      change({ sort: state.sort === up ? `${head.dataset.sort}.down` : up });
    });
  }
  document.addEventListener('keydown', onKey);
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('list').focus();
  });
  addEventListener('hashchange', follow);
  follow();
})();
