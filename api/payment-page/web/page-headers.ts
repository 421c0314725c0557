/** Headers of the pages: what a browser may load, send and tell others. Pure. */
import type { ShownStatus } from '../../../activities/payment-page/page-types.ts';

/** The page may be sent to nobody, kept by nobody, and shown in no other page. */
const EVERY_PAGE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const NOTHING = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
const WITHOUT_FORMS = "form-action 'none'";
/** The script is a file of this server, and asks nobody else. */
const SCRIPT = "script-src 'self'; connect-src 'self'";

export type PageHeaders = Readonly<Record<string, string>>;

/** Of the page of a valid link. Browsers apply `form-action` to redirects: a form leads to the provider. */
export function linkHeaders(status: ShownStatus, language: string, terminalOrigins: readonly string[]): PageHeaders {
  const hasForms = status === 'OPEN' || status === 'PROCESSING';
  const forms = hasForms ? `form-action 'self' ${terminalOrigins.join(' ')}`.trimEnd() : WITHOUT_FORMS;
  const isWatched = hasForms || status === 'PAID';
  return { ...htmlHeaders(language), 'content-security-policy': join([NOTHING, forms, isWatched && SCRIPT]) };
}

export function faultHeaders(language: string): PageHeaders {
  return { ...htmlHeaders(language), 'content-security-policy': join([NOTHING, WITHOUT_FORMS]) };
}

/** Of an answer without a page: a redirect, or the state as JSON. */
export function bareHeaders(): PageHeaders {
  return { ...EVERY_PAGE, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" };
}

function htmlHeaders(language: string): PageHeaders {
  return {
    ...EVERY_PAGE,
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    vary: 'Accept-Language',
  };
}

function join(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('; ');
}
