/**
 * The answers to a valid link: show the page, begin to pay, come back, ask for the state, choose another method.
 * Undefined where the page was closed meanwhile: it is then as if the link had never been.
 */
import type {
  LinkedPage,
  PageView,
  PayAnswer,
  PaymentPageAccess,
  ReturnAnswer,
} from '../../../activities/payment-page/page-types.ts';
import type { Reply } from '../../shared/operation.ts';
import { checkContentType, FORM_TYPE, parseForm, readBody } from '../../shared/request-body.ts';
import type { RequestContext } from '../../shared/request-context.ts';
import type { LinkAction, LinkRequest } from './link-request.ts';
import { bareHeaders, linkHeaders } from './page-headers.ts';
import { type NoticeName, shownPage } from './shown-page.ts';
import { LANGUAGES, type PageLanguage, pageLanguage, TEXT_LANGUAGE } from './texts/languages.ts';

export interface LinkAnswerOptions {
  readonly pages: PaymentPageAccess;
  /** Origins of the providers' terminals: browsers let forms lead to no other. */
  readonly terminalOrigins: readonly string[];
}

/** Two short fields. */
const FORM_LIMIT_BYTES = 4_096;
const FORM_TIMEOUT_MS = 10_000;
/** What came between, and the status of the answer to the form. */
const AFTER_PAY: Readonly<Record<Extract<NoticeName, 'CHANGED' | 'BUSY' | 'METHOD' | 'STOPPED'>, number>> = {
  CHANGED: 409,
  BUSY: 409,
  METHOD: 422,
  STOPPED: 502,
};

interface Asked extends LinkAnswerOptions {
  readonly context: RequestContext;
  readonly link: LinkRequest;
  readonly page: LinkedPage;
  /** Of the address: `?lang=`. */
  readonly wanted: string | null;
}

const ANSWERS: Readonly<Record<LinkAction, (asked: Asked) => Promise<Reply | undefined>>> = {
  show: async (asked) => await show(asked, { status: 200 }),
  status: statusAnswer,
  return: returnAnswer,
  pay: payAnswer,
  otherMethod: async (asked) => {
    await readForm(asked.context);
    await asked.pages.endAttempt(asked.page);
    return toPage(asked);
  },
};

export async function answerLink(
  context: RequestContext,
  link: LinkRequest,
  page: LinkedPage,
  options: LinkAnswerOptions,
): Promise<Reply | undefined> {
  const wanted = new URLSearchParams(context.request.url?.split('?')[1] ?? '').get('lang');
  return await ANSWERS[link.action]({ ...options, context, link, page, wanted });
}

async function statusAnswer({ pages, page }: Asked): Promise<Reply | undefined> {
  const status = await pages.statusOf(page);
  return status && { status: 200, headers: bareHeaders(), json: { status } };
}

async function returnAnswer(asked: Asked): Promise<Reply | undefined> {
  const answer: ReturnAnswer = await asked.pages.returned(asked.page);
  if (answer.go === 'TERMINAL') return toTerminal(asked, answer.terminalUri);
  if (answer.go === 'PAGE') return toPage(asked);
  return await show(asked, { status: 200, isReturned: true });
}

async function payAnswer(asked: Asked): Promise<Reply | undefined> {
  const { context, page, pages } = asked;
  const { paymentMethod = '', formNonce = '' } = await readForm(context);
  const language = await languageOf(asked);
  const form = { paymentMethod, formNonce, language: TEXT_LANGUAGE[language] };
  const answer: PayAnswer = await pages.pay(page, form, context.correlationId);
  if (answer.go === 'TERMINAL') return toTerminal(asked, answer.terminalUri);
  const notice = answer.go === 'STOPPED' ? 'STOPPED' : answer.why;
  if (notice === 'CLOSED') return toPage(asked);
  return await show(asked, { status: AFTER_PAY[notice], notice });
}

interface ShowOptions {
  readonly status: number;
  readonly notice?: NoticeName;
  readonly isReturned?: boolean;
}

async function show(asked: Asked, { status, notice, isReturned = false }: ShowOptions): Promise<Reply | undefined> {
  const { context, link, page, pages, terminalOrigins } = asked;
  const view = await pages.view(page);
  if (!view) return undefined;
  const language = await languageOf(asked, view);
  const bytes = shownPage({
    view,
    language,
    path: link.path,
    notice,
    isReturned: isReturned && view.status === 'PROCESSING',
  });
  if (notice) context.log.info({ pageId: page.pageId, notice }, 'the customer was told what came between');
  return { status, headers: linkHeaders(view.status, language, terminalOrigins), bytes };
}

async function languageOf({ context, wanted, pages, page }: Asked, known?: PageView): Promise<PageLanguage> {
  const accepted = context.request.headers['accept-language'];
  // A choice needs no look at the contact.
  const view = LANGUAGES.some((each) => each === wanted) ? undefined : (known ?? (await pages.view(page)));
  return pageLanguage({ wanted, accepted, ofContact: view?.language });
}

async function readForm(context: RequestContext): Promise<Readonly<Record<string, string>>> {
  checkContentType(context.request, [FORM_TYPE]);
  return parseForm(await readBody(context, FORM_TIMEOUT_MS, FORM_LIMIT_BYTES));
}

/** A browser would block a terminal of another origin without a word. */
function toTerminal({ terminalOrigins }: Asked, terminalUri: string): Reply {
  const { origin } = new URL(terminalUri);
  if (!terminalOrigins.includes(origin)) {
    throw new Error(`A provider's terminal is at ${origin}, which TERMINAL_ORIGINS does not list`);
  }
  return { status: 303, headers: { ...bareHeaders(), location: terminalUri } };
}

function toPage({ link, wanted }: Asked): Reply {
  const isChosen = LANGUAGES.some((each) => each === wanted);
  return { status: 303, headers: { ...bareHeaders(), location: `${link.path}${isChosen ? `?lang=${wanted}` : ''}` } };
}
