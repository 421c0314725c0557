/**
 * Computes the search keys of living profiles from their sealed data: after a restore, as back-ups leave search keys out, or
 * with another CUSTOMER_SEARCH_KEY. Caller: the restore command. No process may change profiles meanwhile.
 */
import type { mongo } from 'mongoose';
import { batchesOf } from '../../platform/batches.ts';
import type { Sealing } from '../../platform/personal/sealing.ts';
import { KeyMismatch, type SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import { keyOf } from './customer-subject.ts';
import type { ItemKind } from './customer-types.ts';
import { type HashPlace, ITEM_RULES } from './item-kinds.ts';
import { contentKeys, openContent } from './profile-content.ts';
import { type LiveProfile, type ProfileDocument, type ProfileFilter, profileCollection } from './profile-document.ts';

const AT_ONCE = 500;
const HASHED_KINDS = ['eCards', 'postalAddresses'] as const satisfies ItemKind[];
/** With content; without it there is nothing to hash. */
const READABLE: ProfileFilter = { status: 'ACTIVE', keyId: { $exists: true }, sealed: { $exists: true } };

export type RenewalOptions = Pick<CustomerStoreOptions, 'connection' | 'keys' | 'searchKeys'>;

export interface Renewal {
  readonly renewed: number;
  /** Profiles whose data does not open. They have no search keys, so no search finds them. */
  readonly unopened: readonly CustomerNumber[];
}

/** Profiles without a key are left: they are being erased. Safe to repeat. */
export async function renewSearchKeys(options: RenewalOptions): Promise<Renewal> {
  const profiles = profileCollection(options.connection);
  const found = profiles.find(READABLE, { promoteBuffers: true });
  const outcome = { renewed: 0, unopened: [] as CustomerNumber[] };
  for await (const batch of batchesOf(found as unknown as AsyncIterable<LiveProfile>, { count: AT_ONCE })) {
    const writes = [];
    for (const [document, sealing] of await pairWithSealings(options.keys, batch)) {
      const write = sealing && findRenewal(document, sealing, options);
      if (write) writes.push(write);
      else outcome.unopened.push(document._id);
    }
    if (writes.length === 0) continue;
    const { matchedCount } = await profiles.bulkWrite(writes, { ordered: false });
    if (matchedCount < writes.length) throw new Error('Profiles were changed while their search keys were computed');
    outcome.renewed += matchedCount;
  }
  return outcome;
}

/** Leaves out profiles without a key. Without a sealing: those whose key is another's. */
async function pairWithSealings(
  keys: SubjectKeys,
  batch: readonly LiveProfile[],
): Promise<(readonly [LiveProfile, Sealing?])[]> {
  try {
    const sealings = await keys.findMany(batch.map(keyOf));
    return batch.flatMap((document, index) => (sealings[index] ? [[document, sealings[index]] as const] : []));
  } catch (error) {
    if (!(error instanceof KeyMismatch)) throw error;
    const [only] = batch;
    if (only && batch.length === 1) return [[only]];
    const pairs = [];
    for (const document of batch) pairs.push(...(await pairWithSealings(keys, [document])));
    return pairs;
  }
}

/** Undefined when the profile's data does not open. */
function findRenewal(document: LiveProfile, sealing: Sealing, options: RenewalOptions) {
  try {
    return renewalOf(document, sealing, options);
  } catch {
    return undefined;
  }
}

function renewalOf(
  document: LiveProfile,
  sealing: Sealing,
  { searchKeys }: RenewalOptions,
): mongo.AnyBulkWriteOperation<ProfileDocument> {
  const { _id, revision, organisationId } = document;
  const place = { organisationId, searchKeys };
  const items = Object.fromEntries(HASHED_KINDS.flatMap((kind) => hashedItems(document, kind, sealing, place)));
  const presentKeys = (items.postalAddresses ?? []).flatMap(({ postCodeTerm }) => postCodeTerm ?? []);
  const content = contentKeys(openContent(document, sealing), { ...place, presentKeys: [...new Set(presentKeys)] });
  const { emailKey, ...keys } = content;
  const members = { ...keys, ...items, ...(emailKey !== undefined && { emailKey }) };
  const update = { $set: members, ...(emailKey === undefined && { $unset: { emailKey: '' as const } }) };
  return { updateOne: { filter: { _id, revision }, update: update as mongo.UpdateFilter<ProfileDocument> } };
}

function hashedItems(document: LiveProfile, kind: (typeof HASHED_KINDS)[number], sealing: Sealing, place: HashPlace) {
  const items = document[kind];
  if (!items) return [];
  const { show, keysOf } = ITEM_RULES[kind];
  const hash = keysOf as ((content: unknown, at: HashPlace) => object) | undefined;
  return [[kind, items.map((item) => ({ ...item, ...hash?.(show(item, sealing), place) }))] as const];
}
