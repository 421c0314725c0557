/** `Accept` negotiation (RFC 9110 §12.5.1). Pure. */
import Negotiator from 'negotiator';

const JSON_TYPE = 'application/json';
const SUFFIXED_JSON = /^[^;]*\+json(?=;|$)/;

/**
 * The offered type that the caller prefers; undefined when it accepts none. Parameters of an accepted type are ignored:
 * no answer of ours has variants by parameter. A caller that accepts a `+json` type, and says nothing of JSON itself,
 * gets JSON.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  // An empty header says nothing, so it counts as absent.
  const ranges = (accept || '*/*').split(',').map(withoutParameters);
  const namesJson = ranges.some((range) => range.split(';')[0] === JSON_TYPE);
  const accepted = namesJson ? ranges : ranges.map((range) => range.replace(SUFFIXED_JSON, JSON_TYPE));
  return new Negotiator({ headers: { accept: accepted.join(',') } }).mediaType(offered);
}

/** Keeps the quality: `Text/HTML;level=1;q=0.5` → `text/html;q=0.5`. */
function withoutParameters(range: string): string {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return quality === undefined ? type : `${type};${quality}`;
}
