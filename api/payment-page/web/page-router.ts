/**
 * The paths that customers' browsers open. Everything but a valid link is answered with one page, "link not valid".
 * The token of a link stands in no log, figure, trace or referrer. Caller: start-pages.ts.
 */
import { type Request, type Response, Router } from 'express';
import type { LinkedPage } from '../../../activities/payment-page/page-types.ts';
import type { Reply } from '../../shared/operation.ts';
import { getRequestContext, type RequestContext } from '../../shared/request-context.ts';
import { sendReply } from '../../shared/send.ts';
import { toServiceError } from '../../shared/to-service-error.ts';
import { findAsset } from './assets.ts';
import { type FaultName, faultPage } from './fault-page.ts';
import { answerLink, type LinkAnswerOptions } from './link-answers.ts';
import { type LinkRequest, parseLink } from './link-request.ts';
import { faultHeaders } from './page-headers.ts';
import { type PageLanguage, pageLanguage } from './texts/languages.ts';
import type { WrongLinks } from './wrong-links.ts';

export interface PageRouterOptions extends LinkAnswerOptions {
  readonly wrongLinks: WrongLinks;
}

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Faults of a request, as a body that is too large. */
const FIRST_SERVER_FAULT = 500;

export function createPageRouter(options: PageRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(async (request: Request, _response: Response) => {
    const context = getRequestContext(request);
    await sendReply(context, await answer(context, options));
  });
  return router;
}

async function answer(context: RequestContext, options: PageRouterOptions): Promise<Reply> {
  const asset = findAsset(context.path);
  if (asset) {
    context.operationId = 'paymentPage.asset';
    context.route = '/assets/:file';
    return { status: 200, headers: { 'content-type': asset.type, 'cache-control': FOR_EVER }, bytes: asset.body };
  }
  try {
    const link = parseLink(context.path);
    // Of a path that is no link of ours the log shows nothing: a token may stand anywhere in it.
    context.route = '/:link';
    context.operationId = 'paymentPage.wrongLink';
    const page = link && (await options.pages.find(link.orderId, link.token));
    if (!link || !page) return wrongLink(context, options);
    return await answerFound(context, link, page, options);
  } catch (error) {
    return presentFault(context, error);
  }
}

async function answerFound(
  context: RequestContext,
  link: LinkRequest,
  page: LinkedPage,
  options: PageRouterOptions,
): Promise<Reply> {
  context.route = link.route;
  context.operationId = `paymentPage.${link.action}`;
  const { method } = context.request;
  if (method !== link.method && !(method === 'HEAD' && link.method === 'GET')) {
    const allow = link.method === 'GET' ? 'GET, HEAD' : 'POST';
    context.errorCode = 'METHOD_NOT_ALLOWED';
    return faultReply('refused', 405, languageOf(context), { allow });
  }
  return (await answerLink(context, link, page, options)) ?? wrongLink(context, options);
}

/** The same for a wrong token, another order's, and a page that is closed. */
function wrongLink(context: RequestContext, { wrongLinks }: Pick<PageRouterOptions, 'wrongLinks'>): Reply {
  const waitSeconds = wrongLinks.note(context.request);
  const language = languageOf(context);
  context.route = '/:link';
  context.operationId = 'paymentPage.wrongLink';
  if (waitSeconds === undefined) {
    context.errorCode = 'NOT_FOUND';
    return faultReply('notValid', 404, language);
  }
  context.errorCode = 'RATE_LIMITED';
  return faultReply('tooMany', 429, language, { 'retry-after': String(waitSeconds) });
}

function presentFault(context: RequestContext, thrown: unknown): Reply {
  const error = toServiceError(thrown);
  const { code, status, headers } = error;
  context.errorCode = code;
  const isOurs = status >= FIRST_SERVER_FAULT;
  if (isOurs) context.log.error({ err: error.cause ?? error, code }, 'the request failed');
  return faultReply(isOurs ? 'fault' : 'refused', status, languageOf(context), headers);
}

function faultReply(name: FaultName, status: number, language: PageLanguage, headers: Reply['headers'] = {}): Reply {
  return { status, headers: { ...headers, ...faultHeaders(language) }, bytes: faultPage(name, language) };
}

/** Where no page is known, the browser alone says it. */
function languageOf({ request }: RequestContext): PageLanguage {
  return pageLanguage({ wanted: wantedLanguage(request.url), accepted: request.headers['accept-language'] });
}

function wantedLanguage(target = ''): string | null {
  return new URLSearchParams(target.split('?')[1] ?? '').get('lang');
}
