/** Instants as stop registers write them. Callers: the reader of SiteFrames. */

const INSTANT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Milliseconds since 1970; undefined when it is no instant. Without an offset it is taken as UTC: the answer must not
 * depend on the machine, and an hour or two matter to no one's choice between versions of a stop.
 */
export function parseInstantMs(text: string): number | undefined {
  const found = INSTANT.exec(text.trim());
  if (!found) return undefined;
  const [, day, time = 'T00:00:00', offset = 'Z'] = found;
  const instantMs = Date.parse(`${day}${time}${offset}`);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}
