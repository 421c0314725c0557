/** The customer's side over HTTP: the terminal of a session, its 3-D Secure page, and a page about the simulator itself. */
import { randomUUID } from 'node:crypto';
import { type Response, Router, urlencoded } from 'express';
import { html } from '../../../api/shared/pages/html.ts';
import { pageStyle } from '../../../api/shared/pages/page-style.ts';
import { findTestCard } from '../cards.ts';
import { found } from '../requests.ts';
import { answerChallenge, authorise, cancel, wantsChallenge } from '../rules.ts';
import type { Session, SessionStatus, Step } from '../session.ts';
import type { SessionStore } from '../session-store.ts';
import { isAppSession, page, terminalPage, testCards } from './terminal-page.ts';
import { textsOf } from './texts.ts';

const MAX_FORM_BYTES = 4_096;
/** Without `form-action`: browsers apply it to every redirect after the form, and the shop chooses those. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const STATUS_CODES: Readonly<Record<SessionStatus, number>> = {
  OPEN: 200,
  AUTHORISED: 200,
  REFUSED: 410,
  CANCELLED: 410,
  EXPIRED: 410,
};

export interface PagesOptions {
  readonly sessions: SessionStore;
  readonly wake: () => void;
}

export function createPages({ sessions, wake }: PagesOptions): Router {
  const style = pageStyle(new URL('./style.css', import.meta.url));
  const router = Router();
  const bySecret = async (terminal: string) => found(await sessions.find({ terminal }));
  const move = async ({ _id }: Session, step: Step, response: Response) => {
    const after = found(await sessions.change(_id, step));
    wake();
    response.redirect(303, wantsChallenge(after) ? `/terminal/${after.terminal}` : backUri(after));
  };
  router.use((_, response, next) => {
    response.set({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    next();
  });
  router.use(urlencoded({ extended: false, limit: MAX_FORM_BYTES }));
  router.get('/style.css', (_, response) => void response.type('css').send(style));
  router.get('/', (_, response) => void response.send(aboutPage()));
  router.get('/terminal/:secret', async ({ params }, response) => {
    show(response, await bySecret(params.secret));
  });
  router.post('/terminal/:secret', async ({ params, body }, response) => {
    const session = await bySecret(params.secret);
    const form = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (session.status !== 'OPEN') return response.redirect(303, `/terminal/${session.terminal}`);
    if (form.cancel !== undefined) return await move(session, cancel, response);
    const card = findTestCard(String(form.cardNumber ?? ''));
    if (!card && !isAppSession(session)) return show(response, session, true);
    await move(session, authorise(card, randomUUID()), response);
  });
  router.post('/terminal/:secret/3-d-secure', async ({ params, body }, response) => {
    const session = await bySecret(params.secret);
    const form = (body ?? {}) as Readonly<Record<string, unknown>>;
    const isAnswer = form.approve !== undefined || form.decline !== undefined;
    if (!isAnswer || !wantsChallenge(session)) return response.redirect(303, `/terminal/${session.terminal}`);
    await move(session, answerChallenge(form.approve !== undefined && form.decline === undefined), response);
  });
  return router;
}

function show(response: Response, session: Session, refused = false): void {
  const status = refused ? 422 : STATUS_CODES[session.status];
  response.status(status).send(terminalPage({ session, refused, backUri: backUri(session) }));
}

/** `responseCode` is a hint for the shop, which asks for the state itself. */
function backUri({ returnUrl, status }: Session): string {
  const uri = new URL(returnUrl);
  const code = status === 'AUTHORISED' ? 'OK' : status === 'CANCELLED' ? 'CANCEL' : 'FAILED';
  uri.searchParams.set('responseCode', code);
  return uri.href;
}

function aboutPage(): string {
  const texts = textsOf('eng');
  return page(
    texts,
    'Payment provider simulator',
    html`
    <div class="panel">
      <h1>Payment provider simulator</h1>
      <p>The service opens a session here for each payment by card or phone. Customers pay on its terminal page.</p>
      <p><a href="/ledger">Ledger</a>: the money that has moved. <a href="/faults">Faults</a>: the calls that are to fail.</p>
    </div>
    ${testCards(texts)}`,
  );
}
