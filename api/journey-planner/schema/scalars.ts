/**
 * The scalars of both dialects: how a value is checked on input and written on output. Resolvers return times as texts
 * (`zone-time.ts`) and receive them as the types below. Caller: `load-schema.ts`.
 */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { instantOfLocal } from '../resolvers/zone-time.ts';

/** A time as the caller wrote it. Without an offset it is local time in the zone of the request. */
export interface DateTimeInput {
  /** Seconds since 1970 UTC. If `isLocal`, the local time is taken as if it were UTC. */
  readonly seconds: number;
  readonly isLocal: boolean;
}

export function instantOf(input: DateTimeInput, zone: string): number {
  return input.isLocal ? instantOfLocal(input.seconds, zone) : input.seconds;
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:(Z)|([+-])(\d\d):?(\d\d)?)?(?:\[[A-Za-z0-9_+/-]{1,60}\])?$/;

function parseDateTime(value: unknown): DateTimeInput {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  const day = match ? dayNumber(match[1] ?? '') : undefined;
  if (!match || day === undefined) throw refused('DateTime', value, '2026-11-22T08:00:00+01:00 or 2026-11-22T08:00:00');
  const [hour, minute, second, east, south] = [match[2], match[3], match[4], match[7], match[8]].map((text) =>
    Number(text ?? 0),
  ) as [number, number, number, number, number];
  if (hour > 23 || minute > 59 || second > 59 || east > 18 || south > 59) {
    throw refused('DateTime', value, '2026-11-22T08:00:00+01:00 or 2026-11-22T08:00:00');
  }
  const offset = (match[6] === '-' ? -1 : 1) * (east * 3_600 + south * 60);
  const seconds = day * 86_400 + hour * 3_600 + minute * 60 + second - offset;
  return { seconds, isLocal: match[5] === undefined && match[6] === undefined };
}

/** Returns days since 1970-01-01. */
export function dayNumber(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return undefined;
  return ms / 86_400_000;
}

function parseDate(value: unknown): number {
  const day = typeof value === 'string' ? dayNumber(value.slice(0, 10)) : undefined;
  if (day === undefined) throw refused('Date', value, '2026-11-22');
  return day;
}

const DURATION = /^(-)?P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d{1,9})?S)?)?$/i;
const PLAIN_DURATION = /^(-)?(?:(\d{1,4})d)?\s*(?:(\d{1,5})h)?\s*(?:(\d{1,6})m)?\s*(?:(\d{1,8})s)?$/i;

/** Reads seconds from `PT1H30M`, `1h30m` or a number of seconds. */
function parseDuration(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const text = typeof value === 'string' ? value.trim() : '';
  const match = /\d/.test(text) ? (DURATION.exec(text) ?? PLAIN_DURATION.exec(text)) : null;
  if (!match) {
    if (/^-?\d{1,9}$/.test(text)) return Number(text);
    throw refused('Duration', value, 'PT1H30M or 1h30m');
  }
  const [days, hours, minutes, seconds] = match.slice(2, 6).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (match[1] ? -1 : 1) * (days * 86_400 + hours * 3_600 + minutes * 60 + seconds);
}

function formatDuration(value: unknown): string {
  if (typeof value === 'string') return value;
  const total = Math.abs(Number(value));
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds || total === 0 ? `${seconds}S` : ''}`;
  return `${Number(value) < 0 ? '-' : ''}PT${text}`;
}

/** Costs are written in seconds, as a plain number. */
function formatCost(value: unknown): string {
  return typeof value === 'string' ? value : `${Number(value)}s`;
}

function parseLong(value: unknown): number {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw refused('Long', value, 'a whole number');
  return number;
}

/** Accepts a linear function such as `20m + 2.0 t` as text, because nothing evaluates it. */
function parseFunction(value: unknown): string {
  if (typeof value === 'string' && value.length <= 100) return value;
  throw refused('DoubleFunction', value, '20m + 2.0 t');
}

function parseTime(name: string): (value: unknown) => string {
  return (value) => {
    if (typeof value === 'string' && /^\d\d:\d\d(:\d\d)?$/.test(value)) return value;
    throw refused(name, value, '08:00:00');
  };
}

/** A list of positions, each [longitude, latitude]. */
function parseCoordinates(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  throw refused('Coordinates', value, '[[10.75, 59.91]]');
}

function refused(name: string, value: unknown, example: string): GraphQLError {
  const shown = JSON.stringify(value)?.slice(0, 60) ?? 'undefined';
  return new GraphQLError(`${shown} is not a ${name}: write it like ${example}.`);
}

function scalar(name: string, parseValue: (value: unknown) => unknown, serialize: (value: unknown) => unknown) {
  return new GraphQLScalarType({
    name,
    serialize,
    parseValue,
    parseLiteral: (node: ValueNode, variables) =>
      parseValue(
        node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : valueFromASTUntyped(node, variables),
      ),
  });
}

const asIs = (value: unknown): unknown => value;

export const SCALARS: readonly GraphQLScalarType[] = [
  scalar('DateTime', parseDateTime, asIs),
  scalar('Date', parseDate, asIs),
  scalar('Time', parseTime('Time'), asIs),
  scalar('LocalTime', parseTime('LocalTime'), asIs),
  scalar('Duration', parseDuration, formatDuration),
  scalar('Cost', parseDuration, formatCost),
  scalar('Long', parseLong, asIs),
  scalar('DoubleFunction', parseFunction, asIs),
  scalar('Coordinates', parseCoordinates, asIs),
];
