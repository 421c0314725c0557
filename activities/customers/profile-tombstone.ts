/**
 * What is left of a profile: that there was one, whose, and until when. Caller: the lifecycle store.
 *
 * The tombstone is said member by member, as what stays; so a member that is added to profiles later goes by itself, and the
 * look afterwards finds whatever is not named here.
 */
import type { ProfileDocument } from './profile-document.ts';

/** `erasure` only until it is marked as erased. */
const STAYS = {
  _id: '$_id',
  organisationId: '$organisationId',
  status: '$status',
  erasure: '$erasure',
  sequence: '$sequence',
} as const;

const MAY_STAY = new Set([...Object.keys(STAYS), 'revision', 'outbox', 'erasedAt', 'pendingStart', 'pendingSince']);

/** The update that leaves the tombstone. */
export function toTombstone(): object[] {
  return [{ $replaceWith: { ...STAYS, revision: { $add: ['$revision', 1] }, outbox: { $ifNull: ['$outbox', []] } } }];
}

export function isErasing() {
  return { status: { $in: ['ERASING', 'EXPIRED'] as const } };
}

/** Names of members that a tombstone does not have. */
export function findRemains(document: ProfileDocument): readonly string[] {
  return Object.keys(document).filter((member) => !MAY_STAY.has(member));
}
