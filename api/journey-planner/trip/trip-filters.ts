/**
 * Turns white list, banned, modes and filters of a request into the planner's filters, of which at least one must allow
 * a ride. Empty lists restrict nothing. A ride is on the white list by its line or by its authority.
 */
import type { TripFilter, TripModes, TripSelect } from '../../../planner/trip/trip-types.ts';
import { checkFilters } from '../resolvers/filter-limit.ts';
import { listed, type Maybe } from '../resolvers/user-input.ts';

type Ids = Maybe<readonly Maybe<string>[]>;

export interface WhiteListInput {
  readonly lines?: Ids;
  readonly authorities?: Ids;
  /** v2's other name for authorities. */
  readonly organisations?: Ids;
}

export interface BannedInput extends WhiteListInput {
  readonly serviceJourneys?: Ids;
  readonly quays?: Ids;
  readonly quaysHard?: Ids;
}

export interface ModeInput {
  readonly transportMode?: Maybe<TripModes['mode']>;
  readonly transportSubModes?: Ids;
}

interface SelectInput {
  readonly lines?: Ids;
  readonly authorities?: Ids;
  readonly groupOfLines?: Ids;
  readonly serviceJourneys?: Ids;
  readonly transportModes?: Maybe<readonly Maybe<ModeInput>[]>;
}

export interface FilterInput {
  readonly select?: Maybe<readonly SelectInput[]>;
  readonly not?: Maybe<readonly SelectInput[]>;
}

export interface Allowed {
  readonly whiteListed?: Maybe<WhiteListInput>;
  readonly banned?: Maybe<BannedInput>;
  /** Undefined: all modes. */
  readonly modes?: readonly TripModes[] | undefined;
  readonly filters?: Maybe<readonly FilterInput[]>;
}

const EVERYTHING: TripSelect = {
  lines: undefined,
  authorities: undefined,
  groupsOfLines: undefined,
  serviceJourneys: undefined,
  modes: undefined,
};

export function filtersOf({ whiteListed, banned, modes, filters }: Allowed): TripFilter[] {
  checkFilters(filters);
  const wanted = whiteList(whiteListed).map((select) => ({ ...select, modes }));
  const unwanted = banList(banned);
  const given = listed(filters) ?? [{}];
  const made = given.map(({ select, not }) => {
    const own = (listed(select) ?? [{}]).map(selectOf);
    const both = own.flatMap((one) => wanted.map((other) => meet(one, other)));
    return {
      select: both.some(isEverything) ? [] : both,
      not: [...(listed(not) ?? []).map(selectOf).filter((one) => !isEverything(one)), ...unwanted],
    };
  });
  return made.some(({ select, not }) => select.length + not.length === 0) ? [] : made;
}

/** Ids of quays and stop places closed for boarding, alighting and transfers. */
export function bannedQuaysOf(banned: Maybe<BannedInput>): readonly string[] {
  return listed(banned?.quays) ?? [];
}

/** Ids of quays and stop places where no ride may call. */
export function impassableQuaysOf(banned: Maybe<BannedInput>): readonly string[] {
  return listed(banned?.quaysHard) ?? [];
}

export function modesOf(inputs: Maybe<readonly Maybe<ModeInput>[]>): readonly TripModes[] | undefined {
  return listed(inputs)?.map(({ transportMode, transportSubModes }) => ({
    mode: transportMode ?? undefined,
    submodes: listed(transportSubModes),
  }));
}

function authoritiesOf({ authorities, organisations }: WhiteListInput): readonly string[] | undefined {
  return listed([...(authorities ?? []), ...(organisations ?? [])]);
}

function whiteList(input: Maybe<WhiteListInput>): readonly TripSelect[] {
  const [lines, authorities] = [listed(input?.lines), authoritiesOf(input ?? {})];
  const selects: TripSelect[] = [];
  if (lines) selects.push({ ...EVERYTHING, lines });
  if (authorities) selects.push({ ...EVERYTHING, authorities });
  return selects.length > 0 ? selects : [EVERYTHING];
}

function banList(input: Maybe<BannedInput>): readonly TripSelect[] {
  const serviceJourneys = listed(input?.serviceJourneys);
  const lists = whiteList(input).filter((select) => !isEverything(select));
  return serviceJourneys ? [...lists, { ...EVERYTHING, serviceJourneys }] : lists;
}

function selectOf(input: SelectInput): TripSelect {
  return {
    lines: listed(input.lines),
    authorities: listed(input.authorities),
    groupsOfLines: listed(input.groupOfLines),
    serviceJourneys: listed(input.serviceJourneys),
    modes: modesOf(input.transportModes),
  };
}

function isEverything(select: TripSelect): boolean {
  return Object.values(select).every((list) => list === undefined);
}

/** Intersection of two filters. */
function meet(one: TripSelect, other: TripSelect): TripSelect {
  return {
    lines: meetIds(one.lines, other.lines),
    authorities: meetIds(one.authorities, other.authorities),
    groupsOfLines: meetIds(one.groupsOfLines, other.groupsOfLines),
    serviceJourneys: meetIds(one.serviceJourneys, other.serviceJourneys),
    modes: meetModes(one.modes, other.modes),
  };
}

function meetIds(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!one || !other) return one ?? other;
  const known = new Set(other);
  return one.filter((id) => known.has(id));
}

function meetModes(one: TripSelect['modes'], other: TripSelect['modes']): TripSelect['modes'] {
  if (!one || !other) return one ?? other;
  return one.flatMap((a) =>
    other.flatMap((b) => {
      if (a.mode && b.mode && a.mode !== b.mode) return [];
      const submodes = meetIds(a.submodes, b.submodes);
      return submodes?.length === 0 ? [] : [{ mode: a.mode ?? b.mode, submodes }];
    }),
  );
}
