/** JSON of customers and their items. Never includes revisions or hashes. */
import type { Consent, Profile } from '../../activities/customers/customer-types.ts';

export function presentProfile(profile: Profile) {
  const { createdAt, changedAt, expirationDate } = profile;
  return {
    customerNumber: profile.customerNumber,
    customerRef: profile.customerRef,
    organisationId: profile.organisationId,
    profileType: profile.profileType,
    status: profile.status,
    firstName: profile.firstName,
    surname: profile.surname,
    email: profile.email,
    countryCode: profile.countryCode,
    telephoneNumberNoCountryCode: profile.telephoneNumberNoCountryCode,
    dateOfBirth: profile.dateOfBirth,
    languagePreference: profile.languagePreference,
    createdAt: createdAt.toISOString(),
    createdBy: profile.createdBy,
    createdByChannel: profile.createdByChannel,
    changedAt: changedAt.toISOString(),
    changedBy: profile.changedBy,
    changedByChannel: profile.changedByChannel,
    ...(expirationDate && { expirationDate: expirationDate.toISOString() }),
  };
}

export function presentConsent(consent: Consent) {
  const { givenAt, createdAt, changedAt } = consent;
  return {
    id: consent.id,
    consentCode: consent.consentCode,
    consentChoice: consent.consentChoice,
    consentVersion: consent.consentVersion,
    distributionChannel: consent.distributionChannel,
    givenAt: givenAt.toISOString(),
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
    createdByOrganisationId: consent.createdByOrganisationId,
  };
}
