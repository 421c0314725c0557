/** Media types of requests and answers: `Content-Type` parsing and `Accept` negotiation (RFC 9110 §12.5.1). Pure. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^\\s*(${TOKEN})/(${TOKEN})\\s*((?:;[^;]*)*)$`);
const PARAMETER = new RegExp(`^\\s*(${TOKEN})\\s*=\\s*(?:"([^"]*)"|(${TOKEN}))\\s*$`);

export interface MediaType {
  /** Lower case, `type/subtype`. */
  readonly essence: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Undefined when the text is not a media type. */
export function parseMediaType(text: string): MediaType | undefined {
  const match = MEDIA_TYPE.exec(text);
  if (!match) return undefined;
  const parameters: Record<string, string> = {};
  for (const part of (match[3] ?? '').split(';').filter((each) => each.trim() !== '')) {
    const parameter = PARAMETER.exec(part);
    if (!parameter) return undefined;
    parameters[(parameter[1] ?? '').toLowerCase()] = parameter[2] ?? parameter[3] ?? '';
  }
  return { essence: `${match[1]}/${match[2]}`.toLowerCase(), parameters };
}

interface Range {
  readonly essence: string;
  readonly quality: number;
}

/**
 * The offered type that the caller likes best; undefined when none is acceptable. Among equals the order of `offered`
 * decides. `application/json` is also matched by any `+json` type, since callers that ask for one can read it.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').flatMap(toRange);
  let best: string | undefined;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

function toRange(text: string): readonly Range[] {
  const parsed = parseMediaType(text);
  if (!parsed) return [];
  const quality = Number(parsed.parameters.q ?? '1');
  return [{ essence: parsed.essence, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
}

/** Of the ranges that match, the most specific one counts. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  let quality = 0;
  let specificity = -1;
  for (const range of ranges) {
    const level = matchLevel(type, range.essence);
    if (level > specificity) {
      specificity = level;
      quality = range.quality;
    }
  }
  return quality;
}

function matchLevel(type: string, range: string): number {
  if (range === type) return 3;
  if (type === 'application/json' && range.endsWith('+json')) return 2;
  const [main] = type.split('/');
  if (range === `${main}/*`) return 1;
  return range === '*/*' ? 0 : -1;
}
