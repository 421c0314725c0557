/** Resolves ServerInfo and TransitInfo: the program's version, and the days of the timetable. */
import { readFileSync } from 'node:fs';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { Fields, TypeResolvers } from './fields.ts';
import { nothing } from './fields.ts';
import type { RequestContext } from './request-context.ts';
import { formatInstant } from './zone-time.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const serverFields: Fields<RequestContext> = {
  buildConfigVersion: nothing,
  buildTime: (context) => formatInstant(context.timetable.builtAt, context.config.TIME_ZONE),
  gitBranch: nothing,
  gitCommit: nothing,
  gitCommitTime: nothing,
  internalTransitModelTimeZone: (context) => context.timetable.transit.zones[0] ?? context.config.TIME_ZONE,
  numberOfCores: nothing,
  otpConfigVersion: nothing,
  // Clients identify the data by this field.
  otpSerializationVersionId: (context) => context.timetable.snapshotId,
  routerConfigVersion: nothing,
  version: () => version,
};

/** Their source is the request context itself. */
export const serverInfo: TypeResolvers = { fields: serverFields };

export interface Validity {
  readonly startTime: string;
  readonly endTime: string;
}

/** From the start of the first service day to the end of the last. */
function validityOf({ timetable: { transit }, config }: RequestContext): Validity | undefined {
  if (transit.dayCount === 0) return undefined;
  const zone = transit.zones[0] ?? config.TIME_ZONE;
  const end = (transit.firstDay + transit.dayCount) as ServiceDay;
  return {
    startTime: formatInstant(transit.dayStart(0, transit.firstDay), zone),
    endTime: formatInstant(transit.dayStart(0, end), zone),
  };
}

export const transitInfo: TypeResolvers = {
  fields: { validityPeriod: (context: RequestContext) => validityOf(context) } satisfies Fields<RequestContext>,
};
