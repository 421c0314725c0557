/**
 * Entity tags and the conditions that name them (RFC 9110, sections 8.8.3 and 13.1). Pure. Callers: downloads, and writes
 * that take `If-Match`.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** A document that counts its business versions, and every write of it. */
export interface Revisioned {
  readonly version: number;
  readonly revision: number;
}

/** Throws REVISION_CONFLICT (412) unless the document is as the caller has seen it. */
export type RevisionCheck = (current: Revisioned) => void;

/** Whether a list of entity tags, or `*`, names this one. The strong comparison never matches weak tags. */
export function matchesEtag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (comparison === 'weak' && tag === `W/${etag}`));
}

export function revisionEtag({ version, revision }: Revisioned): string {
  return `"${version}.${revision}"`;
}

/**
 * The condition that `If-Match` sets for a write. Stores call it within the write, with the document that they have just
 * read, so that no other write comes between. Without the header everything passes.
 */
export function revisionCheck(ifMatch: string | undefined): RevisionCheck {
  return (current) => assertMatches(ifMatch, revisionEtag(current));
}

/** As {@link revisionCheck}, for what is only replaced whole. */
export function assertMatches(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, etag, 'strong')) return;
  if (matchesEtag(ifMatch, etag, 'weak')) {
    throw new ServiceError('REVISION_CONFLICT', 'If-Match never matches a weak tag: send the ETag without W/.');
  }
  throw new ServiceError(
    'REVISION_CONFLICT',
    `It has changed since: its ETag is ${etag} now. Read it again, decide again, and send that ETag.`,
  );
}
