/**
 * Profiles for requests: created, looked up, searched, changed, deleted, and prepared for conversion. Missing, expired,
 * erased and foreign profiles are indistinguishable, in answer and in time.
 *
 * Callers: the handlers of the API. Every write is one conditional update that carries its event; repeated under the
 * same `workId` it changes nothing. Starts no workflow: profiles that need one get `pendingStart`.
 */
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { ConversionPreparation, type PreparedConversion } from './conversion-preparation.ts';
import { keyOf } from './customer-subject.ts';
import type { Found, NewProfile, Profile, ProfileCriteria, ProfileType, Tenancy, Write } from './customer-types.ts';
import { type OpenProfile, type ProfileAggregates, ProfileChanges, profileAggregates } from './profile-changes.ts';
import { openContent, toProfile } from './profile-content.ts';
import { ProfileCreation, type ProfileCreationOptions } from './profile-creation.ts';
import {
  byNumber,
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
  PROFILES,
  type ProfileCollection,
  profileCollection,
} from './profile-document.ts';
import { endingStatus, endProfile } from './profile-ending.ts';
import { notFound } from './profile-refusals.ts';
import { ProfileSearch, type SearchPaging } from './profile-search.ts';
import { type ProfileChange, ProfileUpdate } from './profile-update.ts';

export type { PreparedConversion } from './conversion-preparation.ts';
export type { SearchPaging } from './profile-search.ts';
export type { ProfileChange } from './profile-update.ts';

export type ProfileIdentifier =
  | { readonly customerNumber: CustomerNumber }
  | { readonly customerRef: string; readonly organisationId: OrganisationId };

export interface Login {
  readonly customerNumber: CustomerNumber;
  readonly passwordHash: string | undefined;
}

const NO_KEY = 'none';
const NOBODY = '0' as CustomerNumber;

export class ProfileStore {
  readonly #options: ProfileCreationOptions;
  readonly #collection: ProfileCollection;
  readonly #profiles: ProfileAggregates;
  readonly #changes: ProfileChanges;
  readonly #creation: ProfileCreation;
  readonly #search: ProfileSearch;
  readonly #conversion: ConversionPreparation;
  readonly #update: ProfileUpdate;
  readonly #now: () => Date;

  constructor(options: ProfileCreationOptions) {
    this.#options = options;
    this.#collection = profileCollection(options.connection);
    this.#profiles = profileAggregates(options);
    this.#changes = new ProfileChanges(options);
    this.#creation = new ProfileCreation(options);
    this.#search = new ProfileSearch(options);
    this.#conversion = new ConversionPreparation(options);
    this.#update = new ProfileUpdate(options);
    this.#now = options.now ?? (() => new Date());
  }

  /** Makes the indexes of profiles and of their keys. */
  async ensureIndexes(): Promise<void> {
    await PROFILES.ensureIndexes(this.#options.connection);
    await this.#options.keys.ensureIndexes();
  }

  /** Throws DUPLICATE_EMAIL, DUPLICATE_CUSTOMER_REF. A temporary profile gets `pendingStart` for its workflow. */
  async create(input: NewProfile, write: Write): Promise<Profile> {
    return await this.#creation.create(input, write);
  }

  async find(tenancy: Tenancy, identifier: ProfileIdentifier): Promise<Profile | undefined> {
    const found =
      'customerNumber' in identifier
        ? await this.#changes.find({ tenancy, customerNumber: identifier.customerNumber })
        : await this.#findByRef(tenancy, identifier.organisationId, identifier.customerRef);
    return found && show(found);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, customerNumber: CustomerNumber, type?: ProfileType): Promise<Profile> {
    return show(await this.#changes.get({ tenancy, customerNumber, ...(type && { type }) }));
  }

  /** One indexed read without a key, to check that the profile exists before the body is checked. Throws NOT_FOUND. */
  async getType(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<ProfileType> {
    const { filter, hint } = byNumber(tenancy, customerNumber);
    const options = { projection: { profileType: 1 }, hint } as const;
    const found = await this.#collection.findOne({ ...filter, ...isLive(this.#now()) }, options);
    if (!found?.profileType) throw notFound();
    return found.profileType;
  }

  async search(tenancy: Tenancy, criteria: ProfileCriteria, paging: SearchPaging): Promise<Found<Profile>> {
    return await this.#search.search(tenancy, criteria, paging);
  }

  /**
   * Throws NOT_FOUND, DUPLICATE_EMAIL, DUPLICATE_CUSTOMER_REF. When the date of a temporary profile changes, its
   * workflow must be signalled.
   */
  async update(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    type: ProfileType,
    change: ProfileChange,
    write: Write,
  ): Promise<Profile> {
    return await this.#update.update({ tenancy, customerNumber, type }, change, write);
  }

  /** Replaces the hash of an unchanged password, unless it has been replaced already. Throws NOT_FOUND. */
  async renewPasswordHash(tenancy: Tenancy, { customerNumber, passwordHash }: Login, renewed: string): Promise<void> {
    if (passwordHash === undefined) return;
    await this.#update.renewPasswordHash({ tenancy, customerNumber, type: 'PERMANENT' }, passwordHash, renewed);
  }

  /**
   * From now on the profile is absent; its workflow must be started. Throws NOT_FOUND, except for the request that
   * began it.
   */
  async beginErasure(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    type: ProfileType,
    { correlationId, workId }: Write,
  ): Promise<'BEGUN'> {
    const now = this.#now();
    const { filter, hint } = byNumber(tenancy, customerNumber);
    const ending = endProfile(type, { at: now, correlationId, workId, pendingStart: true });
    if (await this.#profiles.changeUnread({ ...filter, ...isLive(now, type) }, ending, hint)) return 'BEGUN';
    const repeated = { ...filter, status: endingStatus(type), 'erasure.workId': workId };
    if (await this.#collection.findOne(repeated, { projection: { _id: 1 }, hint })) return 'BEGUN';
    throw notFound();
  }

  /** Throws INVALID_STATE when it is permanent, has expired or was erased within a day; otherwise NOT_FOUND. */
  async prepareConversion(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    change: ProfileChange,
    write: Write,
  ): Promise<PreparedConversion> {
    return await this.#conversion.prepare(tenancy, customerNumber, change, write);
  }

  /**
   * Finds a permanent profile by e-mail in any case or by number. Reads the keys for absent profiles too, so that both
   * take the same time.
   */
  async findLogin(organisationId: OrganisationId, username: string): Promise<Login | undefined> {
    const isNumber = /^\d{7,12}$/.test(username);
    const { filter, hint } = isNumber
      ? byNumber(organisationId, username as CustomerNumber)
      : {
          filter: { organisationId, emailKey: this.#options.searchKeys.hash(organisationId, 'email', username) },
          hint: PROFILE_INDEX.email,
        };
    const options = { projection: { keyId: 1, sealed: 1 }, hint, promoteBuffers: true } as const;
    const found = await this.#collection.findOne({ ...filter, ...isLive(this.#now(), 'PERMANENT') }, options);
    const { _id = NOBODY, keyId = NO_KEY } = found ?? {};
    const sealing = await this.#options.keys.find(keyOf({ _id, organisationId, keyId }));
    if (!found || !sealing) return undefined;
    return { customerNumber: found._id, passwordHash: openContent(found as LiveProfile, sealing).passwordHash };
  }

  async #findByRef(
    tenancy: Tenancy,
    organisationId: OrganisationId,
    customerRef: string,
  ): Promise<OpenProfile | undefined> {
    // The fast answer reveals nothing: it is as fast for every reference of another organisation.
    if (tenancy !== 'ANY' && tenancy !== organisationId) return undefined;
    const filter = {
      organisationId,
      customerRefKey: this.#options.searchKeys.referenceHash(organisationId, customerRef),
    };
    return await this.#changes.findWhere({ filter, hint: PROFILE_INDEX.customerRef });
  }
}

function show({ document, sealing }: OpenProfile): Profile {
  return toProfile(document, sealing);
}
