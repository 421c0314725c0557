/** Customers as stores return them: personal data is plain here and sealed wherever it is stored. Types only. */
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';

/** The customers that a caller may reach: those of one organisation, or (scope `organisation:any`) of all. */
export type Tenancy = OrganisationId | 'ANY';

export type ProfileType = 'PERMANENT' | 'TEMPORARY';
export type LanguagePreference = 'nob' | 'nno' | 'eng';

/** Data that identifies a person. Stored sealed with the profile's own key. */
export interface PersonalData {
  readonly firstName?: string;
  readonly surname?: string;
  readonly email?: string;
  /** Dialling code, as `47` or `+47`. */
  readonly countryCode?: string;
  readonly telephoneNumberNoCountryCode?: string;
  /** `yyyy-MM-dd` */
  readonly dateOfBirth?: string;
}

/** Members that callers may set and change. Stored sealed, except for language and date. */
export interface ProfileContent extends PersonalData {
  readonly customerRef: string;
  readonly languagePreference: LanguagePreference;
  /** Present on a temporary profile. */
  readonly expirationDate?: Date;
  /** scrypt, with its parameters and salt; never shown. */
  readonly passwordHash?: string;
}

/** The creator and the last editor of a profile, in callers' own words, which may name a person. Stored sealed. */
export interface ProfileOrigin {
  readonly createdBy: string;
  readonly createdByChannel: string;
  readonly changedBy: string;
  readonly changedByChannel: string;
}

export interface Profile extends Omit<ProfileContent, 'passwordHash'>, ProfileOrigin {
  readonly customerNumber: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly profileType: ProfileType;
  /** Stores return no other profiles. */
  readonly status: 'ACTIVE';
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** Raised by every write; see `clearPendingStart`. Not shown. */
  readonly revision: number;
}

export interface NewProfile extends Omit<ProfileContent, 'customerRef'> {
  readonly organisationId: OrganisationId;
  readonly profileType: ProfileType;
  /** Default: the customer number. */
  readonly customerRef?: string;
  readonly createdBy: string;
  readonly createdByChannel: string;
}

/** Ids of one write of a caller. */
export interface Write {
  /** The same in every attempt of one request, so that its work is not done twice. */
  readonly workId: string;
  readonly correlationId: string;
  /** The organisation of the caller. */
  readonly organisationId: OrganisationId;
  /** The person or system that changes it, if the caller names it. */
  readonly by?: string;
  readonly channel?: string;
}

/** All given criteria must match, ignoring case. */
export interface ProfileCriteria {
  readonly firstName?: string;
  readonly surname?: string;
  readonly email?: string;
  readonly customerRef?: string;
  readonly phone?: { readonly countryCode: string; readonly number: string };
  readonly dateOfBirth?: string;
  readonly postCode?: string;
  readonly includeTemporary: boolean;
}

export interface PostalAddress {
  readonly type: 'HOME' | 'INVOICE' | 'DELIVERY';
  readonly addressLines: readonly string[];
  readonly postCode: string;
  readonly postTown: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
}

export interface Preference {
  readonly key: string;
  /** Any JSON. */
  readonly value: unknown;
}

export interface ECardContent {
  readonly mediaSerialNumber: string;
  readonly issuerCode: string;
  readonly name?: string;
}

export interface ECard extends ECardContent {
  /** Sixteen digits: issuer and serial. */
  readonly cardNumber: string;
  readonly startOfOwnership: Date;
  readonly endOfOwnership?: Date;
}

export interface LoyaltyProgram {
  readonly programCode: string;
  readonly membershipNumber: string;
  /** `yyyy-MM-dd` */
  readonly validFrom: string;
  readonly validTo?: string;
}

/**
 * The kinds of items of a profile, by the member of the profile that holds them: `content` is what callers give, `item`
 * what they get.
 */
export interface ProfileItems {
  readonly postalAddresses: { readonly content: PostalAddress; readonly item: PostalAddress & Identified };
  /** Identified by their key. */
  readonly preferences: { readonly content: Preference; readonly item: Preference };
  readonly eCards: { readonly content: ECardContent; readonly item: ECard & Identified };
  readonly loyaltyPrograms: { readonly content: LoyaltyProgram; readonly item: LoyaltyProgram & Identified };
}

export interface Identified {
  readonly id: string;
}

export type ItemKind = keyof ProfileItems;
export type ItemContent<K extends ItemKind> = ProfileItems[K]['content'];
export type Item<K extends ItemKind> = ProfileItems[K]['item'];

export interface ConsentContent {
  readonly consentCode: string;
  readonly consentChoice: boolean;
  /** Version of the definition in force. */
  readonly consentVersion: number;
  readonly distributionChannel: string;
  /** Default: the time of the write. */
  readonly givenAt?: Date;
}

/** The members that earlier rows of the history also have. */
export interface Consent extends ConsentContent, Identified {
  readonly givenAt: Date;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly createdByOrganisationId: OrganisationId;
}

export interface Paging {
  readonly page: number;
  readonly perPage: number;
}

export interface Found<T> {
  readonly items: readonly T[];
  readonly totalItems: number;
}
