/** JSON of validations, keys and revocations. Pure. */
import type { PublishedTicketKey } from '../../activities/tickets/signing/ticket-key-store.ts';
import type { Revocation } from '../../activities/tickets/ticket-revocations.ts';
import type { ValidationDocument } from '../../activities/tickets/ticket-validation-document.ts';
import type { Distribution } from '../../workflows/tickets/rules/ticket-group.ts';

/** With what the ticket says of all its uses. */
export function presentValidation(
  { _id: validationId, ticketDistributionId, validatedAt, recordedAt, legId, deviceId, marks }: ValidationDocument,
  { usedAt, usedLegIds }: Distribution,
) {
  return {
    validationId,
    ticketDistributionId,
    validatedAt: validatedAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
    legId,
    deviceId,
    marks,
    usedAt: usedAt?.toISOString(),
    usedLegIds,
  };
}

export function presentKey(key: PublishedTicketKey) {
  const { issuerCode, keyId, algorithm, publicKeyDer, validFrom, validTo } = key;
  return {
    ...{ issuerCode, keyId, algorithm },
    publicKeyDer: Buffer.from(publicKeyDer).toString('base64'),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
  };
}

export function presentRevocation({ ticketDistributionId, revokedAt, reason }: Revocation) {
  return { ticketDistributionId, revokedAt: revokedAt.toISOString(), reason };
}
