/** `Accept` negotiation (RFC 9110 §12.5.1). Pure. */
import Negotiator from 'negotiator';

const JSON_TYPE = 'application/json';

/**
 * The offered type that the caller prefers; undefined when it accepts none. Parameters of an accepted type are ignored when
 * nothing matches with them: no answer of ours has variants by parameter. A caller that accepts any `+json` type gets JSON.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  // An empty header says nothing, so it counts as absent.
  const negotiator = new Negotiator({ headers: { accept: accept || '*/*' } });
  const best = negotiator.mediaType(offered);
  if (best !== undefined) return best;
  const accepted = negotiator.mediaTypes();
  const named = accepted.find((type) => offered.includes(type));
  if (named !== undefined) return named;
  return accepted.some((type) => type.endsWith('+json')) ? offered.find((type) => type === JSON_TYPE) : undefined;
}
