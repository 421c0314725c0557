/** Puts each new mail on top of the list. Text goes in as text; a mail's own HTML goes into a sandbox only. */
const main = document.querySelector('main');

function element(name, attributes, ...content) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...content);
  return made;
}

function present({ id, date, from, to, subject, text = '', html, attachments }) {
  const url = `/messages/${id}`;
  const files = attachments.map(({ filename }, index) => [`${url}/attachments/${index}`, filename]);
  const links = [...files, [`${url}/raw`, 'as it came']].flatMap(([href, name]) => [element('a', { href }, name), ' ']);
  const frame = html
    ? [element('iframe', { src: `${url}/html`, sandbox: 'allow-popups', loading: 'lazy', title: subject })]
    : [];
  const parts = [element('p', {}, `${from} → ${to.join(', ')}, ${date}`), ...frame, element('pre', {}, text), ...links];
  return element('details', { id }, element('summary', {}, subject || '(no subject)'), ...parts);
}

async function showNew() {
  const answer = await fetch('/messages').catch(() => undefined);
  const mails = answer?.ok ? await answer.json() : [];
  for (const mail of mails.reverse()) if (!document.getElementById(mail.id)) main.prepend(present(mail));
}

setInterval(() => !document.hidden && showNew(), 1_000);
await showNew();
