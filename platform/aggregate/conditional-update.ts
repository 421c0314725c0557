/**
 * Updates of one aggregate's document that depend on their condition alone. Callers: the kit; areas for bulk writes.
 * Pure.
 */
import type { mongo } from 'mongoose';
import type { AggregateDocument, Members } from './aggregate-document.ts';

/** A change without events: numbering them needs the document. */
export interface UnreadChange<Document extends AggregateDocument> {
  readonly set?: Members<Document>;
  /** True: a workflow must be started or signalled. False: none must be any more. */
  readonly pendingStart?: boolean;
}

/** The members of a pending start, which an area adds to its own. */
export function pendingMembers(pendingStart: boolean | undefined, at: Date) {
  if (pendingStart === undefined) return {};
  return pendingStart ? { pendingStart, pendingSince: at } : { pendingStart: undefined, pendingSince: undefined };
}

/** Raises the revision. `at` is the time of the write. */
export function conditionalUpdate<Document extends AggregateDocument>(
  { set, pendingStart }: UnreadChange<Document>,
  at: Date,
): mongo.UpdateFilter<Document> {
  const members = { ...set, ...pendingMembers(pendingStart, at) };
  return { ...setOrUnset(members), $inc: { revision: 1 } } as unknown as mongo.UpdateFilter<Document>;
}

/** Stages of an update that compute members from the stored ones. They never write the kit's members. */
export type UpdateStage = { readonly $set: Readonly<Record<string, unknown>> } | { readonly $unset: string[] };

/** The same for members that are computed from the stored ones; `at` is the time of the write. */
export function conditionalPipeline(
  stages: readonly UpdateStage[],
  at: Date,
  { pendingStart }: Pick<UnreadChange<AggregateDocument>, 'pendingStart'> = {},
): UpdateStage[] {
  const { $set = {}, $unset = {} } = setOrUnset(pendingMembers(pendingStart, at));
  const raised = { revision: { $add: [{ $ifNull: ['$revision', 0] }, 1] } };
  const removed = Object.keys($unset);
  return [...stages, { $set: { ...$set, ...raised } }, ...(removed.length > 0 ? [{ $unset: removed }] : [])];
}

/** Undefined members are removed. */
export function setOrUnset(members: object) {
  const entries: [string, unknown][] = Object.entries(members);
  const set = entries.filter(([, value]) => value !== undefined);
  const unset = entries.filter(([, value]) => value === undefined);
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map(([member]) => [member, ''])) }),
  };
}
