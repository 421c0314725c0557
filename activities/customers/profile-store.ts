import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type {
  Found,
  NewProfile,
  Paging,
  Profile,
  ProfileContent,
  ProfileCriteria,
  ProfileType,
  Tenancy,
  Write,
} from './customer-types.ts';

export type ProfileIdentifier =
  | { readonly customerNumber: CustomerNumber }
  | { readonly customerRef: string; readonly organisationId: OrganisationId };

/** Pure; tried again on a lost race. What it throws goes to the caller. */
export type ProfileChange = (present: ProfileContent) => ProfileContent;

export interface SearchPaging extends Paging {
  readonly maxResultSet: number;
}

export interface Login {
  readonly customerNumber: CustomerNumber;
  readonly passwordHash: string | undefined;
}

export declare class ProfileStore {
  constructor(options: CustomerStoreOptions);
  ensureIndexes(): Promise<void>;
  create(input: NewProfile, write: Write): Promise<Profile>;
  find(tenancy: Tenancy, identifier: ProfileIdentifier): Promise<Profile | undefined>;
  get(tenancy: Tenancy, customerNumber: CustomerNumber, type?: ProfileType): Promise<Profile>;
  /** One indexed read, nothing opened: that it exists, before a body is judged. NOT_FOUND. */
  getType(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<ProfileType>;
  search(tenancy: Tenancy, criteria: ProfileCriteria, paging: SearchPaging): Promise<Found<Profile>>;
  update(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    type: ProfileType,
    change: ProfileChange,
    write: Write,
  ): Promise<Profile>;
  beginErasure(tenancy: Tenancy, customerNumber: CustomerNumber, type: ProfileType, write: Write): Promise<'BEGUN'>;
  prepareConversion(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    change: ProfileChange,
    write: Write,
  ): Promise<{ readonly conversionId: string } | { readonly converted: Profile }>;
  findLogin(organisationId: OrganisationId, username: string): Promise<Login | undefined>;
}
