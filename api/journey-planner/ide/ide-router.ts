/**
 * Serves `GET /journey-planner/v2/ide` and `/v3/ide`, the interactive query page, with its files below
 * `/journey-planner/ide/`. `../routers.ts` mounts it.
 */
import { randomBytes } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { BOKMAL_FIRST, chooseLanguage } from '../../shared/pages/language.ts';
import { findRequestContext } from '../../shared/request-context.ts';
import type { PlannerContext } from '../planner-context.ts';
import { findBundleFiles } from './bundle-files.ts';
import { idePage, idePolicy, missingIdePage } from './ide-page.ts';
import { datedExample, readExamples } from './read-examples.ts';

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;
/** Longer than any query string the page reads. */
const MAX_QUERY_LENGTH = 200;
/** The names of these files change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

export function createIdeRouter({ config, now }: Pick<PlannerContext, 'config' | 'now'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const files = findBundleFiles(config.IDE_DIRECTORY);
  const clientNameHeader = `${config.HEADER_PREFIX}-Client-Name`;
  for (const dialect of ['v2', 'v3'] as const) {
    const examples = readExamples(dialect);
    const path = `/journey-planner/${dialect}/ide`;
    router.get(`${path}/`, redirectWithoutSlash);
    router.get(path, (request: Request, response: Response) => {
      named(request);
      const wanted = new URLSearchParams(queryOf(request)).get('lang');
      const language = chooseLanguage(BOKMAL_FIRST, wanted, request.headers['accept-language']);
      const nonce = randomBytes(16).toString('base64');
      setPageHeaders(response, nonce);
      if (!files) {
        response.status(503).send(missingIdePage(language));
        return;
      }
      const today = new Date(now() * 1_000).toLocaleDateString('sv-SE', { timeZone: config.TIME_ZONE });
      const dated = examples.map((example) => datedExample(example, today));
      response.send(
        idePage({ dialect, language, clientNameHeader, examples: dated, nonce, js: files.js, css: files.css }),
      );
    });
  }
  router.get('/journey-planner/ide/:file', (request: Request<{ file: string }>, response: Response) => {
    named(request);
    const path = files?.find(request.params.file);
    if (path === undefined) throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
    sendFile(path, request, response);
  });
  return router;
}

/** The page's relative addresses are valid only without the slash. */
function redirectWithoutSlash(request: Request, response: Response): void {
  named(request);
  const query = queryOf(request);
  response.redirect(308, query === '' ? '../ide' : `../ide?${query}`);
}

function queryOf({ originalUrl }: Request): string {
  return (originalUrl.split('?')[1] ?? '').slice(0, MAX_QUERY_LENGTH);
}

function named(request: Request): void {
  const requestContext = findRequestContext(request);
  if (requestContext) requestContext.operationId = 'journeyPlanner.ide';
}

function setPageHeaders(response: Response, nonce: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', idePolicy(nonce));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('vary', 'Accept-Language');
}

function sendFile(path: string, request: Request, response: Response): void {
  const compressed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  response.setHeader('content-type', path.endsWith('.js') ? TYPES.js : TYPES.css);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('vary', 'Accept-Encoding');
  if (compressed) response.setHeader('content-encoding', 'br');
  response.sendFile(compressed ? `${path}.br` : path, {
    cacheControl: false,
    lastModified: false,
    etag: false,
    acceptRanges: false,
    dotfiles: 'allow',
    headers: { 'cache-control': FOR_EVER },
  });
}
