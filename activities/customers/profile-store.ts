/**
 * Profiles as callers reach them: made, looked up, searched, changed, deleted, and prepared to become permanent. What is not
 * there, has expired, is being erased or belongs to another organisation is not there, for one and the same price.
 *
 * Callers: the handlers of the API. Every write is one conditional update that carries its event; repeated under the same
 * `workId` it changes nothing. Starts no workflow: what needs one is marked.
 */
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import { ConversionPreparation, type PreparedConversion } from './conversion-preparation.ts';
import type { Found, NewProfile, Profile, ProfileCriteria, ProfileType, Tenancy, Write } from './customer-types.ts';
import { type OpenProfile, ProfileChanges } from './profile-changes.ts';
import { openContent, toProfile } from './profile-content.ts';
import { ProfileCreation, type ProfileCreationOptions } from './profile-creation.ts';
import {
  byNumber,
  ensureProfileIndexes,
  isLive,
  type LiveProfile,
  PROFILE_INDEX,
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

export class ProfileStore {
  readonly #options: ProfileCreationOptions;
  readonly #profiles: ProfileCollection;
  readonly #changes: ProfileChanges;
  readonly #creation: ProfileCreation;
  readonly #search: ProfileSearch;
  readonly #conversion: ConversionPreparation;
  readonly #update: ProfileUpdate;
  readonly #now: () => Date;

  constructor(options: ProfileCreationOptions) {
    this.#options = options;
    this.#profiles = profileCollection(options.connection);
    this.#changes = new ProfileChanges(options);
    this.#creation = new ProfileCreation(options);
    this.#search = new ProfileSearch(options);
    this.#conversion = new ConversionPreparation(options);
    this.#update = new ProfileUpdate(options);
    this.#now = options.now ?? (() => new Date());
  }

  /** Of profiles and of their keys. */
  async ensureIndexes(): Promise<void> {
    await ensureProfileIndexes(this.#profiles);
    await this.#options.keys.ensureIndexes();
  }

  /** DUPLICATE_EMAIL, DUPLICATE_CUSTOMER_REF. A temporary one is marked: its workflow is to be started. */
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

  /** NOT_FOUND. */
  async get(tenancy: Tenancy, customerNumber: CustomerNumber, type?: ProfileType): Promise<Profile> {
    return show(await this.#changes.get({ tenancy, customerNumber, ...(type && { type }) }));
  }

  /** One indexed read, nothing opened: that it is there, before a body is judged. NOT_FOUND. */
  async getType(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<ProfileType> {
    const { filter, hint } = byNumber(tenancy, customerNumber);
    const options = { projection: { profileType: 1 }, hint } as const;
    const found = await this.#profiles.findOne({ ...filter, ...isLive(this.#now()) }, options);
    if (!found?.profileType) throw notFound();
    return found.profileType;
  }

  async search(tenancy: Tenancy, criteria: ProfileCriteria, paging: SearchPaging): Promise<Found<Profile>> {
    return await this.#search.search(tenancy, criteria, paging);
  }

  /** NOT_FOUND, DUPLICATE_EMAIL, DUPLICATE_CUSTOMER_REF. When the date of a temporary one moves, its workflow is to be told. */
  async update(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    type: ProfileType,
    change: ProfileChange,
    write: Write,
  ): Promise<Profile> {
    return await this.#update.update({ tenancy, customerNumber, type }, change, write);
  }

  /** From now on it is not there; its workflow is to be told. NOT_FOUND, but not to the request that has begun it. */
  async beginErasure(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    type: ProfileType,
    { correlationId, workId }: Write,
  ): Promise<'BEGUN'> {
    const now = this.#now();
    const { filter, hint } = byNumber(tenancy, customerNumber);
    const { matchedCount } = await this.#profiles.updateOne(
      { ...filter, ...isLive(now, type) },
      endProfile(type, { at: now, correlationId, workId, tell: true }),
      { hint },
    );
    if (matchedCount > 0) return 'BEGUN';
    const repeated = { ...filter, status: endingStatus(type), 'erasure.workId': workId };
    if (await this.#profiles.findOne(repeated, { projection: { _id: 1 }, hint })) return 'BEGUN';
    throw notFound();
  }

  /** INVALID_STATE when it is permanent, has expired or was erased within a day; else NOT_FOUND. */
  async prepareConversion(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    change: ProfileChange,
    write: Write,
  ): Promise<PreparedConversion> {
    return await this.#conversion.prepare(tenancy, customerNumber, change, write);
  }

  /** Of a permanent profile, by e-mail in any case or by number. Asks the keys whoever is named. */
  async findLogin(organisationId: OrganisationId, username: string): Promise<Login | undefined> {
    const isNumber = /^\d{7,12}$/.test(username);
    const { filter, hint } = isNumber
      ? byNumber(organisationId, username as CustomerNumber)
      : {
          filter: { organisationId, emailKey: this.#options.searchKeys.hash(organisationId, 'email', username) },
          hint: PROFILE_INDEX.email,
        };
    const options = { projection: { keyId: 1, sealed: 1 }, hint, promoteBuffers: true } as const;
    const found = await this.#profiles.findOne({ ...filter, ...isLive(this.#now(), 'PERMANENT') }, options);
    const sealing = await this.#options.keys.find(found?.keyId ?? NO_KEY);
    if (!found || !sealing) return undefined;
    return { customerNumber: found._id, passwordHash: openContent(found as LiveProfile, sealing).passwordHash };
  }

  async #findByRef(
    tenancy: Tenancy,
    organisationId: OrganisationId,
    customerRef: string,
  ): Promise<OpenProfile | undefined> {
    // Who asks for another organisation learns nothing from the answer being quick: it is so for every reference.
    if (tenancy !== 'ANY' && tenancy !== organisationId) return undefined;
    const filter = { organisationId, customerRef };
    return await this.#changes.findWhere({ filter, hint: PROFILE_INDEX.customerRef });
  }
}

function show({ document, sealing }: OpenProfile): Profile {
  return toProfile(document, sealing);
}
