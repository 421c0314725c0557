/**
 * The distribution channel of a request, from the header `Service-Distribution-Channel`. Operations say by
 * `x-distribution-channel` whether they require it. Callers: the preparation of requests; handlers for which it is optional.
 */
import type { CatalogueReader, DistributionChannel } from '../../activities/shared/catalogue.ts';
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { Caller } from './operation.ts';

export type FindChannel = CatalogueReader['findChannel'];

const HEADER = 'Distribution-Channel';
/** The header as handlers and checks see it, whatever the operator's prefix is. */
const NEUTRAL_HEADER = 'service-distribution-channel';
const WHERE = 'GET /v1/catalogue lists them as distributionChannels';
/** Lifts the limits of a caller's organisation. */
const ANY_ORGANISATION = 'organisation:any';

export interface ChannelCheckOptions {
  /** As in {@link OperationEntry.channel}. */
  readonly channel: NonNullable<OperationEntry['channel']>;
  readonly findChannel: FindChannel;
  readonly headerPrefix: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Throws MISSING_HEADER, UNKNOWN_DISTRIBUTION_CHANNEL or DISTRIBUTION_CHANNEL_FORBIDDEN. */
export async function checkChannel(
  headers: Headers,
  caller: Caller | undefined,
  { channel: use, findChannel, headerPrefix }: ChannelCheckOptions,
): Promise<DistributionChannel | undefined> {
  const name = `${headerPrefix}-${HEADER}`;
  const id = headers[NEUTRAL_HEADER];
  if (id === undefined) {
    if (use === 'optional') return undefined;
    throw new ServiceError('MISSING_HEADER', `The header ${name} must name a distribution channel; ${WHERE}.`, {
      errors: [headerItem(name, 'REQUIRED', 'is required')],
    });
  }
  const channel = await findChannel(id);
  if (!channel) {
    throw new ServiceError(
      'UNKNOWN_DISTRIBUTION_CHANNEL',
      `The header ${name} names no distribution channel; ${WHERE}.`,
      {
        errors: [headerItem(name, 'UNKNOWN_REFERENCE', 'is no distribution channel')],
      },
    );
  }
  if (caller && mayUse(channel, caller)) return channel;
  throw new ServiceError('DISTRIBUTION_CHANNEL_FORBIDDEN', `${channel.id} is not granted to your organisation.`);
}

function headerItem(name: string, code: string, detail: string): ErrorItem {
  return { pointer: `/header/${name}`, code, detail };
}

function mayUse({ organisationIds }: DistributionChannel, { organisationId, scopes }: Caller): boolean {
  return organisationIds.includes(organisationId) || scopes.has(ANY_ORGANISATION);
}

/** The channel that the request names, else the default of the caller's organisation. Throws when it has none. */
export async function channelOrDefault(
  { channel, caller }: { readonly channel: DistributionChannel | undefined; readonly caller: Caller },
  catalogue: Pick<CatalogueReader, 'findDefaultChannel'>,
): Promise<DistributionChannel> {
  const found = channel ?? (await catalogue.findDefaultChannel(caller.organisationId));
  if (found) return found;
  throw new ServiceError('DISTRIBUTION_CHANNEL_FORBIDDEN', 'No distribution channel is granted to your organisation.');
}
