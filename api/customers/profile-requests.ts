/**
 * Reads bodies of profiles: defaults, merge patches, and checks that a schema cannot express. Pure; knows neither store
 * nor HTTP.
 */
import type {
  LanguagePreference,
  NewProfile,
  PersonalData,
  ProfileContent,
  ProfileType,
} from '../../activities/customers/customer-types.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';
import type { Schemas } from './contract.gen.ts';
import { invalidMember } from './requests.ts';

/** The body of a permanent profile; a temporary one adds its end. */
type NewProfileBody = Omit<Schemas['NewTemporaryProfile'], 'expirationDate'> & { readonly expirationDate?: string };

/**
 * RFC 7396: null removes a member, an absent member stays. The members that may be null in a permanent profile may be
 * null here, too.
 */
type ProfilePatchBody = Schemas['TemporaryProfilePatch'];

type Patched<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null };

type Change = (present: ProfileContent) => ProfileContent;

const PERSONAL = [
  'firstName',
  'surname',
  'email',
  'countryCode',
  'telephoneNumberNoCountryCode',
  'dateOfBirth',
] as const;
const REQUIRED = ['firstName', 'surname', 'email'] as const;
const LANGUAGES: Readonly<Record<string, LanguagePreference>> = {
  NO: 'nob',
  NOB: 'nob',
  NNO: 'nno',
  EN: 'eng',
  ENG: 'eng',
};
const DEFAULT_LANGUAGE: LanguagePreference = 'nob';
const LONGEST_LIFE_YEARS = 3;

export function newProfileOf(body: NewProfileBody, type: ProfileType, passwordHash: string | undefined): NewProfile {
  const { organisationId, createdBy, createdByChannel, customerRef, expirationDate } = body;
  const personal = mergePersonal({}, body);
  checkPhone(personal);
  return {
    ...personal,
    organisationId,
    profileType: type,
    createdBy,
    createdByChannel,
    languagePreference: toLanguage(body.languagePreference),
    ...(customerRef !== undefined && { customerRef }),
    ...(expirationDate !== undefined && { expirationDate: new Date(expirationDate) }),
    ...(passwordHash !== undefined && { passwordHash }),
  };
}

/** All members but the password, which a replacement does not name. */
export function replacementOf(body: Schemas['ProfileReplacement'], customerNumber: CustomerNumber): Change {
  const personal = mergePersonal({}, body);
  checkPhone(personal);
  return ({ passwordHash }) => ({
    ...personal,
    customerRef: body.customerRef ?? customerNumber,
    languagePreference: toLanguage(body.languagePreference),
    ...(passwordHash !== undefined && { passwordHash }),
  });
}

/** `passwordHash`: null removes it, undefined leaves it. */
export function patchOf(body: ProfilePatchBody, customerNumber: CustomerNumber, passwordHash?: string | null): Change {
  return (present) => {
    const personal = mergePersonal(present, body);
    checkPhone(personal);
    const customerRef = merged(present.customerRef, body.customerRef) ?? customerNumber;
    const hash = merged(present.passwordHash, passwordHash);
    const { expirationDate = present.expirationDate } = body;
    return {
      ...personal,
      customerRef,
      languagePreference:
        body.languagePreference === undefined ? present.languagePreference : toLanguage(body.languagePreference),
      ...(expirationDate !== undefined && { expirationDate: new Date(expirationDate) }),
      ...(hash !== undefined && { passwordHash: hash }),
    };
  };
}

/** The result must be valid as a permanent profile; errors point to the missing members. */
export function conversionOf(body: Schemas['Conversion'], passwordHash: string | undefined): Change {
  return (present) => {
    const { expirationDate: _, ...kept } = present;
    const personal = mergePersonal(present, body);
    const missing: ErrorItem[] = REQUIRED.filter((name) => personal[name] === undefined).map((name) => ({
      pointer: `/${name}`,
      code: 'REQUIRED',
      detail: 'is required of a permanent profile',
    }));
    if (missing.length > 0) {
      throw new ServiceError('VALIDATION_FAILED', 'The profile cannot become a permanent one yet.', {
        errors: missing,
      });
    }
    return { ...kept, ...personal, ...(passwordHash !== undefined && { passwordHash }) };
  };
}

/** In the future, within a limit. */
export function checkExpirationDate(text: string | undefined, now: Date): void {
  if (text === undefined) return;
  const date = new Date(text);
  if (date <= now) throw invalidMember('/expirationDate', 'MINIMUM', 'must be in the future');
  const last = new Date(now);
  last.setUTCFullYear(last.getUTCFullYear() + LONGEST_LIFE_YEARS);
  if (date > last) throw invalidMember('/expirationDate', 'MAXIMUM', `must be within ${LONGEST_LIFE_YEARS} years`);
}

function mergePersonal(present: PersonalData, patch: Patched<PersonalData>): PersonalData {
  return Object.fromEntries(
    PERSONAL.flatMap((name) => {
      const value = merged(present[name], patch[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function merged(present: string | undefined, given: string | null | undefined): string | undefined {
  return given === undefined ? present : (given ?? undefined);
}

function checkPhone({ countryCode, telephoneNumberNoCountryCode }: PersonalData): void {
  if ((countryCode === undefined) === (telephoneNumberNoCountryCode === undefined)) return;
  const missing = countryCode === undefined ? 'countryCode' : 'telephoneNumberNoCountryCode';
  throw invalidMember(`/${missing}`, 'REQUIRED', 'is required: a phone number has both parts or neither');
}

function toLanguage(given: string | null | undefined): LanguagePreference {
  return LANGUAGES[given?.toUpperCase() ?? ''] ?? DEFAULT_LANGUAGE;
}
