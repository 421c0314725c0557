/** Checks the addresses that callers give: where the customer is sent back to, and what is told of the final status. */

import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import { type AddressFault, findAddressFault } from '../../activities/shared/public-address.ts';
import { allowsReturn } from '../../activities/shared/return-origins.ts';
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';

export interface GivenAddresses {
  readonly redirectUrl: string;
  readonly callbackUrl?: string | undefined;
}

const FAULTS: Readonly<Record<AddressFault | 'MALFORMED', string>> = {
  MALFORMED: 'is not a URL',
  NOT_HTTPS: 'must begin with https://',
  CREDENTIALS: 'must hold no user and password',
  FRAGMENT: 'must have no fragment',
  PRIVATE_ADDRESS: 'must be a public address',
};

/** Throws VALIDATION_FAILED with every fault. `openAddresses`: in development. */
export function checkAddresses(
  { redirectUrl, callbackUrl }: GivenAddresses,
  channel: DistributionChannel,
  openAddresses: boolean,
): void {
  const errors = [
    ...(addressFaults('/redirectUrl', redirectUrl, openAddresses) ?? returnFaults(redirectUrl, channel, openAddresses)),
    ...((callbackUrl !== undefined && addressFaults('/callbackUrl', callbackUrl, openAddresses)) || []),
  ];
  if (errors.length === 0) return;
  const detail = errors.map((each) => `${each.pointer} ${each.detail}`).join('; ');
  throw new ServiceError('VALIDATION_FAILED', detail, { errors });
}

function addressFaults(pointer: string, text: string, openAddresses: boolean): readonly ErrorItem[] | undefined {
  const fault = URL.canParse(text) ? findAddressFault(new URL(text), openAddresses) : 'MALFORMED';
  return fault && [{ pointer, code: fault, detail: FAULTS[fault] }];
}

function returnFaults(text: string, channel: DistributionChannel, openAddresses: boolean): readonly ErrorItem[] {
  const url = new URL(text);
  if (allowsReturn(channel, url, openAddresses)) return [];
  const { id, returnOrigins } = channel;
  const allowed =
    returnOrigins.length > 0
      ? `the channel ${id} allows ${returnOrigins.join(', ')}`
      : `the channel ${id} allows none, until the operator lists its returnOrigins in the catalogue`;
  const detail = `leads to ${url.origin}, which is not allowed: ${allowed}`;
  return [{ pointer: '/redirectUrl', code: 'ORIGIN_NOT_ALLOWED', detail }];
}
