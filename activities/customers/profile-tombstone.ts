/**
 * The remains of a profile: that it existed, its organisation, and the time of its erasure. Caller: the lifecycle
 * store.
 *
 * The tombstone lists the members that stay. So members added to profiles later are removed without a change here, and
 * the check afterwards finds every member that is not listed.
 */
import type { ProfileDocument } from './profile-document.ts';

/** `erasure` stays only until the profile is marked as erased. */
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

/** Names of members that do not belong to a tombstone. */
export function findRemains(document: ProfileDocument): readonly string[] {
  return Object.keys(document).filter((member) => !MAY_STAY.has(member));
}
