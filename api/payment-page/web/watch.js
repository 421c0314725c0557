// Shows the answer about a payment as soon as it is there: asks for the page's state, and opens the page when it is another.
// The page works without this script. It asks less often while nobody looks, and while the service does not answer.
const { status, url, page, every } = document.querySelector('main').dataset;
const FIRST_MS = Number(every) * 1000;
const MOST_MS = 60_000;
let waitMs = FIRST_MS;

async function look() {
  if (document.visibilityState === 'hidden') {
    document.addEventListener('visibilitychange', look, { once: true });
    return;
  }
  if (await hasChanged()) location.replace(page);
  else setTimeout(look, waitMs);
}

async function hasChanged() {
  try {
    // A redirect leads on: to the page, or back to the provider. Both are opened by loading this address.
    const answer = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual' });
    if (answer.type === 'opaqueredirect' || answer.status === 404) return true;
    if (answer.status !== 200) throw new Error(`${answer.status}`);
    waitMs = FIRST_MS;
    // The return address answers with a page while nothing is known.
    const isState = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return isState && (await answer.json()).status !== status;
  } catch {
    waitMs = Math.min(waitMs * 2, MOST_MS);
    return false;
  }
}

setTimeout(look, waitMs);
